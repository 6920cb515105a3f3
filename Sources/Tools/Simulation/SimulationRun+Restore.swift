import Domain
import Gateway
import PSPSimulator
import SQL
import SQLiteDatabase
import Storage

/// A copy of the books.
struct SimulationBackup {
    /// When it was made.
    let at: Timestamp
    /// How many orders there were.
    let orders: Int

    /// Makes a copy, in place of an earlier one.
    ///
    /// - Throws: `SQLError`.
    init(of world: SimulatedWorld) throws {
        at = world.clock.now
        orders = try world.orderCount()
        try world.database.keep()
    }
}

extension SimulationRun {
    /// By how much an instance may see the time differently, in milliseconds.
    private static let clockMilliseconds: Int64 = 60_000
    /// How many times the PSPs are asked until nothing is in the way.
    private static let rounds = 4

    /// Takes the books back to their copy, and brings them up to what the PSPs did since.
    ///
    /// Only if no order was placed since: a checkout that is told again under its key would pay twice, which no recovery can
    /// help. What happened at PSPs that list nothing is nobody's to tell any more.
    mutating func restore() throws {
        let orders = try world.orders()
        guard let backup, orders.count == backup.orders, !orders.isEmpty else { return }
        instances.killAll()
        world.weather.clear()
        try driver.drain()
        // Nobody serves, and the PSPs go on.
        for line in world.lines { try driver.wait { await line.simulator.advance() } }
        let (market, lines) = (world.market, world.lines)
        var undone: Set<String> = []
        for line in lines {
            let ledgers = market.ledgers(of: line.place)
            let found = try driver.result {
                await line.simulator.read { books, now in ledgers.flatMap { books.authorizations(of: $0, at: now) } }
            }
            world.mail.leaveUntold(found.filter { !$0.isListed(at: line.twin) }.map(\.id))
            undone.formUnion(found.filter { !$0.isWhole }.map { line.twin.attempt($0.command.reference) })
        }
        if lines.allSatisfy({ $0.twin.listsActivity || $0.twin.isAskedByReference }) {
            let accepted = orders.filter { $0.decision.state == .accepted && !$0.counts(onAnyOf: undone) }
            for order in accepted { promised[order.id] = order.decision.countsOn }
        }
        try world.database.goBack()
        let restoredAt = world.clock.milliseconds
        self.restoredAt = restoredAt
        world.trace.tell("the books are those of \(backup.at)")
        seen = SimulationChecks.Seen()
        people.forgetAnswers()
        // A PSP may list what happened as late as it answers inquiries.
        let lateness = lines.map(\.twin.lateness).max() ?? 0
        try driver.go(to: world.clock.now.adding(milliseconds: lateness + 60_000))
        for line in lines { try driver.wait { await line.simulator.advance() } }
        // A refund that was on its way when the books were restored has come by now, too.
        for line in lines where line.twin.dialect == .authorizeNet {
            let ledgers = market.ledgers(of: line.place)
            let found = try driver.result {
                await line.simulator.read { books, now in ledgers.flatMap { books.authorizations(of: $0, at: now) } }
            }
            let late = found.filter { authorization in
                authorization.operations.contains { $0.kind == .refund && !$0.isPortals && $0.at > restoredAt }
            }
            world.mail.leaveUntold(late.map(\.id))
        }
        try recover(since: backup.at)
        instances.replaceTheDead()
    }

    private mutating func recover(since moment: Timestamp) throws {
        let operators = SimulatedInstance("operator", at: 0, in: world)
        let (recovery, trace) = (operators.recovery, world.trace)
        try driver.wait { _ = try? await recovery.distrust() }
        for account in world.market.accounts {
            for _ in 0..<Self.rounds {
                let slot = ResultSlot<Bool>()
                try driver.wait {
                    let activity = try? await recovery.ask(account, since: moment)
                    trace.tell("\(account.id) lists \(activity?.listed ?? 0): \(activity?.obstacle ?? "all is told")")
                    slot.fill(.success(activity?.obstacle == nil || activity?.listed == 0))
                }
                if let isOver = try slot.content?.get(), isOver { break }
                try driver.go(to: world.clock.now.adding(milliseconds: 30_000))
            }
        }
        operators.end()
    }
}

extension SimulationRun {
    /// The orders that were accepted, and are refused since the books were restored, although nobody called them off and
    /// what nobody undid is enough for their policies.
    func brokenPromises(_ orders: [Order], _ books: [Books]) -> [String] {
        let refused = orders.filter {
            promised[$0.id] != nil && $0.decision.state == .refused && $0.decision.reason != .requested
        }
        guard !refused.isEmpty else { return [] }
        var byAttempt: [String: [Authorization]] = [:]
        var lapses: [String: Int64] = [:]
        for (line, books) in zip(world.lines, books) {
            for event in books.history where event.type == "authorization.expired" {
                lapses[event.authorization.id] = event.at
            }
            for ledger in world.market.ledgers(of: line.place) {
                for authorization in books.authorizations(of: ledger, at: world.clock.milliseconds) {
                    byAttempt[line.twin.attempt(authorization.command.reference), default: []].append(authorization)
                }
            }
        }
        let broken = refused.filter { order in
            let theirs = order.payments.flatMap(\.attempts).flatMap { byAttempt[$0.id.text] ?? [] }
            // What was undone once we undid the order refused nothing.
            let undoing = theirs.flatMap(\.operations).filter { $0.isUndoingOfOurs && $0.at > restoredAt ?? .max }
            let begun = undoing.map(\.at).min() ?? .max
            let decided = order.decision.at.map { $0.microseconds / 1000 + Self.clockMilliseconds } ?? .max
            let left = order.payments.filter { payment in
                let own = payment.attempts.flatMap { byAttempt[$0.id.text] ?? [] }
                return payment.canceledAt == nil && promised[order.id]?.contains(payment.id) == true
                    && !own.contains { $0.isUndoneByOthers(before: min(begun, decided), lapsedAt: lapses[$0.id]) }
            }
            return SimulationChecks.isAcceptable(left, to: order)
        }
        return broken.map { "\($0.reference ?? "") was accepted, and is refused since the books were restored" }
    }
}

extension BookedOperation {
    /// Whether we gave back or released something by it.
    fileprivate var isUndoingOfOurs: Bool { (kind == .void || kind == .refund) && !isPortals }
}

extension Authorization {
    /// Whether what it approved was released in the PSP's portal by a moment, or a capture of it failed: by nothing that we
    /// asked for; or lapsed.
    fileprivate func isUndoneByOthers(before moment: Int64, lapsedAt: Int64?) -> Bool {
        if let lapsedAt, lapsedAt <= moment { return true }
        return operations.contains { operation in
            let hasFailed = operation.status == .failed || operation.status == .failedLater
            let isUndone =
                (operation.isPortals && operation.kind == .void) || (operation.kind == .capture && hasFailed)
            return isUndone && (operation.changedAt ?? operation.at) <= moment
        }
    }

    /// Whether its PSP lists all that happened to it.
    ///
    /// Braintree finds neither what failed later nor disputes, Authorize.Net no disputes and not what a refund is of.
    fileprivate func isListed(at twin: PSPTwin) -> Bool {
        switch twin.dialect {
        case .braintree: disputes.isEmpty && !operations.contains { $0.status == .failedLater }
        case .authorizeNet: disputes.isEmpty && !operations.contains { $0.kind == .refund }
        default: twin.listsActivity
        }
    }

    /// Whether what it approved is held or taken still, nothing was given back, and nothing of it failed: then an order may
    /// rightly be refused that was accepted before its captures were heard of.
    fileprivate var isWhole: Bool {
        let hasFailed = operations.contains { $0.status == .failed || $0.status == .failedLater }
        return (status == .authorized || status == .captured) && voided == 0 && refunded == 0 && chargedBack == 0
            && !hasFailed
    }
}

extension Order {
    /// Whether its acceptance rests on one of these attempts.
    fileprivate func counts(onAnyOf attempts: Set<String>) -> Bool {
        payments.contains { decision.countsOn.contains($0.id) && attempts.contains($0.attempt.id.text) }
    }
}
