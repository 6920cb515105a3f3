import ArgumentParser
import Domain
import Keyring
import SQL
import Settings
import Storage
import StrictJSON

/// `tributary migrate`.
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create the database's schema or bring it up to date.",
        discussion: """
            Creates the file of an embedded database that is not there. Prints what it applied; running it again
            applies nothing. `serve` never migrates: it refuses a schema that it cannot run with. A schema that a newer
            release has only added to is none of these: instances of the release before go on, and may be started again.

            With --check nothing is changed. It says of each migration whether it was applied, is missing, or is a newer
            build's, and exits 0 if there is nothing to do, 1 if `migrate` would change something, 2 if this build cannot
            run with the schema: it is too new, too old, or there is none.

            On PostgreSQL run it as the role that owns the tables, and let another role serve, which cannot switch off the
            triggers that keep the books from being changed: --print-grants prints what gives that role its rights. Run
            those statements again behind each migration.

            Example:
              tributary migrate --print-grants --role gateway | psql "$OWNER_URL"
            """
    )

    @Flag(name: .long, help: "Say what would be done, and change nothing.")
    var check = false

    @Flag(name: .long, help: "Migrate nothing; print the SQL that gives a role what it needs to serve (PostgreSQL).")
    var printGrants = false

    @Option(name: .long, help: ArgumentHelp("The role that --print-grants is about.", valueName: "name"))
    var role: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws {
        guard printGrants == (role != nil) else { throw ValidationError("--print-grants and --role need each other") }
        guard let role else { return }
        guard !check else { throw ValidationError("--check and --print-grants exclude each other") }
        guard (1...63).contains(role.utf8.count), !role.contains(where: \.isNewline) else {
            throw ValidationError("--role is a role's name, 1 to 63 bytes long")
        }
    }

    func run() async throws {
        let settings = try database.settings()
        if check { return try await report(settings) }
        if let role { return try await print(grantsTo: role, settings) }
        let applied = try await DatabaseUse.migrating.open(settings) { database in
            let applied = try await Migrator().migrate(database)
            // Whoever migrates need not have the keys; but if there are some, they are the database's.
            if let keyring = try? Keyring(settings) { try await keyring.begin(on: database, settings) }
            return applied
        }
        var table = Table("applied")
        for name in applied { table.add(.text(name)) }
        output.write(table, json: ["applied": .strings(applied)])
        if applied.isEmpty { Console.note("the schema is up to date") }
    }

    private func report(_ settings: ServerSettings) async throws {
        let status = try await DatabaseUse.inspecting.open(settings) { database in
            try await Migrator().status(of: database)
        }
        var table = Table("migration", "state")
        for line in status.lines { table.add(.text(line.name), .text(line.state.rawValue)) }
        output.write(table)
        if let refusal = status.refusal { throw refusal }
        guard !status.wouldChange else { throw ExitCode(1) }
        Console.note("there is nothing to migrate")
    }
    private func print(grantsTo role: String, _ settings: ServerSettings) async throws {
        guard case .postgres = settings.database else {
            throw CommandFailure.unusable("an embedded database has no roles: its file is its owner's alone")
        }
        let schema = try await DatabaseUse.looking.open(settings) { database in
            try await database.read { session in try RoleRights.schema(in: session) }
        }
        Console.out("-- Run this as the owner of the tables, and again behind each `tributary migrate`. Run everything")
        Console.out(
            "-- else as the role: GET /v1/events waits only for transactions that it sees, which are the role's."
        )
        for statement in RoleRights.grants(to: role, in: schema) { Console.out(statement) }
    }
}
