import ArgumentParser

/// `tributary holds`.
struct Holds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what is held on cards.",
        subcommands: [ListHolds.self]
    )
}
