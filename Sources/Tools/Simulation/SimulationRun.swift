import Domain
import Gateway
import PSPSimulator
import SQLiteDatabase

/// One run of a plan, from the first order to the last look at the books.
struct SimulationRun {
    /// What came of a run.
    struct Result: Sendable {
        /// What is wrong; empty if nothing is.
        var complaints: [String]
        /// What happened, if it was to be kept.
        var trace: [String]
        /// How many orders were placed.
        var orders = 0
    }

    /// Pauses until everything should be at rest, in milliseconds: more than an outage and the longest that any adapter lets a
    /// change be pending before a person is told (three days); less than holds live.
    private static let pauses: [Int64] =
        [1000, 2000, 4000, 8000, 15_000, 30_000] + Array(repeating: 70_000, count: 12)
        + Array(repeating: 400_000, count: 10) + Array(repeating: 1_800_000, count: 8)
        + Array(repeating: 7_400_000, count: 52)

    /// After how many of the first pauses an instance looks for due work whether there is any or not: what the dead had in
    /// hand is found by looks alone.
    private static let looksAnyway = 14
    /// After how many of the other pauses it does.
    private static let pausesBetweenLooks = 4

    let plan: SimulationPlan
    let world: SimulatedWorld
    let people: SimulatedPeople
    let agreements: SimulatedAgreements
    let instances: SimulatedInstances
    /// What is settled; nil where nothing is.
    let settlement: SimulatedSettlement?
    var driver: SimulationDriver
    var seen = SimulationChecks.Seen()
    /// The copy of the books, if there is one.
    var backup: SimulationBackup?
    /// When the books were restored last, in milliseconds since 1970; nil if they never were.
    var restoredAt: Int64?
    /// What orders counted on whose checkouts may have been told that they are accepted, by books that were restored since.
    var promised: [OrderID: Set<PaymentID>] = [:]

    /// Runs a plan on a database, which is as it was afterwards.
    ///
    /// - Parameters:
    ///   - plan: what happens.
    ///   - database: with the product's schema.
    ///   - clock: the database's.
    ///   - isTraced: whether what happens is kept.
    /// - Returns: what came of it.
    /// - Throws: ``SeededScheduler/Unsupported``, or `SQLError` of the simulation's own looks.
    static func result(
        of plan: SimulationPlan,
        on database: MemoryDatabase,
        _ clock: VirtualClock,
        isTraced: Bool
    ) throws -> Result {
        var dice = SeededDice(seed: plan.seed ^ 0x5EED)
        clock.reset()
        try database.beginEpisode()
        defer { try? database.endEpisode() }
        let trace = SimulationTrace(clock, isKept: isTraced)
        return try SeededScheduler.withControl(dice.fork()) {
            var driver = SimulationDriver(clock)
            let world = try driver.result { [dice] in
                try await SimulatedWorld.make(plan, database, clock, trace, dice)
            }
            var run = SimulationRun(plan, world, driver)
            defer { run.end() }
            do {
                let complaints = try run.play()
                return Result(complaints: complaints, trace: trace.lines, orders: try world.orderCount())
            } catch let restless as SimulationDriver.Restless {
                return Result(complaints: ["\(restless)"], trace: trace.lines)
            }
        }
    }

    private init(_ plan: SimulationPlan, _ world: SimulatedWorld, _ driver: SimulationDriver) {
        self.plan = plan
        self.world = world
        self.driver = driver
        people = SimulatedPeople(world, leaning: plan.leaning)
        agreements = SimulatedAgreements(world)
        instances = SimulatedInstances(world, plan)
        settlement = SimulatedSettlement(world, plan)
    }

    /// Has everything happen that is planned, and answers what is wrong by then.
    private mutating func play() throws -> [String] {
        for place in 0..<plan.instances { instances.replace(at: place) }
        for happening in plan.happenings {
            try driver.go(to: VirtualClock.start.adding(milliseconds: happening.at))
            instances.replaceTheDead()
            world.trace.tell("** \(happening.kind)")
            try act(happening)
            let complaints = try stepComplaints()
            if !complaints.isEmpty { return complaints }
        }
        return try heal()
    }

    /// What is wrong with the orders that took a step meanwhile.
    private mutating func stepComplaints() throws -> [String] {
        let instances = instances
        return try SimulationChecks.complaints(aboutSteps: world, &seen) { instances.inHand }
    }

    private mutating func act(_ happening: SimulationPlan.Happening) throws {
        var dice = happening.dice
        switch happening.kind {
        case .order(let number): try people.order(number, at: instances.one(&dice), &dice)
        case .sale(let number): try people.sell(number, at: instances.one(&dice), &dice)
        case .purchase(let number, let place):
            try people.sell(number, of: place, as: 0, at: instances.one(&dice), &dice)
        case .step(let number, let place):
            try people.sell(number, of: place, as: 113, at: instances.one(&dice), &dice)
        case .stepCapture(let place):
            let line = world.lines[place]
            if let action = SimulatedPortal.captureBehindStep(on: try payments(at: line)) { try work(action, at: line) }
        case .repetition(let number): people.repeatOrder(number, at: instances.one(&dice), &dice)
        case .request: try people.ask(at: instances.one(&dice), &dice)
        case .demand: try people.demand(at: instances.one(&dice), &dice)
        case .excess: try people.demand(at: instances.one(&dice), isExcessive: true, &dice)
        case .part(let place): try people.demand(at: instances.one(&dice), of: world.lines[place].twin, &dice)
        case .portal:
            let line = world.lines[Int.random(in: 0..<world.lines.count, using: &dice)]
            guard let action = SimulatedPortal.action(on: try payments(at: line), at: line.twin, &dice) else {
                return
            }
            try work(action, at: line)
        case .reversal: try reverse(&dice)
        case .death(let place): instances.kill(at: place)
        case .freeze(let place, let milliseconds):
            instances.at(place).life.freeze(until: world.clock.now.adding(milliseconds: milliseconds))
        case .clock(let place, let milliseconds): instances.at(place).clock.set(ahead: milliseconds)
        case .fault(let fault): world.weather.begin(fault)
        case .agreement: try agreements.begin(at: instances.one(&dice), &dice)
        case .charge: try agreements.charge(at: instances.one(&dice), &dice)
        case .agreementEnd: agreements.end(at: instances.one(&dice), &dice)
        case .report: try report(&dice)
        case .statement: state(&dice)
        case .backup: backup = try SimulationBackup(of: world)
        case .restore: try restore()
        }
    }

    /// What a PSP's books have of payments.
    private mutating func payments(at line: SimulatedNetwork.Line) throws -> [PSPSimulator.Authorization] {
        let ledgers = world.market.ledgers(of: line.place)
        return try driver.result {
            await line.simulator.read { books, now in ledgers.flatMap { books.authorizations(of: $0, at: now) } }
        }
    }

    /// Somebody does something in a PSP's portal, if that can be done and nothing that was reported is undone by it.
    ///
    /// - Returns: the payment after it; nil if it was not done.
    @discardableResult
    private mutating func work(
        _ action: DashboardAction,
        at line: SimulatedNetwork.Line
    ) throws -> PSPSimulator.Authorization? {
        guard settlement?.forbids(action) != true else { return nil }
        let trace = world.trace
        return try driver.result { () -> PSPSimulator.Authorization? in
            guard let done = try? await line.simulator.act(action) else { return nil }
            trace.tell("portal: \(action.kind.rawValue) \(action.amount.map(String.init) ?? "all")")
            return done
        }
    }

    /// Somebody captures or refunds in the portal of a PSP where that may fail after all, and within seconds it does.
    private mutating func reverse(_ dice: inout SeededDice) throws {
        for line in world.lines.shuffled(using: &dice) {
            let found = try payments(at: line)
            guard let action = SimulatedPortal.reversibleAction(on: found, at: line.twin, &dice) else { continue }
            guard let done = try work(action, at: line) else { return }
            try driver.go(to: world.clock.now.adding(milliseconds: dice.number(in: 0...3000)))
            var failure = DashboardAction(.fail, to: .id(done.id))
            failure.subject = done.operations.last?.id
            failure.announcement = dice.pick([(6, .prompt), (3, .twice)])
            try work(failure, at: line)
            return
        }
    }

    /// Lets nothing more go wrong but the requests that a fault counts, until every order is at rest; answers what is wrong
    /// then.
    private mutating func heal() throws -> [String] {
        world.trace.tell("** nothing more goes wrong")
        world.weather.calm()
        var healer = beginHealing()
        var complaints: [String] = []
        for (number, pause) in Self.pauses.enumerated() {
            try driver.go(to: world.clock.now.adding(milliseconds: pause))
            for line in world.lines { try driver.wait { await line.simulator.advance() } }
            let (instance, moment) = (healer, world.clock.now)
            let isForced = number < Self.looksAnyway || number % Self.pausesBetweenLooks == 0
            let isLook = isForced || world.rounds.isDue(at: moment)
            if isLook { try driver.wait(on: instance.life) { await instance.look() } }
            try driver.drain()
            complaints = try stepComplaints()
            if instance.life.isDead {
                healer = beginHealing()
            } else {
                if isLook { complaints += seen.complaints(aboutUndecided: moment, restoredAt: restoredAt) }
                if restoredAt == nil { complaints += seen.complaints(aboutDoubtsAt: moment) }
            }
            if !complaints.isEmpty { return complaints }
            guard world.mail.isEmpty, !world.network.isBusy, !world.buyers.isAnyComing, seen.isAtRest,
                try SimulationChecks.areCallbacksOver(world)
            else { continue }
            complaints = try finalComplaints(isLast: false)
            if complaints.isEmpty { return try settle() }
        }
        return try finalComplaints(isLast: true)
    }

    /// Has a new instance carry everything on, of which everybody asks again what they had asked.
    private func beginHealing() -> SimulatedInstance {
        let healer = instances.replaceAll()
        people.repeatAll(at: healer)
        agreements.repeatAll(at: healer)
        return healer
    }

    /// What is wrong once everything should be at rest; not all of it unless nobody looks again later.
    private mutating func finalComplaints(isLast: Bool) throws -> [String] {
        let lines = world.lines
        let books = try driver.result { () -> [Books] in
            var books: [Books] = []
            for line in lines { books.append(await line.simulator.read { books, _ in books }) }
            return books
        }
        let orders = try world.orders()
        let found = try SimulationChecks.complaints(atTheEndOf: world, books, orders, restoredAt: restoredAt)
        let others = try people.complaints(orders) + agreements.complaints(orders) + brokenPromises(orders, books)
        // Whoever looks again later need not be told of everything, and the audit takes longest.
        guard isLast || (found + others).isEmpty else { return found + others }
        return try found + SimulationChecks.auditComplaints(world) + others
    }

    /// Lets all tasks go, so that the next run begins without any.
    private mutating func end() {
        people.leave()
        agreements.leave()
        world.buyers.leave()
        instances.end()
        settlement?.clerk.leave()
        world.clock.end()
        // A task that goes on for ever would be found before: by the driver's limit.
        try? driver.drain()
    }
}
