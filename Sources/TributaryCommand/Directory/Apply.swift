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

            Over HTTP the key has the scope admin, and secrets are files below apply_secrets of the server's settings; with
            --direct they are wherever the references say. The first declaration of a database is applied directly.

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

    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let applied = try await acting.act(asFirst: true) { settings in
            try await apply(settings)
        } remotely: { server in
            try await apply(server)
        }
        output.write(applied.table, json: applied.json)
        let made = applied.secrets
        guard !made.isEmpty || output.format == .table else { return }
        if output.format == .table {
            Console.out(applied.summary)
            if !made.isEmpty { Console.out("\n" + applied.secretTable.text) }
        } else if output.format == .csv {
            Console.note(applied.secretTable.csv)
        }
        if !made.isEmpty { Console.note("keep the secrets of callbacks: they are not shown again") }
    }

    private func apply(_ settings: ServerSettings) async throws -> AppliedDeclaration {
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
        return try await DatabaseUse.looking.open(settings) { [mode, dryRun] database in
            // A secret must not be sealed with a key that no server has.
            if !dryRun, let keyring = try? Keyring(settings) { try await keyring.begin(on: database, settings) }
            let apply = Apply(database, by: .commandLine) {
                try SecretStore(Keyring(settings), surroundings: .process).making
            }
            let (plan, made) = try await apply.apply(declaration.document, mode, isDryRun: dryRun)
            return AppliedDeclaration(plan, made, isDryRun: dryRun)
        }
    }

    private func apply(_ server: RemoteServer) async throws -> AppliedDeclaration {
        let document = try Declaration.document(path: file, surroundings: .process)
        let flags = [("dry_run", dryRun), ("prune", prune), ("resume", resume)].compactMap {
            $0.1 ? "\($0.0)=true" : nil
        }
        let path = "/v1/apply" + (flags.isEmpty ? "" : "?" + flags.joined(separator: "&"))
        let answer = try await server.post(path, document).json
        for warning in answer.list("warnings") { Console.note("warning: \((warning.stringValue ?? "").harmless)") }
        return AppliedDeclaration(answer)
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

/// What applying a declaration came to, for people and programs.
struct AppliedDeclaration {
    /// One thing and what happened to it.
    private struct Step {
        let action: ApplyPlan.Step.Action
        let kind: String
        let id: String
        let fields: [String]
        let isPaused: Bool

        /// What it means to be paused: to an endpoint that nothing is sent there.
        var pause: (word: String, note: String) {
            kind.hasSuffix("_callback")
                ? ("disabled", "disabled: nothing is sent there") : ("paused", "paused: takes no new payments")
        }

        var json: JSON {
            .object(omittingAbsent: [
                "kind": .string(kind),
                "id": .string(id),
                "fields": fields.isEmpty ? nil : .strings(fields),
                "status": isPaused ? .string(pause.word) : nil,
            ])
        }
    }

    private let isDryRun: Bool
    private let steps: [Step]
    /// The secrets that were made: an object each, with the endpoint and whose it is.
    let secrets: [JSON]

    /// What a plan came to.
    init(_ plan: ApplyPlan, _ made: [MadeSecret], isDryRun: Bool) {
        self.isDryRun = isDryRun
        steps = ApplyPlan.Step.Action.allCases.flatMap { action in
            plan.steps.filter { $0.action == action }.map { step in
                Step(action: action, kind: step.kind, id: step.id, fields: step.fields, isPaused: step.isPaused)
            }
        }
        secrets = made.map { one in
            [
                "kind": .string(one.kind), "id": .string(one.owner), "endpoint": .string(one.endpoint.text),
                "secret": .string(one.secret.reveal()),
            ]
        }
    }

    /// What a server answers.
    init(_ answer: JSON) {
        isDryRun = answer["dry_run"]?.boolValue == true
        steps = ApplyPlan.Step.Action.allCases.flatMap { action in
            answer.list(action.rawValue).map { step in
                Step(
                    action: action,
                    kind: step.text("kind"),
                    id: step.text("id"),
                    fields: step.list("fields").compactMap(\.stringValue),
                    isPaused: step["paused"]?.boolValue == true
                )
            }
        }
        secrets = answer.list("secrets")
    }

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
    var json: JSON {
        .object(
            [.init("dry_run", .bool(isDryRun))]
                + (secrets.isEmpty ? [] : [.init("secrets", .array(secrets))])
                + ApplyPlan.Step.Action.allCases.map { action in
                    .init(action.rawValue, .array(steps.filter { $0.action == action }.map(\.json)))
                }
        )
    }

    /// How much of each, in one line.
    var summary: String {
        let counts = ApplyPlan.Step.Action.allCases.map { action in
            "\(action.words) \(steps.count { $0.action == action })"
        }
        return (isDryRun ? "would have: " : "") + counts.joined(separator: ", ")
    }

    /// For people: a row for each secret.
    var secretTable: Table {
        var table = Table("callbacks_of", "endpoint", "secret")
        for one in secrets { table.add(.text(of: one["id"]), .text(of: one["endpoint"]), .text(of: one["secret"])) }
        return table
    }
}

extension ApplyPlan.Step.Action {
    fileprivate var words: String { rawValue.replacing("_", with: " ") }
}
