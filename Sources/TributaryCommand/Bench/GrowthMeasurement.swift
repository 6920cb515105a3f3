import Domain
import Foundation
import Keyring
import PostgresDatabase
import SQL
import Storage

/// How fast orders are placed and questions answered as finished orders pile up.
struct GrowthMeasurement {
    /// What a question may take, in milliseconds.
    private static let queryBar = 50.0
    /// By how much orders may be slower than beside the fewest.
    private static let slowdown = 0.2
    /// How often each question is asked; its time is the median.
    private static let asked: Int64 = 11
    /// A question that took so long in all is not asked again, in milliseconds.
    private static let patience = 3000.0
    /// How much of a disk is left free.
    private static let reserve = 5_000_000_000.0

    /// The database's URL.
    let url: String
    /// The key `k1` of the ring.
    let secret: Secret
    /// How many orders are stored, one after the other.
    let sizes: [Int64]
    /// How many checkouts wait at the same time.
    let callers: Int
    /// How long orders are placed at each size, in seconds.
    let seconds: Int
    /// How many connections the gateway has.
    let connections: Int
    /// Whether plans are asked for and printed.
    let showsPlans: Bool
    /// Whether the server keeps its files in this machine's folder for temporary files.
    let isLocal: Bool

    /// Measures and reports.
    ///
    /// - Throws: ``CommandFailure`` if the disk is too small or an order is not finished, or `SQLError`.
    func run(_ report: inout BenchReport) async throws {
        guard let largest = sizes.last else { return }
        let filler = try GrowthStage.patient(url)
        let database = try PostgresDatabase(url: url, connections: connections)
        var measured = report
        let result = await Result {
            let keyring = try Keyring(current: "k1", keys: ["k1": secret])
            let stage = try await BenchStage(database, psp: .instant, keyring: keyring)
            let growth = try await GrowthStage(stage, orders: largest)
            var (stored, first): (Int64, LoadResult?) = (0, nil)
            for size in sizes {
                Console.note("storing \(size) orders…")
                let bytes = try await fill(growth, stored..<size, filler, &measured)
                stored = size
                let end = try await growth.settle(size, in: filler)
                try requireRoom(for: largest - size, each: bytes)
                let result = try await place(stage, size, beside: first, &measured)
                first = first ?? result
                try await ask(growth, size, end: end, database, filler, &measured)
            }
        }
        await database.close()
        await filler.close()
        report = measured
        try result.get()
    }

    /// Stores more orders, and answers how many bytes each of them takes.
    private func fill(
        _ growth: GrowthStage,
        _ numbers: Range<Int64>,
        _ filler: PostgresDatabase,
        _ report: inout BenchReport
    ) async throws -> Double {
        let start = ContinuousClock.now
        let before = try await filler.read { try DatabaseStatistics.read(in: $0) }.diskBytes
        try await growth.fill(numbers, in: filler)
        let after = try await filler.read { try DatabaseStatistics.read(in: $0) }.diskBytes
        let count = Double(numbers.upperBound - numbers.lowerBound)
        let bytes = Double(after - before) / count
        report.add("stored_\(numbers.upperBound)_filling_seconds", (ContinuousClock.now - start).milliseconds / 1000)
        report.add("stored_\(numbers.upperBound)_disk_kilobytes_an_order", bytes / 1000)
        return bytes
    }

    /// Refuses to fill a disk of this machine to the brim.
    private func requireRoom(for orders: Int64, each bytes: Double) throws {
        guard isLocal, orders > 0 else { return }
        let folder = FileManager.default.temporaryDirectory
        // What is free may be more: some of it is kept for the administrator.
        let available = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityKey]).volumeAvailableCapacity
        guard let available else { return }
        let (needed, free) = (Double(orders) * bytes, Double(available))
        guard needed > free - Self.reserve else { return }
        throw CommandFailure.unusable(
            "\(orders) more orders take \(Int(needed / 1e9)) GB, and \(Int(free / 1e9)) GB are free"
        )
    }

    private func place(
        _ stage: BenchStage,
        _ size: Int64,
        beside first: LoadResult?,
        _ report: inout BenchReport
    ) async throws -> LoadResult {
        Console.note("placing orders beside \(size)…")
        _ = try await stage.load(callers: callers, seconds: max(1, seconds / 2))
        let result = try await stage.load(callers: callers, seconds: seconds)
        report.add("stored_\(size)_orders_per_second", result.perSecond)
        report.add("stored_\(size)_orders_p50_ms", result.percentile(50))
        if let first {
            let (rate, time) = (result.perSecond / first.perSecond, result.percentile(50) / first.percentile(50))
            report.add(ratio: "stored_\(size)_orders_per_second_to_fewest", rate, atLeast: 1 - Self.slowdown)
            report.add(ratio: "stored_\(size)_orders_p50_to_fewest", time, atMost: 1 + Self.slowdown)
        }
        return result
    }

    /// Asks all questions; the plans come from a database that lets them take as long as they do.
    private func ask(
        _ growth: GrowthStage,
        _ size: Int64,
        end: Timestamp,
        _ database: PostgresDatabase,
        _ filler: PostgresDatabase,
        _ report: inout BenchReport
    ) async throws {
        Console.note("asking beside \(size) orders…")
        let reference = try await database.read { session in
            try MeasuredGrowth.reference(in: GrowthStage.marketplace, skipping: Int(size / 2), in: session)
        }
        let queries = GrowthQueries(
            stage: growth,
            end: end,
            now: Timestamp(microseconds: try await database.now()),
            reference: reference ?? ""
        )
        for query in queries.all {
            let time = try await milliseconds(of: query, database)
            report.add(ratio: "stored_\(size)_\(query.name)_ms", time, atMost: Self.queryBar)
        }
        guard showsPlans else { return }
        let large = try await filler.read { try MeasuredPlans.tables(withRows: max(1, size / 2), in: $0) }
        var scans = 0
        for query in queries.all {
            for plan in try await GrowthQueries.plans(of: query, in: filler) {
                let tables = MeasuredPlans.sequentialScans(in: plan, of: large)
                if !tables.isEmpty { scans += 1 }
                let mark = tables.isEmpty ? "" : " reads \(tables.sorted().joined(separator: ", ")) whole"
                Console.note("\(size) orders, \(query.name)\(mark):\n\(plan)")
            }
        }
        report.add(ratio: "stored_\(size)_plans_with_sequential_scan", Double(scans), atMost: 0)
    }

    /// The median of several, each about another subject; of one that the database breaks off, the time until then.
    private func milliseconds(of query: GrowthQueries.Query, _ database: PostgresDatabase) async throws -> Double {
        var times: [Double] = []
        for subject in 0..<Self.asked where times.reduce(0, +) < Self.patience {
            let start = ContinuousClock.now
            do {
                times.append(try await GrowthQueries.ask(query, subject, in: database))
            } catch let error as SQLError {
                Console.note("\(query.name) was broken off: \(error)")
                times.append((ContinuousClock.now - start).milliseconds)
            }
        }
        return LoadResult.percentile(50, of: times.sorted())
    }
}
