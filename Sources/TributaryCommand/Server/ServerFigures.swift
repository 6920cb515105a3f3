import CProcess
import Domain
import Foundation
import Gateway
import HTTPAPI
import PostgresDatabase
import SQL
import SQLiteDatabase

/// What a serving process tells of itself and of its connections to the database.
struct ServerFigures: MetricSource {
    private static let began = Date.now

    private let figures: CurrentFigures

    /// The figures of this process, over a database as it was opened.
    init(_ database: any Database) {
        _ = Self.began
        figures = CurrentFigures(Self.process + Self.build(database) + Self.pool(database))
    }

    var metrics: [Metric] { figures.metrics }

    func write(to text: inout MetricText) { figures.write(to: &text) }

    /// Under the names that every client library of Prometheus has for them.
    private static var process: [CurrentFigures.Figure] {
        [
            (
                Metric(.counter, "process_cpu_seconds_total", "Time on processors, in the system's hands included."),
                { [MetricSample(seconds: Double(cprocess_cpu_microseconds()) / 1_000_000)] }
            ),
            (
                Metric(.gauge, "process_resident_memory_bytes", "Memory of the process that is in the machine's."),
                { [MetricSample(Int64(cprocess_resident_bytes()))] }
            ),
            (
                Metric(.gauge, "process_open_fds", "Descriptors that are open."),
                { [MetricSample(Int64(cprocess_open_descriptors()))] }
            ),
            (
                Metric(.gauge, "process_max_fds", "Descriptors that may be open."),
                { [MetricSample(Int64(cprocess_descriptor_limit()))] }
            ),
            (
                Metric(.gauge, "process_start_time_seconds", "When the process began, in seconds since 1970."),
                { [MetricSample(seconds: began.timeIntervalSince1970)] }
            ),
        ]
    }

    private static func build(_ database: any Database) -> [CurrentFigures.Figure] {
        let engine = database is PostgresDatabase ? "postgres" : "sqlite"
        let labels = [BuildVersion.number, BuildVersion.commit ?? "", APIVersion.newest.text, engine]
        let metric = Metric(
            .gauge,
            "tributary_build_info",
            labels: ["version", "commit", "api_version", "database"],
            "What is running: 1, with the build, the newest version of the API and the kind of database as labels."
        )
        return [(metric, { [MetricSample(labels, 1)] })]
    }

    private static func pool(_ database: any Database) -> [CurrentFigures.Figure] {
        let connections = Metric(
            .gauge,
            "tributary_database_connections",
            labels: ["state"],
            "Connections of the pool to PostgreSQL: all that it may have, and those that serve a transaction; none on SQLite."
        )
        let waiting = Metric(
            .gauge,
            "tributary_database_transactions_waiting",
            "Transactions that wait for a connection to PostgreSQL, or for the writer of SQLite."
        )
        return [
            (
                connections,
                {
                    guard let postgres = database as? PostgresDatabase else { return [] }
                    return [
                        MetricSample(["all"], Int64(postgres.connections)),
                        MetricSample(["in_use"], Int64(postgres.connectionsInUse)),
                    ]
                }
            ),
            (
                waiting,
                {
                    let count =
                        (database as? PostgresDatabase)?.waitingTransactions
                        ?? (database as? SQLiteDatabase)?.waitingWrites
                    return count.map { [MetricSample(Int64($0))] } ?? []
                }
            ),
        ]
    }
}
