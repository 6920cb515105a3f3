import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Migrations")
struct MigratorTests {
    @Test("are all applied to an empty database, and not again", arguments: DatabaseEngine.allCases)
    func applied(engine: DatabaseEngine) async throws {
        try await withDatabase(engine) { database in
            let names = Schema.migrations.map(\.name)
            #expect(try await Migrator().migrate(database) == names)
            #expect(try await Migrator().migrate(database) == [])
            try await Migrator().check(database)
        }
    }
}
