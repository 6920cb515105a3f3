import ArgumentParser
import Simulation

/// `tributary simulate`.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate the whole gateway, seed after seed, and hold it to its rules.",
        discussion: """
            Each seed makes a world of its own: instances that die and stand still, a database that fails, PSPs with books
            of their own in their own wire formats, networks that lose and delay, webhooks that come late, twice or never,
            checkouts that repeat themselves, people in PSPs' portals. Time is virtual, everything runs on one thread, and
            the seed determines all of it: the same seed does the same again. At the end the gateway and the PSPs have to
            agree to the unit.

            A seed that fails is printed with the fewest happenings that still make it fail. Exit codes: 0 no seed failed,
            1 some did.

            Examples:
              tributary simulate --seeds 1000
              tributary simulate --seed 4711 --trace
            """
    )

    @Option(name: .long, help: "How many seeds to try.")
    var seeds: UInt64 = 1

    @Option(name: .long, help: "The first seed.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "How long things happen in a run at the most, in minutes of virtual time.")
    var minutes: Int64?

    @Flag(name: .long, help: "Print everything that happens.")
    var trace = false

    @Flag(name: .long, help: "Print what orders were told, and where they stood; debug builds only.")
    var transitions = false

    @Option(
        name: .long,
        help: ArgumentHelp("Plant an error, and stop at the first seed that finds it.", valueName: "bug")
    )
    var plant: PlantedBug?

    func validate() throws {
        guard seeds > 0, seeds <= UInt64.max - seed else { throw ValidationError("--seeds is at least 1") }
        if let minutes, minutes < 1 { throw ValidationError("--minutes is at least 1") }
    }

    func run() async throws {
        try SameHashing.require()
        let simulation = try await Simulation(planting: plant, minutes: minutes)
        let failed = try SimulatedTransitions.telling(transitions) {
            try Self.run(simulation, from: seed, count: seeds, isTraced: trace, stopsAtFirst: plant != nil)
        }
        if failed > 0 { throw ExitCode(1) }
    }

    /// How many failing seeds are run again with ever fewer happenings; of the others the complaints have to do.
    private static let shrunkenLimit = 3

    /// Simulates seeds one after the other, without awaiting anything, and answers how many failed.
    private static func run(
        _ simulation: Simulation,
        from first: UInt64,
        count: UInt64,
        isTraced: Bool,
        stopsAtFirst: Bool
    ) throws -> UInt64 {
        let begin = ContinuousClock.now
        var (failed, orders, happenings) = (UInt64(0), 0, 0)
        var tried: UInt64 = 0
        for seed in first..<first + count {
            tried += 1
            let verdict = try simulation.verdict(seed: seed, isTraced: isTraced)
            orders += verdict.orders
            happenings += verdict.happenings
            for line in verdict.trace { Console.out(line) }
            guard !verdict.complaints.isEmpty else { continue }
            failed += 1
            Console.out("seed \(seed) failed: \(verdict.complaints.joined(separator: "; "))")
            guard !isTraced, failed <= Self.shrunkenLimit else { continue }
            let shrunken = try simulation.shrunkenVerdict(seed: seed)
            Console.out("  the fewest happenings that still make it fail:")
            for line in shrunken.trace { Console.out("  " + line) }
            for complaint in shrunken.complaints { Console.out("  wrong: " + complaint) }
            Console.out("  again: tributary simulate --seed \(seed) --trace")
            if stopsAtFirst { break }
        }
        let seconds = max(0.001, (ContinuousClock.now - begin) / .seconds(1))
        let rate = (Double(tried) / seconds * 10).rounded() / 10
        Console.note(
            "\(tried) seeds, \(orders) orders, \(happenings) happenings in \((seconds * 10).rounded() / 10) s: "
                + "\(rate) seeds a second; \(failed) failed"
        )
        return failed
    }
}

extension PlantedBug: ExpressibleByArgument {}
