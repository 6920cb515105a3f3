import ArgumentParser

/// `tributary payouts`.
struct Payouts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what merchants were paid, and what of it failed; list it.",
        discussion: "Tributary pays nobody. A payout is a fact that is told to it, and posted.",
        subcommands: [RecordPayout.self, FailPayout.self, ListPayouts.self]
    )
}
