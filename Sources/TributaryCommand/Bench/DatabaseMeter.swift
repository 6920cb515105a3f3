import Foundation
import Glibc
import PostgresDatabase
import SQL
import Storage

/// Reads what a PostgreSQL database and this process have done so far, so that the difference is what orders cost.
struct DatabaseMeter {
    private let database: PostgresDatabase
    private let connections: Int
    private let server: Int32?

    /// A meter of a database over so many connections; its processor time is read if its server runs on this machine.
    init(_ database: PostgresDatabase, connections: Int, server: Int32?) {
        self.database = database
        self.connections = connections
        self.server = server
    }

    /// Reads the meter; takes a second or two.
    ///
    /// A backend tells its counts at the end of a transaction, but no more than once a second
    /// (`PGSTAT_MIN_INTERVAL` of pgstat.c): each of them gets one more transaction after a pause.
    ///
    /// - Throws: `SQLError`.
    func read() async throws -> DatabaseCost {
        try await Task.sleep(for: .milliseconds(1100))
        try await withThrowingTaskGroup { group in
            for _ in 0..<connections {
                group.addTask { try await database.read { try DatabaseStatistics.report(in: $0) } }
            }
            try await group.waitForAll()
        }
        let statistics = try await database.read { try DatabaseStatistics.read(in: $0) }
        return DatabaseCost(
            statistics: statistics,
            gatewayMilliseconds: ProcessorTime.milliseconds(of: getpid()),
            serverMilliseconds: server.map(ProcessorTime.milliseconds(ofAllBelow:))
        )
    }
}

/// What was done in a time.
struct DatabaseCost {
    let statistics: DatabaseStatistics
    /// What this process had of the processors.
    let gatewayMilliseconds: Double
    /// What the database's processes had; nil if they run elsewhere.
    let serverMilliseconds: Double?

    static func - (end: DatabaseCost, start: DatabaseCost) -> DatabaseCost {
        DatabaseCost(
            statistics: end.statistics - start.statistics,
            gatewayMilliseconds: end.gatewayMilliseconds - start.gatewayMilliseconds,
            serverMilliseconds: end.serverMilliseconds.flatMap { last in start.serverMilliseconds.map { last - $0 } }
        )
    }

    /// The figures for one of so many orders, some with what they may be at most.
    func figures(over orders: Int) -> [(name: String, value: Double, bar: Double?)] {
        let count = Double(max(1, orders))
        let rows = statistics
        var figures: [(name: String, value: Double, bar: Double?)] = [
            ("rows_inserted_an_order", Double(rows.inserted) / count, nil),
            ("rows_updated_an_order", Double(rows.updated) / count, nil),
            ("rows_updated_without_indexes_an_order", Double(rows.hot) / count, nil),
            ("rows_deleted_an_order", Double(rows.deleted) / count, nil),
            ("wal_kilobytes_an_order", Double(rows.walBytes) / count / 1000, 18),
            ("disk_kilobytes_an_order", Double(rows.diskBytes) / count / 1000, 12),
            ("gateway_processor_ms_an_order", gatewayMilliseconds / count, nil),
        ]
        if let serverMilliseconds {
            figures.append(("database_processor_ms_an_order", serverMilliseconds / count, nil))
        }
        return figures
    }
}

/// How long processes had a processor, by proc(5).
enum ProcessorTime {
    private static let millisecondsPerTick = 1000 / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))

    /// Of one process, all its threads, in user and system mode; 0 for one that is gone.
    static func milliseconds(of process: Int32) -> Double { fields(of: process).map { time($0, 11...12) } ?? 0 }

    /// Of a process, of its children, and of those that have ended.
    static func milliseconds(ofAllBelow process: Int32) -> Double {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let children = names.compactMap { Int32($0) }.compactMap(fields).filter { $0[1] == String(process) }
        return (fields(of: process).map { time($0, 11...14) } ?? 0) + children.reduce(0) { $0 + time($1, 11...14) }
    }

    private static func time(_ fields: [String], _ range: ClosedRange<Int>) -> Double {
        fields[range].reduce(0) { $0 + (Double($1) ?? 0) } * millisecondsPerTick
    }

    /// What stands in `/proc/PID/stat` behind the name in brackets, the state first.
    private static func fields(of process: Int32) -> [String]? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ").map(String.init)
        return fields.count > 14 ? fields : nil
    }
}
