import ArgumentParser
import Settings
import Storage
import StrictJSON

/// `tributary migrate`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create the database's schema or bring it up to date.",
        discussion: """
            Creates the file of an embedded database that is not there. Prints what it applied; running it again
            applies nothing. `serve` never migrates: it refuses a schema that is not its own.
            """
    )

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let applied = try await DatabaseUse.migrating.open(settings) { database in
            try await Migrator().migrate(database)
        }
        var table = Table("applied")
        for name in applied { table.add(.text(name)) }
        output.write(table, json: ["applied": .strings(applied)])
        if applied.isEmpty { Console.note("the schema is up to date") }
    }
}
