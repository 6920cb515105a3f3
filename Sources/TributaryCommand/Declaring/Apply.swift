import ArgumentParser
import Domain
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

            Secrets are references, env:NAME or file:PATH; they are never stored. Config/marketplace.example.yaml
            shows every key.

            Example:
              tributary apply marketplace.yaml --dry-run
            """
    )

    @Argument(help: ArgumentHelp("The declaration.", valueName: "file"))
    var file: String

    @Flag(name: .long, help: "Say what would happen, and change nothing.")
    var dryRun = false

    @Flag(name: .long, help: "Pause PSP accounts and merchants that are no longer declared.")
    var prune = false

    @Flag(name: .long, help: "Resume what is declared and paused.")
    var resume = false

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let declaration = try Declaration.load(path: file, surroundings: .process)
        let check = DeclarationCheck(declaration, surroundings: .process)
        guard check.problems.isEmpty else {
            throw CommandFailure.unusable(check.problems.joined(separator: "\n"))
        }
        for warning in check.absences + check.warnings + declaration.unusedParts { Console.note("warning: \(warning)") }
        var mode = ApplyPlan.Mode()
        if prune { mode.insert(.pausesUndeclared) }
        if resume { mode.insert(.resumesDeclared) }
        let plan = try await DatabaseUse.looking.open(settings) { [mode, dryRun] database in
            try await DeclarationStore(database).apply(declaration, mode, isDryRun: dryRun)
        }
        output.write(plan.table, json: plan.json(isDryRun: dryRun))
        if output.format == .table { Console.out(plan.summary(isDryRun: dryRun)) }
    }
}

extension Declaration {
    /// What is declared but has no effect in this build, in sentences.
    fileprivate var unusedParts: [String] {
        let hasCallbacks = marketplace.callback != nil || merchants.contains { $0.callback != nil }
        return hasCallbacks ? ["callbacks are declared, but this build delivers none; they are left out"] : []
    }
}
