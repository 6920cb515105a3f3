import ArgumentParser
import Domain
import HTTPAPI
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
            applies nothing. `serve` never migrates: it refuses a schema that is not its own.

            On PostgreSQL run it as the role that owns the tables, and let another role serve, which cannot switch off the
            triggers that keep the books from being changed: --print-grants prints what gives that role its rights. Run
            those statements again behind each migration.

            Example:
              tributary migrate --print-grants --role gateway | psql "$OWNER_URL"
            """
    )

    @Flag(name: .long, help: "Migrate nothing; print the SQL that gives a role what it needs to serve (PostgreSQL).")
    var printGrants = false

    @Option(name: .long, help: ArgumentHelp("The role that --print-grants is about.", valueName: "name"))
    var role: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws {
        guard printGrants == (role != nil) else { throw ValidationError("--print-grants and --role need each other") }
        guard let role else { return }
        guard (1...63).contains(role.utf8.count), !role.contains(where: \.isNewline) else {
            throw ValidationError("--role is a role's name, 1 to 63 bytes long")
        }
    }

    func run() async throws {
        let settings = try database.settings()
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
}

extension Migrate {
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

/// `tributary check-config`.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is wrong with the settings before a payment does.",
        discussion: """
            Reads the settings with every option and variable over them, the keys they refer to, the certificate that the
            API is served with, and, if named, a declaration with its secrets, its PSP accounts, its wallet certificates and keys, and its endpoints of
            callbacks with their client certificates. Warns of certificates that expire within 30 days, and of currencies
            that a merchant may be sold in without the fixed part of commission that it has in others. Exits 1 if
            something it refers to is missing or does not work, 2 if a file cannot be read or breaks a rule.

            Example:
              tributary check-config marketplace.yaml
            """
    )

    @Argument(help: ArgumentHelp("A declaration to check as well.", valueName: "file"))
    var file: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let declaration = try file.map { try Declaration.load(path: $0, surroundings: .process) }
        var findings: [String] = []
        do throws(CommandFailure) { _ = try Keyring(settings) } catch { findings.append(error.description) }
        do throws(CommandFailure) { _ = try MetricsAccess(settings.metrics, surroundings: .process) } catch {
            findings.append(error.description)
        }
        if let tls = settings.tls {
            do throws(CommandFailure) {
                let found = try ServerCertificate(tls, surroundings: .process).findings(at: .wallClock)
                findings += found.problems
                for warning in found.warnings { Console.note("warning: \(warning)") }
            } catch {
                findings.append(error.description)
            }
        }
        if let declaration {
            let check = DeclarationCheck(
                declaration,
                allowsLoopback: settings.callbacksAllowLoopback,
                surroundings: .process
            )
            findings += check.problems + check.absences
            for warning in check.warnings { Console.note("warning: \(warning)") }
        }
        var table = Table("finding")
        for finding in findings { table.add(.text(finding)) }
        output.write(table, json: ["database": .string(settings.database.description), "findings": .strings(findings)])
        guard findings.isEmpty else { throw ExitCode(1) }
        Console.note("nothing wrong was found; the database is \(settings.database)")
    }
}
