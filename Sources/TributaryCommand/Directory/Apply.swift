import ArgumentParser
import Callbacks
import Domain
import Gateway
import Keyring
import SQL
import Settings
import StrictJSON

/// `tributary apply`.
struct ApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
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
            // A secret must not be sealed with a key that no server has.
            if !dryRun, let keyring = try? Keyring(settings) { try await keyring.begin(on: database, settings) }
            let apply = Apply(database, by: .commandLine) {
                try SecretStore(Keyring(settings), surroundings: .process).making
            }
            return try await apply.apply(declaration.document, mode, isDryRun: dryRun)
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

extension SecretStore {
    /// Makes secrets and seals them.
    var making: SecretMaking {
        { [self] endpoint in
            let secret = SigningSecret.make()
            return (secret, try seal(secret, endpoint))
        }
    }
}

/// Telling people and programs what a plan comes to.
extension ApplyPlan {
    /// A row for everything that was not left alone, and for what is paused.
    var table: Table {
        var table = Table("action", "kind", "id", "fields", "note")
        for step in steps where step.action != .leftAlone || step.isPaused {
            table.add(
                .text(step.action.words),
                .text(step.kind),
                .text(step.id),
                .optional(step.fields.isEmpty ? nil : step.fields.joined(separator: ", ")),
                .optional(step.isPaused ? step.pause.note : nil)
            )
        }
        return table
    }

    /// `{"dry_run", "created": […], "changed": […], "paused": […], "left_alone": […]}`, and `secrets` if some were made.
    func json(isDryRun: Bool, _ made: [MadeSecret]) -> JSON {
        .object(
            [.init("dry_run", .bool(isDryRun))]
                + (made.isEmpty ? [] : [.init("secrets", .array(made.map(\.json)))])
                + Step.Action.allCases.map { action in
                    .init(action.rawValue, .array(steps.filter { $0.action == action }.map(\.json)))
                }
        )
    }

    /// How much of each, in one line.
    func summary(isDryRun: Bool) -> String {
        let counts = Step.Action.allCases.map { action in
            "\(action.words) \(steps.count { $0.action == action })"
        }
        return (isDryRun ? "would have: " : "") + counts.joined(separator: ", ")
    }
}

extension ApplyPlan.Step {
    /// What it means to be paused: to an endpoint that nothing is sent there.
    fileprivate var pause: (word: String, note: String) {
        kind.hasSuffix("_callback")
            ? ("disabled", "disabled: nothing is sent there") : ("paused", "paused: takes no new payments")
    }

    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "kind": .string(kind),
            "id": .string(id),
            "fields": fields.isEmpty ? nil : .strings(fields),
            "status": isPaused ? .string(pause.word) : nil,
        ])
    }
}

extension ApplyPlan.Step.Action {
    fileprivate var words: String { rawValue.replacing("_", with: " ") }
}

extension MadeSecret {
    /// For programs.
    var json: JSON {
        [
            "kind": .string(kind), "id": .string(owner), "endpoint": .string(endpoint.text),
            "secret": .string(secret.reveal()),
        ]
    }

    /// For people: a row for each.
    static func table(_ made: [MadeSecret]) -> Table {
        var table = Table("callbacks_of", "endpoint", "secret")
        for one in made {
            table.add(.text(one.owner), .text(one.endpoint.text), .text(one.secret.reveal()))
        }
        return table
    }
}
