import ArgumentParser
import Domain

/// The product: one program that runs, sets up and looks into a gateway.
@main
struct Tributary: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tributary",
        abstract: "A split-payment gateway: one checkout, several merchants, several PSPs, one answer.",
        discussion: """
            See it work, with nothing to set up:
              tributary demo

            Run it (the embedded database; for several processes give a PostgreSQL URL):
              export TRIBUTARY_KEY=$(openssl rand -hex 32)
              tributary migrate
              tributary apply Config/marketplace.example.yaml
              tributary keys create --scope checkout
              tributary serve

            Settings come from options, then TRIBUTARY_… variables, then the file named by --config.
            Data goes to standard output, everything else to standard error. Amounts are typed as 12.00. On a terminal lists
            are fitted to its width and coloured; --wide, --columns and NO_COLOR change that.
            Exit codes: 0 all is well, 1 something was found that needs a look, 2 the input cannot be used, 3 some of it
            cannot, 4 our own books are wrong.
            """,
        version: BuildVersion.text,
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Run it",
                subcommands: [Demo.self, Serve.self, Recover.self, SimulatePSP.self, ReceiveCallbacks.self]
            ),
            CommandGroup(
                name: "Set it up",
                subcommands: [
                    Migrate.self, ApplyCommand.self, CheckConfig.self, Doctor.self, Keys.self, KeyringCommands.self,
                ]
            ),
            CommandGroup(
                name: "Look into it, and act",
                subcommands: [
                    Orders.self, AttentionItems.self, Holds.self, Webhooks.self, MerchantCommands.self,
                    PSPAccountCommands.self, TestClockCommands.self, AgreementCommands.self,
                    Adapters.self, CallbackCommands.self, SecretCommands.self,
                ]
            ),
            CommandGroup(
                name: "Keep the books",
                subcommands: [Reconcile.self, Breaks.self, Ledger.self, Payouts.self, InvoiceCommands.self, Audit.self]
            ),
            CommandGroup(name: "Open tokens", subcommands: [ApplePay.self, GooglePay.self]),
            CommandGroup(name: "Follow orders in Wallet", subcommands: [WalletOrderCommands.self]),
            CommandGroup(name: "Measure and prove it", subcommands: [Bench.self, Simulate.self]),
            CommandGroup(name: "Get to know it", subcommands: [Completions.self, Manual.self]),
        ]
    )

    /// Runs what the user typed and ends the process with 0, 1, 2, 3 or 4.
    static func main() async {
        refuseUnknownCommand()
        do {
            let command = try parseAsRoot()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                var prompt = command
                try prompt.run()
            }
            if let loss { throw loss }
        } catch {
            end(with: error)
        }
    }

    /// Says so if a word is no command: the parser would complain of the options behind it instead.
    private static func refuseUnknownCommand() {
        var (command, path): (any ParsableCommand.Type, [String]) = (Tributary.self, [])
        for word in CommandLine.arguments.dropFirst() {
            let below =
                command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
            guard !below.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let next = below.first(where: { $0._commandName == word }) else {
                let name = (path + [word]).joined(separator: " ").harmless
                let page = (["tributary"] + path + ["--help"]).joined(separator: " ")
                let known = below.map { $0._commandName }
                let question = EditDistance.question(word, in: known)
                Console.note("Error: there is no command '\(name)'; see '\(page)'.\(question)")
                Self.exit(withError: ExitCode(2))
            }
            (command, path) = (next, path + [word])
        }
    }

    /// What becomes of data that nobody got to see: no success, and nothing found.
    private static var loss: CommandFailure? {
        Console.lostOutput.map { .unusable("the result cannot be written: \($0)") }
    }

    /// Help as the parser writes it; on a terminal wrapped once to its width.
    private static func help(for error: any Error) -> String {
        guard let width = Terminal.columns else { return fullMessage(for: error) }
        return TextWrap.help(fullMessage(for: error, columns: 10_000), width: width)
    }

    /// Says what went wrong where it belongs: help and versions are data, refusals are not.
    private static func end(with error: any Error) -> Never {
        let parserCode = exitCode(for: error)
        let isHelp = parserCode.isSuccess && !(error is ExitCode)
        if isHelp { Console.out(help(for: error)) }
        // A refusal says more than that nobody saw what came before it.
        if isHelp || error is ExitCode, let loss {
            Console.note(loss.message)
            Self.exit(withError: ExitCode(loss.exitCode))
        }
        if isHelp { Self.exit(withError: ExitCode.success) }
        if let exit = error as? ExitCode { Self.exit(withError: exit) }
        Console.note(parserCode == .validationFailure ? fullMessage(for: error) : CommandFailure(error).message)
        Self.exit(withError: ExitCode(CommandFailure(error).exitCode))
    }
}
