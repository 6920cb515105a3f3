import ArgumentParser
import Domain
import PSPSimulator
import PostgresDatabase
import SQL
import SQLiteDatabase

/// `tributary bench orders`: how many orders a second, beside what the database can do at best.
struct BenchOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "Durable three-payment orders a second, and what the gateway adds to a PSP's time.",
        discussion: """
            Runs on throwaway databases of its own, or with --database on an empty one that you name.
            PostgreSQL: the gateway in process with a PSP that answers at once, beside pgbench running the same
            statements in the same pipelines over as many connections; and the same orders over HTTP with a simulated
            PSP. SQLite: many callers beside one. Then the latency at half load, and ten payments beside one.
            Takes about eight times --seconds.
            """
    )

    @Option(name: .long, help: ArgumentHelp("An empty PostgreSQL database to use.", valueName: "url"))
    var database: String?

    @Option(name: .long, help: "How many checkouts wait at the same time.")
    var callers = 32

    @Option(name: .long, help: "How long each measurement runs, in seconds.")
    var seconds = 5

    @Option(name: .long, help: "How many PostgreSQL connections.")
    var connections = 8

    @OptionGroup var format: FormatOption

    func validate() throws {
        guard (1...10_000).contains(callers), (1...600).contains(seconds), (1...64).contains(connections) else {
            throw ValidationError("--callers is 1 to 10000, --seconds 1 to 600, --connections 1 to 64")
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
        let url = database ?? cluster?.url ?? ""
        let postgres = try PostgresDatabase(url: url, connections: connections)
        let result = await Result { try await measure(postgres, url, &report) }
        await postgres.close()
        try result.get()
    }

    private func measure(_ postgres: PostgresDatabase, _ url: String, _ report: inout BenchReport) async throws {
        let stage = try await BenchStage(postgres, psp: .instant)
        Console.note("loading the tables…")
        _ = try await stage.load(callers: callers, seconds: max(2, seconds / 2))
        _ = try await postgres.runOutsideTransaction(SQL(stringLiteral: TransactionText.analyze))
        Console.note("orders on PostgreSQL, PSP at zero latency…")
        let orders = try await stage.load(callers: callers, seconds: seconds)
        Console.note("the same statements by pgbench…")
        let sample = try await stage.sample()
        let count = Int(orders.perSecond * Double(seconds))
        let pgbench = try Pgbench(url: url, connections: connections, transactions: count)
        let ceiling = try await pgbench.run(PgbenchScript(sample))
        report.add(orders, "postgres_orders_per_second")
        report.add("pgbench_orders_per_second", ceiling)
        report.add(ratio: "postgres_orders_to_pgbench", orders.perSecond / ceiling, atLeast: 0.7)
        Console.note("latency at half load…")
        let half = try await stage.load(callers: callers, seconds: seconds, perSecond: orders.perSecond / 2)
        report.add(half, latency: "overhead_at_half_load")
        Console.note("ten payments beside one, each PSP at 50 ms…")
        let slow = try await BenchStage(postgres, psp: .slow(milliseconds: 50))
        let one = try await slow.load(callers: 4, seconds: seconds, payments: 1)
        let ten = try await slow.load(callers: 4, seconds: seconds, payments: 10)
        report.add(ratio: "ten_payments_to_one", ten.percentile(50) / one.percentile(50), atMost: 1.15)
        Console.note("orders over HTTP with a simulated PSP…")
        let served = try await BenchService.load(postgres, callers: callers, seconds: seconds)
        report.add(served, "http_orders_per_second")
        report.add(ratio: "http_orders_to_pgbench", served.perSecond / ceiling, atLeast: 0.35)
    }

    private func measureSQLite(_ report: inout BenchReport) async throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let sqlite = try SQLiteDatabase(path: folder.path + "/bench.sqlite")
        let stage = try await BenchStage(sqlite, psp: .instant)
        Console.note("orders on SQLite, one caller, then 32…")
        let alone = try await stage.load(callers: 1, seconds: seconds)
        let many = try await stage.load(callers: 32, seconds: seconds)
        report.add(alone, "sqlite_orders_per_second_alone")
        report.add(many, "sqlite_orders_per_second_32_callers")
        report.add(ratio: "sqlite_32_callers_to_one", many.perSecond / alone.perSecond, atLeast: 2)
        try sqlite.close()
    }
}
