import ArgumentParser

/// `tributary completions`.
struct Completions: ParsableCommand {
    /// A shell that completes what is typed.
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        /// GNU Bash.
        case bash
        /// Z shell.
        case zsh
        /// fish.
        case fish

        fileprivate var parsers: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    static let configuration = CommandConfiguration(
        abstract: "Print what has a shell complete commands and options.",
        discussion: """
            Made from the same declarations that read what is typed. The Debian package installs all three.

            Examples:
              source <(tributary completions bash)
              tributary completions zsh > ~/.zfunc/_tributary
              tributary completions fish > ~/.config/fish/completions/tributary.fish
            """
    )

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() throws { Console.out(Tributary.completionScript(for: shell.parsers)) }
}
