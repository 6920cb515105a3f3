import ArgumentParser

/// `tributary breaks`.
struct Breaks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what files and books differ by, and say what became of it.",
        subcommands: [ListBreaks.self, ShowBreak.self, ResolveBreak.self]
    )
}
