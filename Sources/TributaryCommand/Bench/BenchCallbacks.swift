import ArgumentParser
import PostgresDatabase
import SQL
import SQLiteDatabase

/// `tributary bench callbacks`: how long callbacks take to healthy endpoints, alone and beside others in trouble.
struct BenchCallbacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "callbacks",
        abstract: "How long callbacks take to arrive at healthy endpoints, undisturbed and beside others in trouble.",
        discussion: """
            Runs on throwaway databases of its own, or with --database on an empty PostgreSQL that you name, over HTTP
            on this machine. Writes callbacks down at a steady rate and measures how long each takes from its commit to
            its endpoint. First undisturbed; then the same, with as many callbacks for endpoints that hang, close early,
            answer 500, 301, 410 or 429, or write for ever. Both three times, by turns. Takes about thirteen times --seconds.
            """
    )

    /// What trouble elsewhere may lengthen the healthy ones' times to.
    private static let bar = 2.0
    private static let rounds = 3

    @Option(name: .long, help: ArgumentHelp("An empty PostgreSQL database to use.", valueName: "url"))
    var database: String?

    @Option(name: .long, help: "How many healthy endpoints.")
    var healthy = 16

    @Option(name: .long, help: "How many endpoints in each of seven kinds of trouble.")
    var troubled = 8

    @Option(name: .long, help: "How many callbacks a second for healthy endpoints.")
    var rate = 40

    @Option(name: .long, help: "How long each measurement runs, in seconds.")
    var seconds = 5

    @Option(name: .long, help: "How many PostgreSQL connections.")
    var connections = 8

    @OptionGroup var format: FormatOption

    func validate() throws {
        guard (1...10_000).contains(healthy), (1...1000).contains(troubled), (1...10_000).contains(rate),
            (1...600).contains(seconds), (1...64).contains(connections)
        else {
            throw ValidationError(
                "--healthy and --rate are 1 to 10000, --troubled 1 to 1000, --seconds 1 to 600, --connections 1 to 64"
            )
        }
    }

    func run() async throws {
        var report = BenchReport()
        try await measurePostgres(&report)
        try await measureSQLite(&report)
        format.write(report.table, json: report.json)
        if let missed = report.missed { Console.note(missed) }
    }

    private func measurePostgres(_ report: inout BenchReport) async throws {
        let cluster = database == nil ? try await ThrowawayCluster.start(.durable) : nil
        defer { cluster?.stop() }
        let postgres = try PostgresDatabase(url: database ?? cluster?.url ?? "", connections: connections)
        let result = await Result { try await measure(postgres, "postgres", "PostgreSQL", &report) }
        await postgres.close()
        try result.get()
    }

    private func measureSQLite(_ report: inout BenchReport) async throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let sqlite = try SQLiteDatabase(path: folder.path + "/bench.sqlite")
        let result = await Result { try await measure(sqlite, "sqlite", "SQLite", &report) }
        try sqlite.close()
        try result.get()
    }

    private func measure(
        _ database: some Database,
        _ name: String,
        _ title: String,
        _ report: inout BenchReport
    ) async throws {
        let figures = try await BenchEndpoints.serving { endpoints, url in
            let stage = try await CallbackStage(
                database,
                endpoints,
                at: url,
                healthy: healthy,
                ofEachTrouble: troubled
            )
            let load = (seconds: seconds, perSecond: Double(rate))
            Console.note("callbacks on \(title), warming up…")
            _ = try await stage.latencies(seconds: max(1, load.seconds / 2), perSecond: load.perSecond)
            var (alone, beside): ([Double], [Double]) = ([], [])
            for round in 1...Self.rounds {
                Console.note("callbacks on \(title), undisturbed, then disturbed (\(round) of \(Self.rounds))…")
                alone += try await stage.latencies(seconds: load.seconds, perSecond: load.perSecond)
                beside += try await stage.latencies(
                    seconds: load.seconds,
                    perSecond: load.perSecond,
                    isDisturbed: true
                )
            }
            let whole = Double(Self.rounds * load.seconds)
            return (
                alone: LoadResult(latencies: alone, seconds: whole),
                beside: LoadResult(latencies: beside, seconds: whole), tries: endpoints.triesAtTroubled
            )
        }
        report.add(figures.alone, latency: "\(name)_undisturbed")
        report.add(figures.beside, latency: "\(name)_disturbed")
        report.add("\(name)_callbacks_per_second", figures.beside.perSecond)
        report.add("\(name)_tries_at_endpoints_in_trouble", Double(figures.tries))
        for percent in [50.0, 99] {
            report.add(
                ratio: "\(name)_disturbed_to_undisturbed_p\(Int(percent))",
                figures.beside.percentile(percent) / figures.alone.percentile(percent),
                atMost: Self.bar
            )
        }
    }
}
