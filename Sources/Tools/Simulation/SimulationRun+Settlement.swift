import Domain
import Gateway
import PSPSimulator

/// What is settled meanwhile, and at the end.
extension SimulationRun {
    /// A PSP reports what it settled, and somebody takes in what came; sometimes they die over it.
    mutating func report(_ dice: inout SeededDice) throws {
        guard let settlement else { return }
        let line = world.lines[Int.random(in: 0..<world.lines.count, using: &dice)]
        let end = world.clock.milliseconds - settlement.terms.delay
        let movements = try movements(of: line).filter { $0.line.at <= end }
        settlement.deliverLate()
        settlement.report(of: line.place, movements, &dice)
        work(settlement, &dice)
    }

    /// The bank tells what it booked, and somebody takes it in.
    func state(_ dice: inout SeededDice) {
        guard let settlement else { return }
        settlement.deliverLate()
        settlement.statement(&dice)
        work(settlement, &dice)
    }

    private func work(_ settlement: SimulatedSettlement, _ dice: inout SeededDice) {
        let place = Int.random(in: 0..<plan.instances, using: &dice)
        settlement.clerk.work(at: place, dyingAfter: dice.falls(25) ? dice.number(in: 0...40) : nil)
    }

    /// Has PSPs and bank settle the rest, and answers what does not agree by then.
    mutating func settle() throws -> [String] {
        guard let settlement else { return [] }
        world.trace.tell("** what is left is settled")
        // What a person was told of may still be tried; nothing may come of it behind the last report.
        instances.killAll()
        settlement.clerk.endAll()
        settlement.deliverLate()
        var movements: [Int: [ReportingPSP.Movement]] = [:]
        for line in world.lines { movements[line.place] = try self.movements(of: line) }
        let orders = try world.orders()
        settlement.reportAll(movements, agreed: SimulationChecks.agreed(orders, movements))
        if settlement.terms.isTogether {
            settlement.closeBank()
            world.weather.begin(.queue(at: 0))
            try driver.wait { await settlement.clerk.finishTogether() }
            world.weather.clear()
        } else {
            try driver.wait { await settlement.clerk.finish() }
            settlement.closeBank()
        }
        try driver.wait { await settlement.clerk.finish() }
        // A later run would close what this one should not have found.
        let complaints = try SimulationChecks.complaints(aboutBankOf: settlement, world)
        if !complaints.isEmpty { return complaints }
        try driver.wait { await settlement.lookAgain() }
        return try settlement.clerk.complaints
            + SimulationChecks.complaints(aboutSettlement: settlement, world, orders)
    }

    /// What a PSP has settled or will, in the order in which it happened.
    private mutating func movements(of line: SimulatedNetwork.Line) throws -> [ReportingPSP.Movement] {
        guard let settlement, let layout = line.twin.dialect.reportLayout else { return [] }
        let ledgers = world.market.ledgers(of: line.place)
        let found = try driver.result {
            await line.simulator.read { books, now in ledgers.flatMap { books.authorizations(of: $0, at: now) } }
        }
        // Whom a PSP pays is agreed with it; a twin knows it only where the request says so.
        var paysMerchant: Set<String> = []
        for attempt in try world.orders().flatMap(\.payments).flatMap(\.attempts)
        where attempt.route.settlesTo == .merchant { paysMerchant.insert(attempt.id.text) }
        let tellsFees = line.twin.dialect != .worldpay
        var movements: [ReportingPSP.Movement] = []
        for authorization in found {
            let attempt = line.twin.attempt(authorization.command.reference)
            for var reported in ReportLine.lines(of: authorization, in: layout) {
                reported.settlesToMerchant = paysMerchant.contains(attempt)
                if reported.kind == .payment, tellsFees { reported.fee = settlement.terms.fee.of(reported.amount) }
                movements.append(.init(line: reported, authorization: authorization.id, attempt: attempt))
            }
        }
        return movements.sorted { ($0.line.at, $0.line.name) < ($1.line.at, $1.line.name) }
    }
}
