import ArgumentParser
import Domain
import Keyring
import PostgresDatabase
import SQL
import SQLiteDatabase
import Storage

/// `tributary bench orders`: how many orders a second, beside what the database can do at best.
struct BenchOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "Durable three-payment orders a second, and what the gateway adds to a PSP's time.",
        discussion: """
            Runs on throwaway databases of its own, or with --database on an empty one that you name.
            PostgreSQL: the gateway in process with a PSP that answers at once, beside pgbench over as many connections,
            once with the same statements in the same pipelines and once with the floor: the least that a durable order of
            three payments has to leave behind. What an order costs in rows, bytes, statements and processor time, the
            latency at half load, ten payments beside one; and orders over HTTP, gateway and simulated PSP each in a
            process of its own. Two gateways on the database beside one. A gateway that is killed (SIGKILL) with
            --in-flight orders in hand at a PSP that hangs: how long after their lease another one has them all in hand,
            and what became of new orders meanwhile. SQLite: many callers beside one. Takes about eleven times --seconds
            and a lease: 47 seconds, and one more for each hundred of --in-flight.

            With --stored, how orders and questions fare as finished orders pile up: for each size the database is
            filled by copying a few orders that were placed, over 90 days and a thousand merchants, and its books are
            rolled up; then orders are placed beside the fewest, and a merchant's statement of a day, a merchant's
            balance, lists of orders, and the claim of due work are timed. --plans prints the plans. Filling writes some
            thousands of orders a second, of some six kilobytes each.

            Examples:
              tributary bench orders --in-flight 10000
              tributary bench orders --stored 10000,1000000,10000000 --plans 2> plans.txt
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

    @Option(name: .long, help: "How many orders are in flight as a gateway is killed.")
    var inFlight = 1000

    @Option(name: .long, help: ArgumentHelp("How many finished orders to measure beside.", valueName: "n,n,…"))
    var stored: String?

    @Flag(name: .long, help: "With --stored, print the plan of each question to standard error.")
    var plans = false

    @OptionGroup var format: FormatOption

    private var sizes: [Int64] { stored.flatMap { MeasuredGrowth.sizes($0) } ?? [] }

    func validate() throws {
        guard (1...10_000).contains(callers), (1...600).contains(seconds), (1...64).contains(connections) else {
            throw ValidationError("--callers is 1 to 10000, --seconds 1 to 600, --connections 1 to 64")
        }
        guard (1...10_000).contains(inFlight) else { throw ValidationError("--in-flight is 1 to 10000") }
        if let stored, MeasuredGrowth.sizes(stored) == nil {
            throw ValidationError("--stored is a list of numbers such as 10000,1000000, each up to a billion")
        }
        if plans, stored == nil { throw ValidationError("--plans goes with --stored") }
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
        let secret = Keyring.makeKey()
        let postgres = try PostgresDatabase(url: url, connections: connections)
        let result = await Result {
            let stage = try await BenchStage(postgres, psp: .instant, keyring: Self.keyring(secret))
            let floor = try await measure(stage, postgres, url, cluster?.processID, &report)
            let slow = try await BenchStage(postgres, psp: .slow(milliseconds: 50), keyring: Self.keyring(secret))
            try await compareTen(slow, &report)
            return floor
        }
        await postgres.close()
        try await measureServed(url, secret, floor: result.get(), &report)
        Console.note("\(inFlight) orders at a PSP that hangs, and a gateway that is killed…")
        try await RestartMeasurement(url: url, secret: secret, orders: inFlight).run(&report)
        try await GrowthMeasurement(
            url: url,
            secret: secret,
            sizes: sizes,
            callers: callers,
            seconds: seconds,
            connections: connections,
            showsPlans: plans,
            isLocal: database == nil
        ).run(&report)
    }

    /// Measures the gateway in process, beside pgbench with its statements and with the floor's.
    ///
    /// - Returns: the orders a second that the floor allows.
    private func measure(
        _ stage: BenchStage,
        _ postgres: PostgresDatabase,
        _ url: String,
        _ server: Int32?,
        _ report: inout BenchReport
    ) async throws -> Double {
        Console.note("loading the tables…")
        _ = try await stage.load(callers: callers, seconds: max(2, seconds))
        // Orders of a server that has run for longer take the room that as many before them left.
        _ = try await postgres.runOutsideTransaction(SQL(stringLiteral: TransactionText.vacuum))
        Console.note("orders on PostgreSQL, PSP at zero latency…")
        let meter = DatabaseMeter(postgres, connections: connections, server: server)
        let before = try await meter.read()
        let orders = try await stage.load(callers: callers, seconds: seconds)
        let cost = try await meter.read() - before
        report.add(orders, "postgres_orders_per_second")
        for (name, value, bar) in cost.figures(over: orders.count) {
            if let bar { report.add(ratio: name, value, atMost: bar) } else { report.add(name, value) }
        }
        let sample = try await stage.sample()
        report.add("statements_an_order", Double(sample.reduce(0) { $0 + $1.statements }))
        report.add("round_trips_an_order", Double(sample.reduce(0) { $0 + $1.roundTrips }))
        Console.note("the same statements by pgbench, and the floor…")
        let count = Int(orders.perSecond * Double(seconds))
        let statements = try await pgbench(url, count).run(PgbenchScript(sample))
        try await postgres.write { session in
            for statement in MeasuredFloor.schema { try session.run(statement) }
        }
        let floor = try await pgbench(url, count * 2).run(PgbenchScript(text: MeasuredFloor.script))
        report.add("pgbench_orders_per_second", statements)
        report.add("floor_orders_per_second", floor)
        report.add(ratio: "postgres_orders_to_floor", orders.perSecond / floor, atLeast: 0.5)
        Console.note("latency at half load…")
        let half = try await stage.load(callers: callers, seconds: seconds, perSecond: orders.perSecond / 2)
        report.add(half, latency: "overhead_at_half_load", bars: [50: 3, 99: 15])
        return floor
    }

    private func pgbench(_ url: String, _ transactions: Int) throws -> Pgbench {
        try Pgbench(url: url, connections: connections, transactions: transactions)
    }

    private func compareTen(_ stage: BenchStage, _ report: inout BenchReport) async throws {
        Console.note("ten payments beside one, each PSP at 50 ms…")
        let one = try await stage.load(callers: 4, seconds: seconds, payments: 1)
        let ten = try await stage.load(callers: 4, seconds: seconds, payments: 10)
        report.add(ratio: "ten_payments_to_one", ten.percentile(50) / one.percentile(50), atMost: 1.15)
    }

    /// Measures a gateway and a simulated PSP in processes of their own, over HTTP.
    private func measureServed(
        _ url: String,
        _ secret: Secret,
        floor: Double,
        _ report: inout BenchReport
    ) async throws {
        Console.note("orders over HTTP with a simulated PSP…")
        let (served, spent, figures) = try await ServedStage.with(url, secret: secret) {
            try PostgresDatabase(url: url, connections: 2)
        } closing: {
            await $0.close()
        } _: { stage in
            let before = stage.processorMilliseconds
            let load = OrderLoad(callers: callers, seconds: seconds, perSecond: nil)
            let result = try await load.run { try await stage.place() }
            let spent = stage.processorMilliseconds - before
            Console.note("two gateways beside one…")
            let pair = TwoInstances(stage: stage, url: url, callers: callers, seconds: seconds)
            return (result, spent, try await pair.measure())
        }
        report.add(served, "http_orders_per_second")
        report.add(ratio: "http_orders_to_floor", served.perSecond / floor, atLeast: 0.3)
        report.add(ratio: "http_gateway_processor_ms_an_order", spent / Double(max(1, served.count)), atMost: 2)
        figures.add(to: &report)
    }

    private func measureSQLite(_ report: inout BenchReport) async throws {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let sqlite = try SQLiteDatabase(path: folder.path + "/bench.sqlite")
        let stage = try await BenchStage(sqlite, psp: .instant, keyring: Self.keyring(Keyring.makeKey()))
        Console.note("orders on SQLite, one caller, then 32…")
        let alone = try await stage.load(callers: 1, seconds: seconds)
        let many = try await stage.load(callers: 32, seconds: seconds)
        report.add(alone, "sqlite_orders_per_second_alone")
        report.add(many, "sqlite_orders_per_second_32_callers")
        report.add(ratio: "sqlite_32_callers_to_one", many.perSecond / alone.perSecond, atLeast: 2.5)
        try sqlite.close()
    }

    private static func keyring(_ secret: Secret) throws -> Keyring {
        try Keyring(current: "k1", keys: ["k1": secret])
    }
}
