import Foundation
import PostgresDatabase
package import SQL
import Synchronization

/// A PostgreSQL server of a test's own, which it may freeze as a whole.
package final class OwnPostgres: Sendable {
    private let cluster: ThrowawayCluster
    /// The processes that are frozen.
    private let frozen = Mutex<[Int32]>([])

    private init(_ cluster: ThrowawayCluster) { self.cluster = cluster }

    /// Lends a server and a database of it with what a template holds.
    ///
    /// - Throws: what `body` throws, or why there is no server.
    package static func with(
        prepare template: DatabaseTemplate,
        _ body: (OwnPostgres, any Database) async throws -> Void
    ) async throws {
        let cluster = try await ThrowawayCluster.start(.volatile)
        let server = OwnPostgres(cluster)
        defer {
            // What is frozen hears no other signal.
            server.thaw()
            cluster.stop()
        }
        try await DatabaseLocation.postgres(url: cluster.url).withOpen { database in
            try await template.prepare(database)
            try await body(server, database)
        }
    }

    /// Stops each of its processes where it is: what is sent to it arrives, and nothing is answered.
    ///
    /// - Throws: if the machine's processes cannot be listed.
    package func freeze() throws {
        guard let first = cluster.processID else { return }
        // The first one first, so that it makes no others meanwhile.
        stop(first)
        for process in try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap({ Int32($0) })
        where Self.parent(of: process) == first {
            stop(process)
        }
    }

    /// Has those that are frozen go on.
    package func thaw() {
        let processes = frozen.withLock { frozen in
            defer { frozen = [] }
            return frozen
        }
        for process in processes { kill(process, SIGCONT) }
    }

    private func stop(_ process: Int32) {
        kill(process, SIGSTOP)
        frozen.withLock { $0.append(process) }
    }

    /// The process that started one; nil if it is gone.
    private static func parent(of process: Int32) -> Int32? {
        // The second field is the program's name in parentheses, which may hold anything.
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let name = status.lastIndex(of: ")")
        else { return nil }
        let fields = status[name...].split(separator: " ")
        return fields.count > 2 ? Int32(fields[2]) : nil
    }
}
