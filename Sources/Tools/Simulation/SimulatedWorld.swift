import Domain
import Gateway
import PSPSimulator
import SQL
import SQLiteDatabase
import Storage
import Synchronization

/// All that a run has around its instances: time, database, PSPs, and the ways between them.
final class SimulatedWorld: Sendable {
    let clock: VirtualClock
    let weather: SimulationWeather
    let trace: SimulationTrace
    let database: MemoryDatabase
    let market: SimulatedMarket
    let lines: [SimulatedNetwork.Line]
    let network: SimulatedNetwork
    let mail: SimulatedMail
    let buyers: SimulatedBuyers
    let settings: GatewaySettings
    /// Where identifiers and pauses are drawn from.
    let random: RandomSource
    /// The currency of every order.
    let currency: Currency
    /// Where callbacks go.
    let endpoints: SimulatedEndpoints
    /// When instances look for due work.
    let rounds: SimulatedRounds

    /// Makes the world of a plan; its tasks have to be run meanwhile.
    ///
    /// - Throws: nothing that a plan brings about.
    static func make(
        _ plan: SimulationPlan,
        _ database: MemoryDatabase,
        _ clock: VirtualClock,
        _ trace: SimulationTrace,
        _ dice: SeededDice
    ) async throws -> SimulatedWorld {
        var dice = dice
        let twins = plan.psps.map { SimulationPlan.twins[$0] }
        let weather = SimulationWeather(clock, dice.fork())
        let mail = try SimulatedMail(twins, clock, weather, trace)
        let names = SharedDice(dice.fork())
        let buyers = SimulatedBuyers(clock, trace, SeededDice(seed: plan.seed ^ 0xB0E5))
        var lines: [SimulatedNetwork.Line] = []
        for (place, twin) in twins.enumerated() {
            let simulator = try await LocalSimulator(
                twin.dialect,
                lateness: plan.isLate ? twin.lateness * 9 / 10 : 0,
                clock: { clock.milliseconds },
                random: names.draw,
                onEvent: { event, notices in
                    mail.take(event, notices, from: place)
                    buyers.see(event, at: place)
                }
            )
            buyers.visit(simulator, of: twin.dialect, at: place)
            lines.append(SimulatedNetwork.Line(place: place, twin: twin, simulator: simulator))
        }
        let market = SimulatedMarket(twins)
        let random = RandomSource(SharedDice(dice.fork()).draw)
        try database.perform { session in try market.write(in: session, ids: IdentifierSource(random: random)) }
        return SimulatedWorld(plan, database, clock, trace, weather, mail, buyers, lines, market, random)
    }

    private init(
        _ plan: SimulationPlan,
        _ database: MemoryDatabase,
        _ clock: VirtualClock,
        _ trace: SimulationTrace,
        _ weather: SimulationWeather,
        _ mail: SimulatedMail,
        _ buyers: SimulatedBuyers,
        _ lines: [SimulatedNetwork.Line],
        _ market: SimulatedMarket,
        _ random: RandomSource
    ) {
        (self.clock, self.trace, self.database, currency) = (clock, trace, database, plan.currency)
        (self.weather, self.mail, self.buyers, self.lines) = (weather, mail, buyers, lines)
        (self.market, self.random) = (market, random)
        network = SimulatedNetwork(lines, clock, weather, trace)
        endpoints = SimulatedEndpoints(clock, weather, trace)
        rounds = SimulatedRounds(database)
        var rules = OrderTimings()
        if plan.isImpatient { rules.unknownScheduleMilliseconds = [1000, 5000, 20_000, 60_000] }
        settings = GatewaySettings(rules: rules, breakerFailures: plan.hasBreakers ? 8 : .max)
    }

    /// The orders that are not of the versions that are known.
    ///
    /// - Throws: `SQLError`.
    func orders(changedSince known: [OrderID: Int64]) throws -> [Order] {
        try database.look { session in
            let versions = try OrderSearch.versions(of: SimulatedMarket.marketplace, in: session)
            let changed = versions.filter { known[$0.key] != $0.value }.map(\.key).sorted()
            return changed.isEmpty ? [] : try OrderReader.load(changed, in: session)
        }
    }

    /// How many orders there are.
    ///
    /// - Throws: `SQLError`.
    func orderCount() throws -> Int {
        try database.look { session in try OrderSearch.versions(of: SimulatedMarket.marketplace, in: session).count }
    }

    /// Every order as it is stored, the oldest first.
    ///
    /// - Throws: `SQLError`.
    func orders() throws -> [Order] {
        try database.look { session in
            try OrderSearch.list(.init(marketplace: SimulatedMarket.marketplace), limit: 1000, in: session)
        }
        .sorted { $0.id.text < $1.id.text }
    }
}

/// Dice that several draw from.
private final class SharedDice: Sendable {
    private let dice: Mutex<SeededDice>

    init(_ dice: SeededDice) { self.dice = Mutex(dice) }

    var draw: @Sendable () -> UInt64 { { self.dice.withLock { $0.next() } } }
}
