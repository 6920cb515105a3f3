import Foundation
import PostgresDatabase
import SQL
import Testing
import TributaryTestKit

@Suite("A throwaway server", .timeLimit(.minutes(10)))
struct ThrowawayClusterTests {
    @Test("of a process that was killed is stopped by the next one, and stops itself without a trace")
    func isSwept() async throws {
        try await TemporaryFolder.with { folder in
            let note = folder.path("url")
            await #expect(processExitsWith: .signal(SIGKILL)) { [note = note as String] in
                let cluster = try await ThrowawayCluster.start(.volatile)
                try Data(cluster.url.utf8).write(to: URL(fileURLWithPath: note))
                kill(getpid(), SIGKILL)
            }
            let orphan = try String(contentsOfFile: note, encoding: .utf8)
            let cluster = try await ThrowawayCluster.start(.durable)
            await #expect(throws: SQLError.self) { try await answers(orphan) }
            try await answers(cluster.url)
            cluster.stop()
            cluster.stop()
            await #expect(throws: SQLError.self) { try await answers(cluster.url) }
        }
    }

    private func answers(_ url: String) async throws {
        let database = try PostgresDatabase(url: url, connections: 1)
        _ = try await database.now()
        await database.close()
    }
}
