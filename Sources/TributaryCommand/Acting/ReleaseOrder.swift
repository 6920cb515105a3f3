import ArgumentParser
import Domain
import Gateway

/// `tributary orders release`.
struct ReleaseOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Let go of what an order holds beyond what is captured: all of it, or that of payments.",
        discussion: """
            For an accepted order under manual capture, for example after `orders capture --keep-rest`. A PSP that lets go
            of nothing behind a partial capture refuses it; there the rest lapses by itself.
            """
    )

    @Option(name: .long, help: ArgumentHelp("A payment whose rest is let go of.", valueName: "payment"))
    var payment: [String] = []

    @OptionGroup var action: OrderAction

    func run() async throws {
        try await action.ask { [payment] order in
            guard !payment.isEmpty else { return .release(.whole) }
            return .release(.payments(try payment.map { try PaymentAmount(name: $0).payment(in: order).id }))
        }
    }
}
