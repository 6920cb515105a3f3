import ArgumentParser

/// `tributary ledger`.
struct Ledger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See what is owed to merchants, and why; hold the books to their rules.",
        subcommands: [ShowStatement.self, ShowBalances.self, VerifyLedger.self, RollUpLedger.self]
    )
}
