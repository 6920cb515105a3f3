import Foundation
import PostgresDatabase
import SQL
import Synchronization

/// The PostgreSQL server of this test run.
///
/// It is a throwaway cluster, started by the first test that asks and stopped at the process's exit, or the server that
/// `TRIBUTARY_TEST_POSTGRES` names, which must be on this machine.
package enum PostgresCluster {
    /// The named server is not on the loopback interface, where a test could do no harm.
    package struct NotLoopback: Error, Hashable {}

    private struct Server: Sendable {
        let url: PostgresURL
        let administration: PostgresDatabase
        let cluster: ThrowawayCluster?
    }

    private static let server = Task { try await start() }
    private static let templates = Mutex<[String: Task<String, any Error>]>([:])
    /// What the exit handler stops.
    private static let running = Mutex<Server?>(nil)

    /// Creates a database, empty or as a template has it; answers its URL.
    ///
    /// - Throws: `ClusterFailure.notInstalled` where there is no server, which fails the test with what to install.
    package static func createDatabase(from template: DatabaseTemplate? = nil) async throws -> String {
        guard let template else { return try await create(named: uniqueName("test"), copying: "template0") }
        let source = try await prepared(template)
        return try await create(named: uniqueName("test"), copying: source)
    }

    /// Copies a database that ``createDatabase(from:)`` made, and to which nobody is connected; answers the copy's URL.
    package static func copyDatabase(_ url: String) async throws -> String {
        try await create(named: uniqueName("test"), copying: try PostgresURL(url).database)
    }

    /// Drops a database that ``createDatabase(from:)`` made, whoever is connected to it.
    package static func dropDatabase(_ url: String) async throws {
        let name = try PostgresURL(url).database
        try await server.value.administration.runOutsideTransaction(
            SQL(stringLiteral: "DROP DATABASE \(name) WITH (FORCE)")
        )
    }

    /// The name of the database to copy; the first caller prepares it, the others wait.
    private static func prepared(_ template: DatabaseTemplate) async throws -> String {
        let task = templates.withLock { templates in
            if let known = templates[template.name] { return known }
            let task = Task {
                let name = uniqueName("template_" + template.name)
                let database = try PostgresDatabase(
                    url: try await create(named: name, copying: "template0"),
                    connections: 1
                )
                try await template.prepare(database)
                // Nobody may be connected to what is copied.
                await database.close()
                return name
            }
            templates[template.name] = task
            return task
        }
        return try await task.value
    }

    private static func create(named name: String, copying template: String) async throws -> String {
        let server = try await server.value
        // Files are copied, and not written block by block into the log, which takes seven times as much of the processor.
        try await server.administration.runOutsideTransaction(
            SQL(stringLiteral: "CREATE DATABASE \(name) TEMPLATE \(template) ENCODING 'UTF8' STRATEGY FILE_COPY")
        )
        return try server.url.naming(database: name).text
    }

    private static func uniqueName(_ kind: String) -> String {
        "tributary_\(kind)_" + String(UInt64.random(in: .min ... .max), radix: 36)
    }

    private static func start() async throws -> Server {
        let named = ProcessInfo.processInfo.environment["TRIBUTARY_TEST_POSTGRES"]
        let cluster = named == nil ? try await ThrowawayCluster.start(.volatile) : nil
        let url = try PostgresURL(named ?? cluster?.url ?? "")
        guard url.isLoopback else { throw NotLoopback() }
        let server = Server(
            url: url,
            administration: try PostgresDatabase(url: url.text, connections: 4),
            cluster: cluster
        )
        running.withLock { $0 = server }
        atexit { PostgresCluster.cleanUp() }
        return server
    }

    /// Stops our own server, or takes the templates back from another's.
    private static func cleanUp() {
        guard let server = running.withLock({ $0 }) else { return }
        if let cluster = server.cluster { return cluster.stop() }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            for template in templates.withLock({ Array($0.values) }) {
                guard let name = try? await template.value else { continue }
                _ = try? await server.administration.runOutsideTransaction(
                    SQL(stringLiteral: "DROP DATABASE \(name) WITH (FORCE)")
                )
            }
            done.signal()
        }
        done.wait()
    }
}
