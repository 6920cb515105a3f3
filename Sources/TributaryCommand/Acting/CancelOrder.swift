import ArgumentParser
import Domain

/// `tributary orders cancel`.
struct CancelOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Call an order off and release what it holds; only while nothing is captured."
    )

    @OptionGroup var action: OrderAction

    func run() async throws { try await action.ask { _ in .cancel } }
}
