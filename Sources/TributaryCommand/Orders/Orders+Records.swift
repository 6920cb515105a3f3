public import ArgumentParser
public import Domain
import Foundation
import Gateway

/// Which payment a command is about that enters by hand what a PSP did, and what the PSP calls it.
struct RecordedPayment: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The payment, by its id or its merchant; may be left out if the order has one.",
            valueName: "payment"
        )
    )
    var payment: String?

    @Option(name: .long, help: "The PSP's name for it; its own word under that name then changes nothing.")
    var pspReference: String?

    mutating func validate() throws {
        if let pspReference, pspReference.isEmpty || pspReference.utf8.count > 255 {
            throw ValidationError("--psp-reference has 1 to 255 bytes")
        }
        pspReference = try pspReference.map { try TextRule.reference.checked($0, "--psp-reference") }
    }

    /// The payment of an order.
    ///
    /// - Throws: ``CommandFailure`` if there is none, or none is named and the order has several.
    func named(in order: OrderDocument) throws -> OrderDocument.Payment {
        if let payment { return try PaymentAmount(name: payment).payment(in: order) }
        guard order.payments.count == 1 else {
            let names = order.payments.map(\.externalIdentifier.harmless).joined(separator: ", ")
            throw CommandFailure.unusable("say --payment: the order has \(names)")
        }
        return order.payments[0]
    }
}

/// A command that enters by hand what a PSP did.
protocol RecordCommand: OrderCommand {
    var about: RecordedPayment { get }
    var evidence: EvidenceOptions { get }

    /// What was done, in the order's currency.
    ///
    /// - Throws: ``CommandFailure`` for amounts that have not the currency's digits.
    func deed(in currency: Currency) throws -> OperatorRecord.Deed
}

extension RecordCommand {
    /// Enters what was done to the payment, and shows the order.
    ///
    /// - Throws: ``CommandFailure`` with the order's refusal, or `SQLError`.
    func run() async throws {
        try await ask { [self] order in
            let deed = try deed(in: order.currency())
            let record = OperatorRecord(deed, of: try about.named(in: order).id, reference: about.pspReference)
            return .record(record, evidence.value)
        }
    }
}

/// `--evidence` and `--reason`, which everything that a person enters by hand needs.
struct EvidenceOptions: ParsableArguments {
    @Option(name: .long, help: "Where it can be seen.")
    var evidence: String

    @Option(name: .long, help: "Why you say so.")
    var reason: String

    mutating func validate() throws {
        if evidence.isEmpty || reason.isEmpty { throw ValidationError("--evidence and --reason say something") }
        evidence = try TextRule.freeText.checked(evidence, "--evidence")
        reason = try TextRule.freeText.checked(reason, "--reason")
    }

    /// Both, with the user's name.
    var value: OrderRequest.Evidence { .init(evidence: evidence, reason: reason, by: NSUserName()) }
}

/// `tributary orders record-dispute`.
struct RecordDispute: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-dispute",
        abstract: "Enter a dispute that no webhook told of, or what has become of it.",
        discussion: """
            Once you have seen it at the PSP. It is posted like the PSP's own word, with evidence, reason and your name in
            the order's events. Who bears it is the merchant's dispute_liability as of the sale. Amounts are decimals of
            the order's currency. The same again, or the PSP's own word under --psp-reference, changes nothing.

            Example:
              tributary orders record-dispute cart-10293 --payment hotel-7 --amount 15.00 --state opened \\
                --psp-reference dp_7 --fee 15.00 --evidence "portal, dispute dp_7" --reason "the PSP sends no webhook"
            """
    )

    @Option(name: .long, help: "The disputed amount, as 12.00.")
    var amount: TypedAmount

    @Option(name: .long, help: "Where it stands: opened, won or lost.")
    var state: DisputeNotice.State

    @Option(name: .long, help: "What the PSP takes for the dispute so far, as 15.00.")
    var fee: TypedAmount?

    @OptionGroup var about: RecordedPayment
    @OptionGroup var evidence: EvidenceOptions
    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func validate() throws { if amount.isZero { throw ValidationError("--amount is above zero") } }

    func deed(in currency: Currency) throws -> OperatorRecord.Deed {
        let disputed = try amount.money(in: currency, "--amount").minorUnits
        let taken = try fee?.money(in: currency, "--fee").minorUnits
        return .dispute(DisputeNotice(state: state, amount: disputed, fee: taken))
    }
}

/// `tributary orders record-refund`.
struct RecordRefund: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-refund",
        abstract: "Enter a refund that was made at the PSP and that no webhook told of.",
        discussion: "Posted like the PSP's own word; the same again under --psp-reference changes nothing."
    )

    @Option(name: .long, help: "What was given back, as 12.00.")
    var amount: TypedAmount

    @OptionGroup var about: RecordedPayment
    @OptionGroup var evidence: EvidenceOptions
    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func validate() throws { if amount.isZero { throw ValidationError("--amount is above zero") } }

    func deed(in currency: Currency) throws -> OperatorRecord.Deed {
        .refund(amount: try amount.money(in: currency, "--amount").minorUnits)
    }
}

/// `tributary orders record-capture`.
struct RecordCapture: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-capture",
        abstract: "Enter a capture that was made at the PSP and that no webhook told of.",
        discussion: "Posted like the PSP's own word; the same again under --psp-reference changes nothing."
    )

    @Option(name: .long, help: "What was taken, as 12.00.")
    var amount: TypedAmount

    @Flag(name: .long, help: "The rest of the hold is still held.")
    var keepRest = false

    @OptionGroup var about: RecordedPayment
    @OptionGroup var evidence: EvidenceOptions
    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func validate() throws { if amount.isZero { throw ValidationError("--amount is above zero") } }

    func deed(in currency: Currency) throws -> OperatorRecord.Deed {
        .capture(amount: try amount.money(in: currency, "--amount").minorUnits, isFinal: !keepRest)
    }
}

/// `tributary orders record-void`.
struct RecordVoid: RecordCommand {
    static let configuration = CommandConfiguration(
        commandName: "record-void",
        abstract: "Enter that a hold was released at the PSP and that no webhook told of it.",
        discussion: "All that is held of the payment counts as released."
    )

    @OptionGroup var about: RecordedPayment
    @OptionGroup var evidence: EvidenceOptions
    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func deed(in currency: Currency) throws -> OperatorRecord.Deed { .void }
}

/// `tributary orders resolve`.
struct ResolveOperation: OrderCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Say what became of an operation whose outcome nobody knows.",
        discussion: """
            For an operation that the PSP cannot be asked about any more, once you have seen in its dashboard what became
            of it. The word is written down as a fact of origin operator, with evidence, reason and your name, and the
            order goes on from it: an authorization that failed refuses an order that needs it, one that succeeded is
            captured or released.
            """
    )

    /// What an operator may have found out.
    enum Outcome: String, CaseIterable, ExpressibleByArgument {
        /// It was done.
        case succeeded
        /// It was refused.
        case failed
        /// It never reached the PSP.
        case notSent = "not_sent"
    }

    @Option(name: .long, help: "The operation's id; may be left out if only one is open.")
    var operation: String?

    @Option(name: .long, help: "What became of it: succeeded, failed or not_sent.")
    var outcome: Outcome

    @Option(name: .long, help: "What was done, as 12.00, if it is not what was asked.")
    var amount: TypedAmount?

    @Option(name: .long, help: "The PSP's name for what was made.")
    var pspReference: String?

    @OptionGroup var evidence: EvidenceOptions
    @OptionGroup var order: OrderArgument
    @OptionGroup var sending: SendingOptions
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws {
        if outcome != .succeeded, amount != nil || pspReference != nil {
            throw ValidationError("--amount and --psp-reference belong to --outcome succeeded")
        }
        pspReference = try pspReference.map { try TextRule.reference.checked($0, "--psp-reference") }
    }

    func run() async throws {
        try await ask { [self] order in
            .resolve(try named(in: order), try word(order.currency()), evidence.value)
        }
    }

    private func word(_ currency: Currency) throws -> ManualOutcome {
        switch outcome {
        case .succeeded:
            .succeeded(amount: try amount?.money(in: currency, "--amount").minorUnits, reference: pspReference)
        case .failed: .failed
        case .notSent: .notSent
        }
    }

    private func named(in order: OrderDocument) throws -> OperationID {
        if let operation {
            guard let id = OperationID(operation) else {
                throw CommandFailure.unusable("\(operation.harmless) is no operation's id; `orders show` lists them")
            }
            return id
        }
        let open = order.openOperations
        guard let only = open.first else { throw CommandFailure.finding("the order has no open operation") }
        guard open.count == 1 else {
            let names = open.map(\.text).joined(separator: ", ")
            throw CommandFailure.unusable("say --operation: there are \(names)")
        }
        return only
    }
}

/// A payment and an amount of it: `hotel-7=15.00` or `pay_…=15.00`.
struct PaymentAmount: Hashable {
    /// The payment's id, or its merchant's external identifier.
    let name: String
    /// The amount; nil for all of it.
    let amount: TypedAmount?

    /// All of a payment.
    init(name: String) { (self.name, amount) = (name, nil) }

    /// Reads a payment's name, and the amount behind the last equals sign if there is one.
    ///
    /// - Throws: `ValidationError` with what is wrong.
    init(argument: String) throws {
        guard let sign = argument.lastIndex(of: "=") else {
            guard !argument.isEmpty else { throw ValidationError("--payment names no payment") }
            (name, amount) = (argument, nil)
            return
        }
        name = String(argument[..<sign])
        guard !name.isEmpty else {
            throw ValidationError("--payment \(argument.harmless) names no payment; say it as in hotel-7=15.00")
        }
        let text = String(argument[argument.index(after: sign)...])
        guard let amount = TypedAmount(argument: text), !amount.isZero else {
            throw ValidationError(
                "--payment \(argument.harmless): an amount is above zero and written as in hotel-7=15.00"
            )
        }
        self.amount = amount
    }

    /// How much of the order's payment is meant, in minor units; nil for all of it.
    ///
    /// - Throws: ``CommandFailure`` if it has not the digits of the order's currency.
    func units(of order: OrderDocument) throws(CommandFailure) -> Int64? {
        try amount?.money(in: order.currency(), "--payment \(name.harmless)").minorUnits
    }

    /// The payment of an order that is meant.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    func payment(in order: OrderDocument) throws -> OrderDocument.Payment {
        let found = order.payments.first { $0.id.text == name || $0.externalIdentifier == name }
        guard let found else {
            let known = order.payments.map(\.externalIdentifier.harmless).joined(separator: ", ")
            throw CommandFailure.unusable("the order has no payment \(name.harmless); it has \(known)")
        }
        return found
    }
}

extension DisputeNotice.State: ExpressibleByArgument {}
