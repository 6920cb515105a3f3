import Domain
import Gateway
import PSPSimulator
import SQL
import SQLiteDatabase
import Storage
import Wiring

/// Holds what is stored to the rules that never break, and compares it with the PSPs' books.
enum SimulationChecks {
    /// The orders as they were when they were last looked at.
    struct Seen {
        /// The database's version then, if nothing was wrong.
        fileprivate var version: Int?
        fileprivate var versions: [OrderID: Int64] = [:]
        fileprivate var events: [OrderID: Int64] = [:]
        private var unrest: Set<OrderID> = []
        /// When those have to be decided that are not, and how often they were looked at since.
        private var undecided: [OrderID: (end: Timestamp, looks: Int)] = [:]
        /// Since when something of each order is in doubt of which nobody is told.
        private var doubted: [OrderID: Timestamp] = [:]

        /// Whether nothing of any order was under way, but for what a person was told of.
        var isAtRest: Bool { unrest.isEmpty }

        /// What is wrong with the orders that an instance looked at, and that stay undecided behind their end.
        ///
        /// A look may find an order in another's hand, but not one after the other. Restored books wait for PSPs first, from
        /// when they were told that they are restored.
        mutating func complaints(aboutUndecided moment: Timestamp, restoredAt: Int64?) -> [String] {
            let patience = restoredAt.map { restored in
                Timestamp(microseconds: (restored + SimulationChecks.restoredMilliseconds) * 1000)
            }
            for (id, order) in undecided where max(order.end, patience ?? order.end) < moment {
                undecided[id]?.looks += 1
            }
            let late = undecided.filter { $0.value.looks >= 3 }
            return late.map { late in
                "\(late.key) had to be decided by \(max(late.value.end, patience ?? late.value.end))"
            }
            .sorted()
        }

        /// What is in doubt for longer than anything may be before a person is told, at a moment at which an instance looks.
        func complaints(aboutDoubtsAt moment: Timestamp) -> [String] {
            doubted.filter { $0.value.adding(milliseconds: SimulationChecks.doubtMilliseconds) < moment }
                .map { "something of \($0.key) is in doubt since \($0.value), and nobody is told" }.sorted()
        }

        fileprivate mutating func note(_ order: Order) {
            doubted[order.id] = SimulationChecks.doubtUntold(in: order)
            versions[order.id] = order.version
            events[order.id] = order.eventSequence
            if SimulationChecks.isAtRest(order) { unrest.remove(order.id) } else { unrest.insert(order.id) }
            let looks = undecided[order.id]?.looks ?? 0
            undecided[order.id] = order.decision.state == .pending ? (order.terms.decideBy, looks) : nil
        }
    }

    /// What the names of those begin with who perform what they have in hand.
    static let servingPrefix = "instance-"

    /// What is wrong with the orders that took a step since they were last looked at.
    ///
    /// - Parameters:
    ///   - world: the world.
    ///   - seen: the orders as they were.
    ///   - inHand: finds the orders from which living instances go on, as they have them at hand.
    /// - Returns: a sentence for each thing that is wrong.
    /// - Throws: `SQLError`.
    static func complaints(
        aboutSteps world: SimulatedWorld,
        _ seen: inout Seen,
        inHand: () -> [Order]
    ) throws -> [String] {
        // Nothing was written since: the same orders would be found, and nothing to say of them.
        let version = world.database.version
        if version == seen.version { return [] }
        let inHand = inHand()
        // One that a rule forbids is taken once something else has happened, and nobody hears of it.
        var found = try failureComplaints(world)
        for order in try world.orders(changedSince: seen.versions) {
            let known = seen.versions[order.id] ?? 0
            if order.version < known { found.append("\(order.id) went back from step \(known) to \(order.version)") }
            found += OrderRules.violations(of: order).map { "\(order.id) breaks \($0.rawValue)" }
            // What is left out when an order is written, or comes in another order when it is read, is another order.
            if inHand.contains(where: { $0.id == order.id && $0.version == order.version && $0 != order }) {
                found.append("\(order.id) is stored otherwise than an instance has it at hand")
            }
            let after = seen.events[order.id] ?? 0
            let numbers = try world.database.look { session in
                try OrderSteps.events(of: order.id, after: after, limit: 10_000, in: session).map(\.sequence)
            }
            let last = order.eventSequence
            if last < after || numbers != Array(stride(from: after + 1, through: last, by: 1)) {
                found.append("\(order.id): events are numbered \(numbers) behind \(after), the last is \(last)")
            }
            let holders = Set(order.payments.flatMap(\.attempts).flatMap(\.operations).compactMap(\.leasedBy))
            let idle = holders.filter { !$0.hasPrefix(servingPrefix) }.sorted()
            found += idle.map { "\($0) has something of \(order.id) in hand" }
            seen.note(order)
        }
        seen.version = found.isEmpty ? version : nil
        return found
    }

    /// How long something may be in doubt before a person is told: a day, the longest pause between two tries, and the time
    /// between two looks with a lease, in milliseconds.
    private static let doubtMilliseconds: Int64 = 86_400_000 + 3 * 7_400_000
    /// How long an order of restored books may wait for its PSPs: a day, and what the PSPs may list and answer late, in
    /// milliseconds.
    private static let restoredMilliseconds: Int64 = 86_400_000 + 2 * 3_600_000

    /// Since when the oldest of what is in doubt is, of which no item says so.
    private static func doubtUntold(in order: Order) -> Timestamp? {
        let told = Set(order.attention.filter { $0.reason == .unknownOutcome }.map(\.operation))
        let doubted = order.payments.flatMap(\.attempts).flatMap(\.operations).filter { operation in
            guard case .unknown = operation.state else { return false }
            return !told.contains(operation.id)
        }
        return doubted.map { $0.firstSentAt ?? $0.createdAt }.min()
    }

    private static func isAtRest(_ order: Order) -> Bool {
        order.decision.state != .pending && order.decision.state != .cleared
            && order.payments.allSatisfy { payment in
                !payment.isUnresolved || order.attention.contains { $0.payment == payment.id }
            }
    }

    /// Whether no callback waits to be delivered.
    ///
    /// - Throws: `SQLError`.
    static func areCallbacksOver(_ world: SimulatedWorld) throws -> Bool {
        var waiting = CallbackTable.Filter(marketplace: nil)
        waiting.state = .waiting
        return try world.database.look { session in
            try CallbackTable.list(waiting, limit: 1, in: session).isEmpty
        }
    }

    private static func events(of order: Order, _ world: SimulatedWorld) throws -> [OrderEvent] {
        try world.database.look { session in
            try OrderSteps.events(of: order.id, after: 0, limit: 10_000, in: session)
        }
    }

    private static func callbacks(of world: SimulatedWorld) throws -> [StoredCallback] {
        try world.database.look { session in
            try CallbackTable.list(.init(marketplace: nil), limit: 100_000, in: session)
        }
    }

    /// What is wrong once everything should be at rest, but for what an audit finds.
    ///
    /// - Parameters:
    ///   - world: the world.
    ///   - books: the PSPs' books, by place.
    ///   - orders: every order as it is stored.
    ///   - restoredAt: when books were restored, which may not know what they asked for, in milliseconds since 1970; nil if
    ///     none were.
    /// - Returns: a sentence for each thing that is wrong.
    /// - Throws: `SQLError`.
    static func complaints(
        atTheEndOf world: SimulatedWorld,
        _ books: [Books],
        _ orders: [Order],
        restoredAt: Int64?
    ) throws -> [String] {
        let now = world.clock.milliseconds
        var byAttempt: [String: [PSPSimulator.Authorization]] = [:]
        var found = world.mail.refused + world.endpoints.refused
        for (line, books) in zip(world.lines, books) {
            let ledgers = world.market.ledgers(of: line.place)
            let authorizations = ledgers.flatMap { books.authorizations(of: $0, at: now) }
            let excused = Self.excusedDoubles(of: line.twin, authorizations)
            found += books.violations.filter { !excused.contains($0) }.map { "\(line.twin): \($0)" }
            for authorization in authorizations {
                byAttempt[line.twin.attempt(authorization.command.reference), default: []].append(authorization)
            }
        }
        found += try failureComplaints(world)
        let moments = books.map(Self.moments).reduce(into: [String: Int64]()) { $0.merge($1) { first, _ in first } }
        let callbacks = try callbacks(of: world)
        found += callbackComplaints(callbacks, world.endpoints.taken)
        var known: Set<String> = []
        for order in orders {
            known.formUnion(order.payments.flatMap(\.attempts).map(\.id.text))
            found += complaints(about: order, byAttempt, world, restoredAt: restoredAt)
            let events = try events(of: order, world)
            found += decisionComplaints(about: order, byAttempt, events, moments, untold: world.mail.untold)
            for payment in restoredAt != nil ? [] : order.payments {
                found += deedComplaints(
                    about: payment,
                    byAttempt,
                    moments,
                    world.mail,
                    events,
                    order.attention
                )
            }
            found += secretComplaints(about: order, callbacks)
            found += try credentialComplaints(about: order, world)
        }
        found += byAttempt.keys.filter { !known.contains($0) }.sorted().map { "\($0) is at a PSP and in no order" }
        return found
    }

    /// What `tributary ledger verify` finds.
    static func auditComplaints(_ world: SimulatedWorld) throws -> [String] {
        let audit = LedgerAudit(of: SimulatedMarket.marketplace)
        return try world.database.look { session in
            try LedgerAudit.Part.allCases.flatMap { part in
                var (findings, place) = ([LedgerFinding](), LedgerAudit.Place?.none)
                repeat {
                    let page = try audit.page(part, after: place, in: session)
                    findings += page.findings
                    place = page.next
                } while place != nil
                return findings
            }
            .map { "ledger verify: \($0.rule.rawValue) \($0.subject): \($0.found), not \($0.expected)" }
        }
    }

    /// Gaps in the numbers of what each endpoint is told of an order or a payment.
    private static func callbackComplaints(_ told: [StoredCallback], _ taken: Set<String>) -> [String] {
        let untaken = told.filter { $0.state != .delivered || !taken.contains($0.id.text) }.map {
            "the callback \($0.id) is \($0.state.rawValue), and \(taken.contains($0.id.text) ? "was" : "was not") taken"
        }
        // What is told of agreements, and of endpoints themselves, is of no order.
        let bySubject = Dictionary(grouping: told.filter { $0.content.order != nil }) { callback in
            let content = callback.content
            let subject = content.merchant == nil ? content.order?.text : content.payment?.text
            return "\(callback.endpoint) \(subject ?? "")"
        }
        let gaps = bySubject.sorted { $0.key < $1.key }.compactMap { subject, callbacks -> String? in
            let numbers = callbacks.map(\.content.sequence).sorted()
            let first = numbers.first ?? 1
            let isWhole = numbers == Array(first..<first + Int64(numbers.count))
            return isWhole ? nil : "\(subject) has the numbers \(numbers)"
        }
        return untaken + gaps
    }

    private static func complaints(
        about order: Order,
        _ books: [String: [PSPSimulator.Authorization]],
        _ world: SimulatedWorld,
        restoredAt: Int64?
    ) -> [String] {
        let name = order.reference ?? order.id.text
        var found = OrderRules.violations(of: order).map { "\(name) breaks \($0.rawValue)" }
        if order.decision.state == .pending || order.decision.state == .cleared {
            found.append("\(name) is \(order.decision.state.rawValue) for ever")
        }
        if !order.isAnswered { found.append("\(name) has no answer") }
        let forgetful = Set(world.lines.map(\.twin).filter(\.keepsSuccessesOnly).map { "\($0)" })
        for payment in order.payments {
            let theirs = payment.attempts.flatMap { books[$0.id.text] ?? [] }
            let items = order.attention.filter { $0.payment == payment.id }
            let what = "\(name), \(payment.externalIdentifier)"
            found += doubles(in: theirs).map { "\(what): \($0)" }
            for attempt in payment.attempts where !attempt.isSurplus {
                let left = leftStanding(
                    of: books[attempt.id.text] ?? [],
                    in: payment,
                    items,
                    keepsSuccessesOnly: forgetful.contains(attempt.route.pspAccount)
                )
                if left > 1 { found.append("\(what) was authorized \(left) times") }
            }
            // What nobody told and nobody can ask after is the settlement file's to tell.
            let isUntold = world.mail.hasUntold(of: theirs, in: payment.attempts)
            // What fails at Worldpay after its portal did it names nothing that is known here, nor does what restored books do not
            // know, or what an account captured unasked and unheard: that is for a person.
            let isUntellable =
                isUntold || world.mail.hasUnheardFailure(of: theirs) || payment.attempt.route.psp == "worldpay"
                || hasForgottenFailure(in: theirs, of: payment, restoredAt: restoredAt)
            if !isUntellable, items.contains(where: { $0.reason == .webhookProblem }) {
                found.append("\(what): a webhook could not be told to it")
            }
            if Set(items.map { "\($0.operation.text) \($0.reason.rawValue)" }).count < items.count {
                found.append("\(what): the same attention twice")
            }
            found += staleItems(items, of: payment).map { "\(what): \($0)" }
            guard !isUntold else { continue }
            let unheard = unheardFailures(of: payment, theirs, in: order)
            let differing = differences(payment, theirs, items, unheard: unheard, restoredAt: restoredAt)
            found += differing.map { "\(what): \($0), and nothing says so" }
            if items.contains(where: { $0.reason == .overRefunded }), !isCaptureImplied(in: payment),
                !isOverRefunded(payment, theirs, items, unheard: unheard)
            {
                found.append("\(what): an item says that more was given back than taken, and the PSP does not")
            }
            if payment.isUnresolved, items.isEmpty { found.append("\(what) is not at rest, and nothing says so") }
        }
        return found
    }

    /// Items that say of an operation that nothing is known of it, or that it takes long, although it is over.
    private static func staleItems(_ items: [Attention], of payment: Payment) -> [String] {
        let open = payment.attempts.flatMap(\.operations).filter(\.isOpen)
        let worked = Set(open.filter(\.state.isWorkedOn).map(\.id))
        let stale = items.filter { item in
            switch item.reason {
            case .unknownOutcome: worked.contains(item.operation) || !open.contains { $0.id == item.operation }
            case .overdue: !open.contains { $0.id == item.operation }
            default: false
            }
        }
        return stale.map { "\($0.reason.rawValue) is about \($0.operation), of which more is known" }
    }
}
