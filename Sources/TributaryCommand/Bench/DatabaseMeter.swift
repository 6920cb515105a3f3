import Foundation
import Glibc
import PostgresDatabase
import SQL

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
                group.addTask { _ = try await database.read { try $0.rows("SELECT pg_sleep(0.1)") } }
            }
            try await group.waitForAll()
        }
        let row = try await database.read { session in
            try session.rows(
                """
                SELECT CAST(pg_current_wal_lsn() - '0/0'::pg_lsn AS BIGINT) AS wal,
                    pg_database_size(current_database()) AS disk, CAST(SUM(n_tup_ins) AS BIGINT) AS inserted,
                    CAST(SUM(n_tup_upd) AS BIGINT) AS updated, CAST(SUM(n_tup_hot_upd) AS BIGINT) AS hot,
                    CAST(SUM(n_tup_del) AS BIGINT) AS deleted FROM pg_stat_user_tables
                """
            ).first
        }
        guard let row else { throw SQLError.broken("the statistics have no row") }
        return DatabaseCost(
            inserted: try row.integer("inserted"),
            updated: try row.integer("updated"),
            hot: try row.integer("hot"),
            deleted: try row.integer("deleted"),
            walBytes: try row.integer("wal"),
            diskBytes: try row.integer("disk"),
            gatewayMilliseconds: ProcessorTime.milliseconds(of: getpid()),
            serverMilliseconds: server.map(ProcessorTime.milliseconds(ofAllBelow:))
        )
    }
}

/// What was done in a time.
struct DatabaseCost {
    let inserted: Int64
    let updated: Int64
    /// Of those updated, how many without touching an index.
    let hot: Int64
    let deleted: Int64
    let walBytes: Int64
    let diskBytes: Int64
    /// What this process had of the processors.
    let gatewayMilliseconds: Double
    /// What the database's processes had; nil if they run elsewhere.
    let serverMilliseconds: Double?

    static func - (end: DatabaseCost, start: DatabaseCost) -> DatabaseCost {
        DatabaseCost(
            inserted: end.inserted - start.inserted,
            updated: end.updated - start.updated,
            hot: end.hot - start.hot,
            deleted: end.deleted - start.deleted,
            walBytes: end.walBytes - start.walBytes,
            diskBytes: end.diskBytes - start.diskBytes,
            gatewayMilliseconds: end.gatewayMilliseconds - start.gatewayMilliseconds,
            serverMilliseconds: end.serverMilliseconds.flatMap { last in start.serverMilliseconds.map { last - $0 } }
        )
    }

    /// The figures for one of so many orders, some with what they may be at most.
    func figures(over orders: Int) -> [(name: String, value: Double, bar: Double?)] {
        let count = Double(max(1, orders))
        var figures: [(name: String, value: Double, bar: Double?)] = [
            ("rows_inserted_an_order", Double(inserted) / count, nil),
            ("rows_updated_an_order", Double(updated) / count, nil),
            ("rows_updated_without_indexes_an_order", Double(hot) / count, nil),
            ("rows_deleted_an_order", Double(deleted) / count, nil),
            ("wal_kilobytes_an_order", Double(walBytes) / count / 1000, 18),
            ("disk_kilobytes_an_order", Double(diskBytes) / count / 1000, 12),
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
