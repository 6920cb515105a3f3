import ArgumentParser
import Storage

/// `tributary apple-pay hashes reject`.
struct RejectHash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Say that a hash is not a merchant's; the row decides nothing."
    )

    @OptionGroup var row: HashDecision

    func run() async throws { try await row.write(.rejected) }
}
