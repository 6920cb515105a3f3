import Domain
import Foundation
import PSPSimulator
import SeededRandom
import Testing
import TributaryTestKit

/// Two gateways, PostgreSQL with a synchronous standby and two PSPs, to which everything is done that happens in operations.
///
/// `TRIBUTARY_SOAK_MINUTES` says for how long; without it nothing is soaked. `TRIBUTARY_SOAK_SEED` says what is done.
@Suite("A marketplace to which everything happens")
struct SoakTests {
    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    private static let minutes = variable("TRIBUTARY_SOAK_MINUTES")
    private static let seed = variable("TRIBUTARY_SOAK_SEED") ?? UInt64.random(in: 0 ... .max)
    private static let buyers = 6
    private static let diskMebibytes = 400

    @Test(
        "loses nothing that it acknowledged, doubles nothing, and its books agree with its PSPs'",
        .enabled(if: minutes != nil, "for whoever asks: TRIBUTARY_SOAK_MINUTES"),
        .timeLimit(.minutes(Int(minutes ?? 1) + 10))
    )
    func soak() async throws {
        let log = SoakLog()
        log.tell("TRIBUTARY_SOAK_SEED=\(Self.seed), \(Self.minutes ?? 0) minutes")
        try await withSimulators(2) { simulators in
            try await Self.withLinks(to: simulators) { links in
                try await Self.withDisks { folders, disks in
                    try await ReplicatedPostgres.with(in: folders) { postgres in
                        try await Self.soak(simulators, links, postgres, disks, log)
                    }
                }
            }
        }
    }

    private static func soak(
        _ simulators: [RunningSimulator],
        _ links: [FaultyLink],
        _ postgres: ReplicatedPostgres,
        _ disks: [SmallDisk],
        _ log: SoakLog
    ) async throws {
        let bazaar = Bazaar(baseURLs: links.map { "http://127.0.0.1:\($0.port)" })
        let location = DatabaseLocation.postgres(url: postgres.url)
        try await location.withOpen { try await bazaar.template().prepare($0) }
        try await TemporaryFolder.with { folder in
            let clocks = [
                try await SetClock(folder.path("clock-0")), try await SetClock(folder.path("clock-1")),
            ]
            let environment = { @Sendable number in clocks[number].environment }
            try await Fleet.with(
                2,
                of: bazaar,
                on: location,
                patience: .short,
                descriptors: 4096,
                environment: environment
            ) { fleet in
                let stage = SoakStage(
                    fleet: fleet,
                    postgres: postgres,
                    links: links,
                    disks: disks,
                    clocks: clocks,
                    log: log
                )
                try await CheckoutClient.with { client in
                    let crowd = SoakCrowd(bazaar, fleet, client)
                    try await shop(crowd, stage)
                    log.tell(crowd.summary)
                    #expect(crowd.wrong == [])
                    try await BooksAtRest.check(crowd.receipts, location, simulators)
                    try await tellBooks(location, simulators, log)
                    try await verify(location, bazaar, log)
                }
            }
        }
    }

    /// Has a crowd shop while everything is done to the marketplace, and lets it finish once nothing is wrong any more.
    private static func shop(_ crowd: SoakCrowd, _ stage: SoakStage) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await crowd.shop(buyers: buyers) }
            group.addTask {
                defer { crowd.close() }
                var random = SeededRandom(seed: seed)
                let end = ContinuousClock.now + .seconds(60 * Int64(minutes ?? 0))
                var deck: [SoakFault] = []
                while ContinuousClock.now < end {
                    // Each comes once before any comes again.
                    if deck.isEmpty { deck = SoakFault.allCases.shuffled(using: &random) }
                    let fault = deck.removeLast()
                    stage.log.tell(fault.rawValue)
                    try await stage.strike(fault, &random)
                    try await Task.sleep(for: .milliseconds(300 + random.below(1200)))
                }
                try await stage.heal()
                stage.log.tell("nothing is wrong any more")
            }
            try await group.waitForAll()
        }
    }

    /// Tells the sums of the books and of the PSPs', which were compared payment by payment.
    private static func tellBooks(
        _ location: DatabaseLocation,
        _ simulators: [RunningSimulator],
        _ log: SoakLog
    ) async throws {
        let orders = try await location.withOpen { try await LedgerCheck.orders(in: $0) }
        let statuses = Dictionary(grouping: orders, by: \.status.rawValue).sorted { $0.key < $1.key }
        log.tell("orders: " + statuses.map { "\($0.value.count) \($0.key)" }.joined(separator: ", "))
        let payments = orders.flatMap(\.payments)
        func ours(_ part: (Payment) -> Int64) -> Int64 { payments.reduce(0) { $0 + part($1) } }
        log.tell("ours: \(ours(\.held)) held, \(ours(\.captured)) captured, \(ours(\.refunded)) given back")
        let theirs = await PSPBooks.read(simulators).accounts.values.joined()
        func sum(_ part: (Authorization) -> Int64) -> Int64 { theirs.reduce(0) { $0 + part($1) } }
        log.tell("theirs: \(sum(\.held)) held, \(sum(\.captured)) captured, \(sum(\.refunded)) given back")
    }

    /// Has the product look at its books.
    private static func verify(_ location: DatabaseLocation, _ bazaar: Bazaar, _ log: SoakLog) async throws {
        var environment = bazaar.environment
        environment["TRIBUTARY_DATABASE_URL"] = location.text
        let verified = try await Programs.with { [environment] programs in
            let program = try programs.start(.tributary, ["ledger", "verify"], environment: environment)
            return try await Finished(program, within: .seconds(120))
        }
        #expect(verified.status == 0, "\(verified.out)\(verified.err)")
        let said = (verified.out + verified.err).split(separator: "\n").suffix(6)
        log.tell("ledger verify: exit code \(verified.status)")
        for line in said { log.tell("  \(line)") }
    }

    private static func withLinks(
        to simulators: [RunningSimulator],
        _ body: ([FaultyLink]) async throws -> Void
    ) async throws {
        let links = try simulators.map { simulator in
            let port = simulator.baseURL.split(separator: ":").last.flatMap { UInt16($0) }
            return try FaultyLink(to: #require(port))
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(links)) } catch { result = .failure(error) }
        for link in links { link.stop() }
        try result.get()
    }

    /// Two small disks, or two folders where none can be mounted.
    private static func withDisks(_ body: ([String], [SmallDisk]) async throws -> Void) async throws {
        guard await SmallDisk.canBeMounted() else {
            return try await TemporaryFolder.with { one in
                try await TemporaryFolder.with { other in try await body([one.url.path, other.url.path], []) }
            }
        }
        try await SmallDisk.with(mebibytes: diskMebibytes) { one in
            try await SmallDisk.with(mebibytes: diskMebibytes) { other in
                try await body([one.path, other.path], [one, other])
            }
        }
    }
}
