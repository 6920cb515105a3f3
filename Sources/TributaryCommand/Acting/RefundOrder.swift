import ArgumentParser
import Domain
import Gateway

/// `tributary orders refund`.
struct RefundOrder: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refund",
        abstract: "Give money back: all that is left, an amount, or amounts of payments.",
        discussion: """
            Amounts are in minor units. Without --amount and --payment everything that is left is given back. An amount
            of an order with several captured payments needs --proportional, which divides it in proportion to what is
            still refundable.
            """
    )

    @Option(name: .long, help: "How much to give back in all, in minor units.")
    var amount: Int64?

    @Flag(name: .long, help: "Divide the amount over the payments in proportion.")
    var proportional = false

    @Option(
        name: .long,
        help: ArgumentHelp("A payment, and how much of it to give back.", valueName: "payment=amount"),
        transform: PaymentAmount.init(argument:)
    )
    var payment: [PaymentAmount] = []

    @Option(name: .long, help: "Who bears the merchant's share: merchant or marketplace.")
    var borneBy: Refund.Bearer = .merchant

    @Option(name: .long, help: "Why, for the order's history.")
    var reason = ""

    @OptionGroup var action: OrderAction

    mutating func validate() throws {
        reason = try TextRule.freeText.checked(reason, "--reason")
        if amount != nil, !payment.isEmpty { throw ValidationError("say --amount or --payment, not both") }
        if let amount, amount < 1 { throw ValidationError("--amount is above zero") }
        if proportional, amount == nil { throw ValidationError("--proportional needs --amount") }
        if payment.contains(where: { $0.amount == nil }) {
            throw ValidationError("say how much of each payment: --payment NAME=AMOUNT")
        }
    }

    func run() async throws {
        try await action.ask { [self] order in
            .refund(RefundRequest(try share(of: order), borneBy: borneBy, reason: reason))
        }
    }

    private func share(of order: Order) throws -> RefundRequest.Share {
        guard payment.isEmpty else {
            return .items(
                try payment.map { Refund.Item(payment: try $0.payment(in: order).id, amount: $0.amount ?? 0) }
            )
        }
        guard let amount else { return .all }
        return proportional ? .proportional(amount) : .amount(amount)
    }
}

extension Refund.Bearer: ExpressibleByArgument {}
