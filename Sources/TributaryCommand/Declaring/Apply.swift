import ArgumentParser
import Callbacks
import Domain
import Keyring
import SQL
import Settings

/// `tributary apply`.
struct Apply: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring marketplace, PSP accounts and merchants to what a file declares.",
        discussion: """
            Prints what it created, changed, paused and left alone; applying a file again changes nothing. Nothing is
            ever deleted: with --prune, what is no longer declared is paused, which means that it takes no new
            payments. What is paused stays paused, declared or not, until --resume.

            Secrets are references, env:NAME or file:PATH; they are never stored. For an endpoint of callbacks that
            names none, a secret is made, stored encrypted, and shown once. Where the secret of an endpoint changes, the
            one before signs beside it for a day. Config/marketplace.example.yaml shows every key.

            Example:
              tributary apply marketplace.yaml --dry-run
            """
    )

    @Argument(help: ArgumentHelp("The declaration.", valueName: "file"))
    var file: String

    @Flag(name: .long, help: "Say what would happen, and change nothing.")
    var dryRun = false

    @Flag(name: .long, help: "Pause PSP accounts, merchants and callbacks that are no longer declared.")
    var prune = false

    @Flag(name: .long, help: "Resume what is declared and paused.")
    var resume = false

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let declaration = try Declaration.load(path: file, surroundings: .process)
        let check = DeclarationCheck(
            declaration,
            allowsLoopback: settings.callbacksAllowLoopback,
            surroundings: .process
        )
        guard check.problems.isEmpty else {
            throw CommandFailure.unusable(check.problems.joined(separator: "\n"))
        }
        for warning in check.absences + check.warnings { Console.note("warning: \(warning)") }
        var mode = ApplyPlan.Mode()
        if prune { mode.insert(.pausesUndeclared) }
        if resume { mode.insert(.resumesDeclared) }
        let (plan, made) = try await DatabaseUse.looking.open(settings) { [mode, dryRun] database in
            let store = DeclarationStore(database) {
                SecretStore(try Keyring(settings), surroundings: .process)
            }
            return try await store.apply(declaration, mode, isDryRun: dryRun)
        }
        output.write(plan.table, json: plan.json(isDryRun: dryRun, made))
        guard !made.isEmpty || output.format == .table else { return }
        if output.format == .table {
            Console.out(plan.summary(isDryRun: dryRun))
            if !made.isEmpty { Console.out("\n" + MadeSecret.table(made).text) }
        } else if output.format == .csv {
            Console.note(MadeSecret.table(made).csv)
        }
        if !made.isEmpty { Console.note("keep the secrets of callbacks: they are not shown again") }
    }
}
