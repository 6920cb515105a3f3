import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import SQL
import Settings
import Storage
import StrictJSON
import TributaryClient

/// `tributary payouts`.
struct Payouts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what merchants were paid, and what of it failed; list it.",
        discussion: "Tributary pays nobody. A payout is a fact that is told to it, and posted.",
        subcommands: [RecordPayout.self, FailPayout.self, ListPayouts.self]
    )

    /// Payouts as the API shows them.
    fileprivate static func documents(_ payouts: [Payout], in database: any Database) async throws -> [JSON] {
        try await database.read { session in try PayoutPresenter.json(payouts, in: session) }
    }
}

/// `tributary payouts record`.
struct RecordPayout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record that a merchant was paid what it is owed, or a part of it.",
        discussion: """
            The reference is the bank's or the PSP's, and stands for one payout. Recorded again with the same values,
            nothing changes; with other values, it is refused. The merchant's balance may go below zero.
            Exits 1 if it is refused, and if the payout was recorded before and has failed since.

            Example:
              tributary payouts record --merchant airline-1 --amount 12.34 --currency USD --reference SEPA-20261121-7
            """
    )

    @Option(name: .long, help: ArgumentHelp("The merchant's external identifier, or its id.", valueName: "merchant"))
    var merchant: String

    @Option(name: .long, help: ArgumentHelp("How much, as 12.34.", valueName: "decimal"))
    var amount: TypedAmount

    @OptionGroup var currency: CurrencyOption

    @Option(name: .long, help: ArgumentHelp("What the bank or the PSP calls it.", valueName: "reference"))
    var reference: String

    @Option(name: .long, help: ArgumentHelp("When the money went; now unless said.", valueName: "time or date"))
    var paidAt: String?

    @OptionGroup var zone: TimeZoneOption
    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws {
        reference = try TextRule.reference.checked(reference, "--reference")
        guard !amount.isZero else { throw ValidationError("--amount is above zero") }
        _ = try money()
        _ = try paidAt.map(zone.moment)
    }

    func run() async throws {
        let amount = try money()
        let time = try paidAt.map(zone.moment)
        let (payout, isNews) = try await acting.act(in: marketplace) { settings in
            try await record(amount, at: time, settings)
        } remotely: { server in
            let answer = try await server.post(
                "/v1/payouts",
                .object(omittingAbsent: [
                    "merchant": .string(merchant), "currency": .string(amount.currency.code),
                    "amount": .integer(amount.minorUnits), "reference": .string(reference),
                    "paid_at": time.map { .string($0.description) },
                ])
            ) { problem in
                switch problem.code {
                case "unknown_merchant": CommandFailure(DirectoryRefusal.unknownMerchant(merchant))
                case "not_paid_yet": CommandFailure(PayoutRefusal.notPaidYet)
                default: nil
                }
            }
            return (answer.json, answer.status == 201)
        }
        output.write(Table(payouts: [payout]))
        guard !isNews else { return }
        let sentence = "\(payout.text("id")) is recorded already with this reference; nothing was changed"
        guard let failure = payout["failure"], let at = Timestamp(document: failure["at"]) else {
            return Console.note(sentence + ".")
        }
        throw CommandFailure.finding("\(sentence), and it failed at \(at): \(failure.text("reason").harmless)")
    }

    private func record(_ amount: Money, at time: Timestamp?, _ settings: ServerSettings) async throws -> (JSON, Bool) {
        try await DatabaseUse.looking.open(settings) { [marketplace, merchant, reference] database in
            let owner = try await database.read { session in try marketplace.merchant(merchant, in: session) }
            let draft = try PayoutDraft(
                marketplace: owner.marketplace,
                merchant: owner.id,
                amount: amount,
                reference: reference,
                paidAt: time,
                origin: .operator
            )
            let desk = Gateway.Payouts(
                database: database,
                clock: try await DatabaseClock(database),
                presentation: OrderPresenter.presentation,
                by: .commandLine
            )
            let told = try await desk.record(draft)
            return (try await Payouts.documents([told.payout], in: database)[0], told.isNews)
        }
    }

    private func money() throws -> Money {
        do throws(CommandFailure) {
            return try amount.money(in: currency.currency, "--amount")
        } catch {
            throw ValidationError(error.description)
        }
    }
}

/// `tributary payouts fail`.
struct FailPayout: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fail",
        abstract: "Record that a payout came back or never left; the merchant is owed it again.",
        discussion: """
            The journal keeps the payout and gets an entry that reverses it. Paying again is another payout, with a
            reference of its own. Recorded again for the same reason, nothing changes; for another, it is refused.

            Example:
              tributary payouts fail po_01… --reason "account closed"
            """
    )

    @Argument(help: ArgumentHelp("The payout's id (po_…).", valueName: "payout"), transform: Self.identifier)
    var payout: PayoutID

    @Option(name: .long, help: "Why, in a sentence.")
    var reason: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws { reason = try TextRule.freeText.checked(reason, "--reason") }

    func run() async throws {
        let (failed, isNews) = try await acting.act(in: marketplace) { settings in
            try await fail(settings)
        } remotely: { server in
            let missing = CommandFailure(PayoutRefusal.unknown(payout))
            let before = try await server.get("/v1/payouts/\(payout)", orSaying: missing)
            let body: JSON = ["reason": .string(reason)]
            let after = try await server.post("/v1/payouts/\(payout)/fail", body, orSaying: missing).json
            return (after, before["failure"]?.isNull ?? true)
        }
        output.write(Table(payouts: [failed]))
        if !isNews { Console.note("\(payout) is recorded as failed already; nothing was changed.") }
    }

    private func fail(_ settings: ServerSettings) async throws -> (JSON, Bool) {
        try await DatabaseUse.looking.open(settings) { [marketplace, payout, reason] database in
            let owner = try await database.read { session in try marketplace.choose(in: session) }
            let desk = Gateway.Payouts(
                database: database,
                clock: try await DatabaseClock(database),
                presentation: OrderPresenter.presentation,
                by: .commandLine
            )
            let told = try await desk.fail(payout, of: owner, because: reason)
            return (try await Payouts.documents([told.payout], in: database)[0], told.isNews)
        }
    }

    private static func identifier(_ text: String) throws -> PayoutID {
        guard let id = PayoutID(text) else { throw ValidationError("\(text.harmless) is no payout's id; see list") }
        return id
    }
}

/// `tributary payouts list`.
struct ListPayouts: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what merchants were paid, the latest record first."
    )

    @Option(name: .long, help: ArgumentHelp("Only what this merchant was paid.", valueName: "merchant"))
    var merchant: String?

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let payouts = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, merchant, limit] database in
            try await database.read { session in
                var filter = PayoutTable.Filter(marketplace: try marketplace.filter(in: session))
                if let merchant {
                    let owner = try marketplace.merchant(merchant, in: session)
                    filter.marketplace = owner.marketplace
                    filter.merchant = owner.id
                }
                return try PayoutPresenter.json(PayoutTable.list(filter, limit: limit.count, in: session), in: session)
            }
        }
        output.write(Table(payouts: payouts))
    }
}

extension Table {
    /// A row for each payout, as its document has it.
    init(payouts: [JSON]) {
        self.init(
            "id",
            "merchant",
            "currency",
            "amount",
            "state",
            "reference",
            "paid_at",
            "origin",
            "recorded_at",
            "failed_at",
            "failure"
        )
        for payout in payouts {
            let failure = payout["failure"]
            add(
                .text(of: payout["id"]),
                .text(of: payout["external_identifier"]),
                .text(of: payout["currency"]),
                .amount(of: payout["amount"], in: payout["currency"]),
                .text(of: payout["state"]),
                .text(of: payout["reference"]),
                .moment(of: payout["paid_at"]),
                .text(of: payout["origin"]),
                .moment(of: payout["recorded_at"]),
                .moment(of: failure?["at"]),
                .text(of: failure?["reason"])
            )
        }
    }
}

/// Refused payouts, for whoever typed them.
extension CommandFailure {
    /// Says in which values a telling differs, and what is recorded.
    init(_ refusal: PayoutRefusal) {
        switch refusal {
        case .nothingPaid: self = .unusable("--amount is above zero")
        case .unusableReference:
            self = .unusable(
                "--reference is one line of 1 to \(PayoutDraft.referenceLimit) bytes, without spaces at its ends"
            )
        case .unusableReason:
            self = .unusable(
                "--reason is one line of 1 to \(PayoutRefusal.reasonLimit) bytes, without spaces at its ends"
            )
        case .notPaidYet: self = .finding("--paid-at is later than now: what has not happened is not recorded")
        case .referenceInUse(let payout, let fields):
            let differences = fields.map { "\($0.rawValue) \($0.value(in: payout))" }
            self = .finding(
                "\(payout.reference.harmless) is the reference of \(payout.id), which has "
                    + differences.joined(separator: ", ") + "; nothing was changed"
            )
        case .unknown(let id): self = .finding("there is no payout \(id)")
        case .failedOtherwise(let payout):
            let reason: String = if case .failed(let failure) = payout.state { failure.reason } else { "" }
            self = .finding("\(payout.id) has failed already, with the reason \(reason.harmless); nothing was changed")
        }
    }
}
