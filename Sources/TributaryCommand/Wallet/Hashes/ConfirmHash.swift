import ArgumentParser
import Storage

/// `tributary apple-pay hashes confirm`.
struct ConfirmHash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: "Say that a hash is a merchant's; from now on it decides.",
        discussion: "A token whose amounts contradict it is refused, and counted in `hashes list`."
    )

    @OptionGroup var row: HashDecision

    func run() async throws { try await row.write(.confirmed) }
}
