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
        orders = try world.orders().count
        try world.database.keep()
    }
}

extension SimulationRun {
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
        let (market, lines) = (world.market, world.lines)
        if lines.allSatisfy(\.twin.listsActivity) {
            promised.formUnion(orders.filter { $0.decision.state == .accepted }.map(\.id))
        }
        for line in lines where !line.twin.listsActivity {
            let ledgers = market.ledgers(of: line.place)
            let names = try driver.result {
                await line.simulator.read { books, now in
                    ledgers.flatMap { books.authorizations(of: $0, at: now) }.map(\.id)
                }
            }
            world.mail.leaveUntold(names)
        }
        try world.database.goBack()
        world.trace.tell("the books are those of \(backup.at)")
        seen = SimulationChecks.Seen()
        people.forgetAnswers()
        // A PSP may list what happened as late as it answers inquiries.
        let lateness = lines.map(\.twin.lateness).max() ?? 0
        try driver.go(to: world.clock.now.adding(milliseconds: lateness + 60_000))
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
