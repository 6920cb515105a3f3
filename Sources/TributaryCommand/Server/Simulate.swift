import ArgumentParser
import Domain
import Foundation
import Simulation

/// `tributary simulate`.
struct Simulate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate the whole gateway, seed after seed, and hold it to its rules.",
        discussion: """
            Each seed makes a world of its own: instances that die and stand still, a database that fails, PSPs with books
            of their own in their own wire formats, networks that lose and delay, webhooks that come late, twice or never,
            endpoints that fail, checkouts that repeat themselves, people in PSPs' portals. Time is virtual, everything
            runs on one thread, and the seed determines all of it: the same seed does the same again. At the end the
            gateway and the PSPs have to agree to the unit.

            A seed that fails is printed with the fewest happenings that still make it fail. With --plants each of the
            mistakes that can be planted is looked for; a line says how many seeds and seconds that took. Only a build for
            debugging can plant any. Exit codes: 0 no seed failed, or each mistake was found, 1 otherwise.

            Examples:
              tributary simulate --seeds 1000
              tributary simulate --seed 4711 --trace
              tributary simulate --seeds 1000 --happenings 60
              tributary simulate --plants --seeds 500
            """
    )

    @Option(name: .long, help: "How many seeds to try.")
    var seeds: UInt64 = 1

    @Option(name: .long, help: "The first seed.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "How long things happen in a run at the most, in minutes of virtual time.")
    var minutes: Int64?

    @Option(name: .long, help: "How many things happen in a run, 4 to 1000; as each seed has it unless said.")
    var happenings: Int64?

    @Flag(name: .long, help: "Print everything that happens.")
    var trace = false

    @Flag(name: .long, help: "Print what orders were told, and where they stood; debug builds only.")
    var transitions = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Plant a mistake, and stop at the first seed that finds it; several are planted in turn.",
            valueName: "bug"
        )
    )
    var plant: [PlantedBug] = []

    @Flag(name: .long, help: "Plant each mistake in turn, and say what it takes to find it.")
    var plants = false

    @Option(name: .long, help: "How many processes share the work; as many as there are processors unless said.")
    var workers: UInt64?

    @Option(name: .long, help: ArgumentHelp("Which of the processes this is.", visibility: .private))
    var worker: UInt64?

    func validate() throws {
        guard seeds > 0, seeds <= UInt64.max - seed else { throw ValidationError("--seeds is at least 1") }
        if let minutes, minutes < 1 { throw ValidationError("--minutes is at least 1") }
        guard 4...1000 ~= happenings ?? 4 else { throw ValidationError("--happenings is 4 to 1000") }
        guard 1...1000 ~= workers ?? 1 else { throw ValidationError("--workers is 1 to 1000") }
        guard !plants || plant.isEmpty else {
            throw ValidationError("--plants plants every mistake, --plant the one it names")
        }
    }

    func run() async throws {
        let begin = ContinuousClock.now
        let tally: SimulationTally
        if let worker {
            tally = try await share(of: worker, among: workers ?? 1)
            Console.out(tally.text)
        } else {
            let count = min(workers ?? Self.processors, inTurn.isEmpty ? seeds : UInt64(inTurn.count))
            let isShared = count > 1 && !trace && !transitions && plant.count != 1
            tally =
                try await isShared
                ? SimulationWorkers(count: count).run(Array(CommandLine.arguments.dropFirst()))
                : share(of: 0, among: 1)
            Console.note(tally.summary(after: ContinuousClock.now - begin))
        }
        if tally.failed > 0 { throw ExitCode(1) }
    }

    /// The mistakes that are planted in turn; none if seeds are simulated as they are, or with a single one.
    private var inTurn: [PlantedBug] { plants ? PlantedBug.allCases : plant.count > 1 ? plant : [] }

    /// What makes of a seed what it is here, as options.
    private var limits: String {
        [minutes.map { " --minutes \($0)" }, happenings.map { " --happenings \($0)" }].compactMap(\.self).joined()
    }

    private static var processors: UInt64 { UInt64(ProcessInfo.processInfo.activeProcessorCount) }

    /// Does one of so many equal parts of the work in this process.
    private func share(of worker: UInt64, among workers: UInt64) async throws -> SimulationTally {
        try SimulationProcess.require()
        guard !inTurn.isEmpty else {
            let simulation = try await Simulation(planting: plant.first, minutes: minutes, happenings: happenings)
            return try SimulatedTransitions.telling(transitions) {
                try Self.run(
                    simulation,
                    stride(from: seed + worker, to: seed + seeds, by: Int(workers)),
                    isTraced: trace,
                    stopsAtFirst: !plant.isEmpty,
                    limits: limits
                )
            }
        }
        var tally = SimulationTally()
        for (place, bug) in inTurn.enumerated() where UInt64(place) % workers == worker {
            let simulation = try await Simulation(planting: bug, minutes: minutes, happenings: happenings)
            tally.add(try Self.find(bug, in: simulation, seed..<seed + seeds))
        }
        return tally
    }

    /// How many failing seeds are run again with ever fewer happenings; of the others the complaints have to do.
    private static let shrunkenLimit = 3

    /// Simulates seeds one after the other, without awaiting anything.
    private static func run(
        _ simulation: Simulation,
        _ seeds: some Sequence<UInt64>,
        isTraced: Bool,
        stopsAtFirst: Bool,
        limits: String
    ) throws -> SimulationTally {
        var tally = SimulationTally()
        for seed in seeds {
            let verdict = try simulation.verdict(seed: seed, isTraced: isTraced)
            tally.add(verdict)
            for line in verdict.trace { Console.out(line) }
            guard !verdict.complaints.isEmpty else { continue }
            tally.failed += 1
            var lines = ["seed \(seed) failed: \(verdict.complaints.joined(separator: "; "))"]
            if !isTraced, tally.failed <= Self.shrunkenLimit {
                let shrunken = try simulation.shrunkenVerdict(seed: seed)
                lines.append("  the fewest happenings that still make it fail:")
                lines += shrunken.trace.map { "  " + $0 } + shrunken.complaints.map { "  wrong: " + $0 }
                lines.append("  again: tributary simulate --seed \(seed)\(limits) --trace")
            }
            Console.out(lines.joined(separator: "\n"))
            if stopsAtFirst { break }
        }
        return tally
    }

    /// Looks for a planted mistake, and says what that took.
    private static func find(
        _ bug: PlantedBug,
        in simulation: Simulation,
        _ seeds: Range<UInt64>
    ) throws -> SimulationTally {
        let begin = ContinuousClock.now
        var tally = SimulationTally()
        for seed in seeds {
            let verdict = try simulation.verdict(seed: seed)
            tally.add(verdict)
            guard let complaint = verdict.complaints.first else { continue }
            let seconds = SimulationTally.seconds(ContinuousClock.now - begin)
            Console.out("\(bug.rawValue): \(tally.seeds) seeds, \(seconds) s: \(complaint)")
            return tally
        }
        tally.failed = 1
        Console.out("\(bug.rawValue): not found in \(tally.seeds) seeds")
        return tally
    }
}

extension PlantedBug: ExpressibleByArgument {}

/// What was simulated, counted.
struct SimulationTally {
    /// How many seeds.
    var seeds: UInt64 = 0
    /// How many orders were placed in them.
    var orders = 0
    /// How many things happened.
    var happenings = 0
    /// How many seeds failed, or mistakes were not found.
    var failed: UInt64 = 0

    private static let word = "tally"

    /// Nothing yet.
    init() {}

    /// Reads what ``text`` writes; nil if it is another line.
    init?(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 5, words[0] == Self.word, let seeds = UInt64(words[1]), let orders = Int(words[2]),
            let happenings = Int(words[3]), let failed = UInt64(words[4])
        else { return nil }
        (self.seeds, self.orders, self.happenings, self.failed) = (seeds, orders, happenings, failed)
    }

    /// For the process that started this one.
    var text: String { "\(Self.word) \(seeds) \(orders) \(happenings) \(failed)" }

    /// Adds a seed that may have failed.
    mutating func add(_ verdict: Simulation.Verdict) {
        seeds += 1
        orders += verdict.orders
        happenings += verdict.happenings
    }

    /// Adds another process's.
    mutating func add(_ other: SimulationTally) {
        seeds += other.seeds
        orders += other.orders
        happenings += other.happenings
        failed += other.failed
    }

    /// A sentence for people.
    func summary(after time: Duration) -> String {
        let rate = (Double(seeds) / max(0.001, time / .seconds(1)) * 10).rounded() / 10
        return "\(seeds) seeds, \(orders) orders, \(happenings) happenings in \(Self.seconds(time)) s: "
            + "\(rate) seeds a second; \(failed) failed"
    }

    /// Seconds with one digit behind the point.
    static func seconds(_ time: Duration) -> Double { (time / .seconds(1) * 10).rounded() / 10 }
}

/// Processes that share the seeds, each of which simulates on a thread of its own.
struct SimulationWorkers {
    private static let executable = "/proc/self/exe"

    /// How many.
    let count: UInt64

    /// Runs the same command in all of them, and passes on what they print.
    ///
    /// - Throws: ``CommandFailure`` if one cannot be started, or ends without saying what it did.
    func run(_ arguments: [String]) async throws -> SimulationTally {
        try await withThrowingTaskGroup(of: SimulationTally.self) { group in
            for worker in 0..<count {
                let process = try ChildProcess(
                    try FileManager.default.destinationOfSymbolicLink(atPath: Self.executable),
                    arguments + ["--workers", "\(count)", "--worker", "\(worker)"],
                    environment: ProcessInfo.processInfo.environment,
                    hearing: .output
                )
                group.addTask {
                    var tally: SimulationTally?
                    for await line in process.lines {
                        if let told = SimulationTally(line) { tally = told } else { Console.out(line) }
                    }
                    let code = await process.ended()
                    guard let tally else {
                        throw CommandFailure.unusable("a process that simulated ended with the exit code \(code)")
                    }
                    return tally
                }
            }
            var whole = SimulationTally()
            for try await tally in group { whole.add(tally) }
            return whole
        }
    }
}
