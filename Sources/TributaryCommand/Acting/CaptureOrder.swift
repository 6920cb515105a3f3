import ArgumentParser
import Domain
import Gateway

/// `tributary orders capture`.
struct CaptureOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capture",
        abstract: "Take what is held of an order: all of it, or amounts of payments.",
        discussion: """
            Amounts are in minor units: `--payment hotel-7=1500` takes 15.00 USD of hotel-7's payment, `--payment hotel-7`
            all that is held of it. What is left of a hold is released, unless --keep-rest says otherwise and the PSP
            captures several times.
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp("A payment, and how much of it to take.", valueName: "payment[=amount]"),
        transform: PaymentAmount.init(argument:)
    )
    var payment: [PaymentAmount] = []

    @Flag(name: .long, help: "Keep holding what is left.")
    var keepRest = false

    @OptionGroup var action: OrderAction

    func validate() throws {
        if keepRest, payment.isEmpty { throw ValidationError("--keep-rest needs --payment") }
    }

    func run() async throws {
        try await action.ask { [payment, keepRest] order in
            guard !payment.isEmpty else { return .capture(.whole) }
            let items = try payment.map {
                CaptureRequest.Item(payment: try $0.payment(in: order).id, amount: $0.amount, isFinal: !keepRest)
            }
            return .capture(.items(items))
        }
    }
}
