import ArgumentParser
import HTTPTransport
import PostgresDatabase
import SQLiteDatabase

/// `tributary bench overload`: what becomes of orders that come faster than they can be served.
struct BenchOverload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overload",
        abstract: "Orders at four times what can be served, and at a PSP that hangs.",
        discussion: """
            For each database, with the gateway in a process of its own and a simulated PSP, all on this machine: first as
            many three-payment orders as go (closed loop), then four times as many a second, whether or not earlier ones
            were answered (open loop), then --hanging orders at that rate at a PSP that takes requests and never answers.
            Refusals are 503; what is accepted keeps its deadline; no order may fail because a queue of ours was full.
            Takes about two minutes and ends by itself.
            """
    )

    /// What an order waits unless it says otherwise, and what its answer may take beyond that, in milliseconds.
    private static let deadline = 20_000.0
    private static let margin = 2500.0
    private static let callers = 64
    private static let factor = 4.0

    @Option(name: .long, help: "How long each load runs, in seconds.")
    var seconds = 10

    @Option(name: .long, help: "How many orders go to the PSP that hangs.")
    var hanging = 1500

    @OptionGroup var format: FormatOption

    func validate() throws {
        guard (1...120).contains(seconds), (1...20_000).contains(hanging) else {
            throw ValidationError("--seconds is 1 to 120, --hanging 1 to 20000")
        }
    }

    func run() async throws {
        var rows: [Row] = []
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let path = folder.path + "/overload.sqlite"
        rows += try await ServedStage.with("sqlite:" + path) {
            try SQLiteDatabase(path: path)
        } closing: {
            try $0.close()
        } _: {
            try await measure($0, "sqlite")
        }
        let cluster = try await ThrowawayCluster.start(.durable)
        defer { cluster.stop() }
        rows += try await ServedStage.with(cluster.url) {
            try PostgresDatabase(url: cluster.url, connections: 4)
        } closing: {
            await $0.close()
        } _: {
            try await measure($0, "postgres")
        }
        let table = Self.table(rows)
        format.write(table, json: table.json)
        for row in rows where row.isMissed { Console.note("missed: \(row.database) \(row.load)") }
    }

    private func measure(_ stage: ServedStage, _ database: String) async throws -> [Row] {
        let client = stage.client
        Console.note("\(database): as many orders as go…")
        let capacity = try await OrderLoad(callers: Self.callers, seconds: seconds, perSecond: nil).run {
            _ = await client.send(stage.order())
        }.perSecond
        Console.note("\(database): four times as many…")
        let rate = capacity * Self.factor
        let over = try await OpenLoad(count: Int(rate * Double(seconds)), perSecond: rate).run(over: client) {
            stage.order()
        }
        let first = Row(database, "4 x \(Int(capacity))/s", over, stage.peakMegabytes)
        Console.note("\(database): \(hanging) orders at a PSP that hangs…")
        let hung = try await OpenLoad(count: hanging, perSecond: rate).run(over: client) {
            stage.order(token: "tok_never")
        }
        return [first, Row(database, "PSP hangs", hung, stage.peakMegabytes)]
    }

    private static func table(_ rows: [Row]) -> Table {
        let columns = [
            "database", "load", "offered", "accepted", "refused", "refused_within_100_ms", "refusal_p50_ms",
            "refusal_p99_ms", "accepted_p99_ms", "failed_by_us", "lost", "peak_mb",
        ]
        return rows.reduce(into: Table(columns: columns)) { table, row in
            let result = row.result
            let counts = [result.offered, result.accepted, result.refused, result.refusedInTime]
            let times = [result.refusal(50), result.refusal(99), result.acceptance(99)].map { Int($0.rounded()) }
            let figures = counts + times + [row.failed, result.lost, row.megabytes]
            table.add([.text(row.database), .text(row.load)] + figures.map { .integer(Int64($0)) })
        }
    }

    /// One load on one database.
    private struct Row {
        let database: String
        let load: String
        let result: OverloadResult
        let failed: Int
        let megabytes: Int

        init(_ database: String, _ load: String, _ result: OverloadResult, _ megabytes: Double) {
            self.database = database
            self.load = load
            self.result = result
            self.megabytes = Int(megabytes)
            failed = result.failedByUs(before: deadline)
        }

        /// Whether an order failed for our own sake, or something was answered too late.
        var isMissed: Bool {
            failed > 0 || result.acceptance(99) > deadline + margin
                || result.refusal(99) > OverloadResult.refusalBar
        }
    }
}
