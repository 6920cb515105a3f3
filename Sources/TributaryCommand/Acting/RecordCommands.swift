import ArgumentParser
import Domain

/// `tributary orders record-dispute`.
struct RecordDispute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-dispute",
        abstract: "Enter a dispute that no webhook told of, or what has become of it.",
        discussion: """
            Once you have seen it at the PSP. It is posted like the PSP's own word, with evidence, reason and your name in
            the order's events. Who bears it is the merchant's dispute_liability as of the sale. Amounts are in minor
            units. The same again, or the PSP's own word under --psp-reference, changes nothing.

            Example:
              tributary orders record-dispute cart-10293 --payment hotel-7 --amount 1500 --state opened \\
                --psp-reference dp_7 --fee 1500 --evidence "portal, dispute dp_7" --reason "the PSP sends no webhook"
            """
    )

    /// Where a dispute stands.
    enum State: String, CaseIterable, ExpressibleByArgument {
        /// The amount is taken back for now.
        case opened
        /// The amount is the merchant's again.
        case won
        /// The amount stays with the buyer.
        case lost

        fileprivate var notice: DisputeNotice.State {
            switch self {
            case .opened: .opened
            case .won: .won
            case .lost: .lost
            }
        }
    }

    @Option(name: .long, help: "The disputed amount.")
    var amount: Int64

    @Option(name: .long, help: "Where it stands: opened, won or lost.")
    var state: State

    @Option(name: .long, help: "What the PSP takes for the dispute so far.")
    var fee: Int64?

    @OptionGroup var arguments: RecordArguments

    func validate() throws {
        if amount < 1 { throw ValidationError("--amount is above zero") }
        if let fee, fee < 0 { throw ValidationError("--fee is not below zero") }
    }

    func run() async throws {
        try await arguments.record(.dispute(DisputeNotice(state: state.notice, amount: amount, fee: fee)))
    }
}

/// `tributary orders record-refund`.
struct RecordRefund: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-refund",
        abstract: "Enter a refund that was made at the PSP and that no webhook told of.",
        discussion: "Posted like the PSP's own word; the same again under --psp-reference changes nothing."
    )

    @Option(name: .long, help: "What was given back, in minor units.")
    var amount: Int64

    @OptionGroup var arguments: RecordArguments

    func validate() throws { if amount < 1 { throw ValidationError("--amount is above zero") } }

    func run() async throws { try await arguments.record(.refund(amount: amount)) }
}

/// `tributary orders record-capture`.
struct RecordCapture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-capture",
        abstract: "Enter a capture that was made at the PSP and that no webhook told of.",
        discussion: "Posted like the PSP's own word; the same again under --psp-reference changes nothing."
    )

    @Option(name: .long, help: "What was taken, in minor units.")
    var amount: Int64

    @Flag(name: .long, help: "The rest of the hold is still held.")
    var keepRest = false

    @OptionGroup var arguments: RecordArguments

    func validate() throws { if amount < 1 { throw ValidationError("--amount is above zero") } }

    func run() async throws { try await arguments.record(.capture(amount: amount, isFinal: !keepRest)) }
}

/// `tributary orders record-void`.
struct RecordVoid: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-void",
        abstract: "Enter that a hold was released at the PSP and that no webhook told of it.",
        discussion: "All that is held of the payment counts as released."
    )

    @OptionGroup var arguments: RecordArguments

    func run() async throws { try await arguments.record(.void) }
}
