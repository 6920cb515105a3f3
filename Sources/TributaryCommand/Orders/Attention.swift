import ArgumentParser
import Domain
import SQL
import Storage
import StrictJSON

/// `tributary attention`.
struct AttentionItems: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attention",
        abstract: "See what waits for a person.",
        subcommands: [ListAttention.self]
    )
}

/// `tributary attention list`.
struct ListAttention: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what waits for a person, the longest first, with the amount at risk.",
        discussion: "Exits 1 if there is anything, so that a scheduler can ask."
    )

    @Option(name: .long, help: "How many orders at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [marketplace, limit] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return (
                    orders: try OrderSearch.needingAttention(marketplace: owner, limit: limit.count, in: session),
                    hashes: try MerchantHashTable.contradicted(of: owner, limit: limit.count, in: session),
                    endpoints: try CallbackEndpointTable.all(of: owner, in: session),
                    callbacks: try CallbackStatistics.counts(of: owner, in: session),
                    strays: try WebhookTable.strays(of: owner, in: session),
                    unreadable: try OrderSearch.unreadableNeedingAttention(
                        marketplace: owner,
                        limit: limit.count,
                        in: session
                    ),
                    failing: try StepFailures.list(marketplace: owner, limit: limit.count, in: session),
                    refusals: try CredentialRefusalTable.all(of: owner, in: session),
                    wallet: try WalletProblemTable.all(of: owner, in: session)
                )
            }
        }
        var table = Table(attentionOf: found.orders)
        for refusal in found.refusals { table.add(refusal) }
        for problem in found.wallet { table.add(problem) }
        table.add(failing: found.failing)
        table.add(unreadable: found.unreadable, told: found.failing)
        table.add(contradicted: found.hashes)
        table.add(deserted: found.endpoints, found.callbacks)
        table.add(strays: found.strays)
        output.write(table, orSaying: "Nothing waits for a person.")
        guard table.rows.isEmpty else { throw ExitCode(1) }
    }
}

extension Table {
    private static let attentionColumns = [
        "order", "reference", "merchant", "psp_account", "reason", "currency", "amount_at_risk", "since", "operation",
        "webhook", "what_to_do",
    ]

    /// A row for each thing that a person should look at.
    init(attentionOf orders: [Order]) {
        self.init(columns: Self.attentionColumns)
        for order in orders { add(attentionOf: OrderDocument(order)) }
    }

    /// A row for each thing about an order that a person should look at.
    init(attentionOf document: OrderDocument) {
        self.init(columns: Self.attentionColumns)
        add(attentionOf: document)
    }

    private mutating func add(attentionOf document: OrderDocument) {
        let order = document.order
        for item in order.list("attention") {
            let payment = order.list("payments").first { $0["id"] == item["payment"] }
            let advice = Attention.Reason(rawValue: item.text("reason"))?.advice(about: item["webhook"]?.stringValue)
            add(
                .text(of: order["id"]),
                .text(of: order["reference"]),
                .text(of: payment?["external_identifier"]),
                .text(of: payment?["psp_account"]),
                .text(of: item["reason"]),
                .text(of: order["currency"]),
                .amount(of: item["amount_at_risk"], in: order["currency"]),
                .moment(of: item["since"]),
                .text(of: item["operation"]),
                .text(of: item["webhook"]),
                .optional(advice)
            )
        }
    }

    /// A row for a PSP account whose credentials are refused.
    mutating func add(_ refusal: CredentialRefusal) {
        add(
            .absent,
            .absent,
            .absent,
            .text(refusal.account),
            .text(CredentialRefusal.reason),
            .absent,
            .absent,
            .moment(refusal.since),
            .absent,
            .absent,
            .text(refusal.finding + " " + refusal.advice)
        )
    }

    /// A row for what keeps orders from being followed in Wallet.
    mutating func add(_ problem: WalletProblem) {
        add(
            .text(problem.subject ?? (problem.kind.isAboutOrders ? "every order in Wallet" : "every merchant token")),
            .absent,
            .absent,
            .absent,
            .text(problem.kind.rawValue),
            .absent,
            .absent,
            .moment(problem.since),
            .absent,
            .absent,
            .text("\(problem.finding). \(problem.advice)")
        )
    }

    /// A row for each PSP account with webhooks that cannot be read, or whose order is not known.
    mutating func add(strays: [(oldest: WebhookEntry, count: Int64)]) {
        for (oldest, count) in strays {
            add(
                .absent,
                .text(count > 1 ? "\(count) webhooks" : "webhook"),
                .absent,
                .text(oldest.account),
                .text(Attention.Reason.webhookProblem.rawValue),
                .absent,
                .absent,
                .moment(oldest.receivedAt),
                .absent,
                .text(oldest.id.text),
                .text("See webhooks list --state problem; then webhooks replay or dismiss each.")
            )
        }
    }

    /// A row for each confirmed hash that a token contradicted; no order was placed with it.
    mutating func add(contradicted hashes: [MerchantHashTable.Entry]) {
        for entry in hashes {
            add(
                .absent,
                .text("hash " + entry.hash),
                .text(entry.merchantIdentifier),
                .absent,
                .text("merchant_hash_contradicted"),
                .absent,
                .absent,
                .moment(entry.lastSeenAt),
                .absent,
                .absent,
                .text("See apple-pay hashes list, then apple-pay hashes confirm or reject.")
            )
        }
    }

    /// A row for each endpoint that nothing is sent to, and one for each that has dead letters.
    mutating func add(deserted endpoints: [CallbackEndpoint], _ counts: [EndpointID: (waiting: Int64, dead: Int64)]) {
        for endpoint in endpoints {
            let dead = counts[endpoint.id]?.dead ?? 0
            let reasons =
                (endpoint.state == .disabled ? ["endpoint_disabled"] : []) + (dead > 0 ? ["callbacks_dead"] : [])
            for reason in reasons {
                let isDisabled = reason == "endpoint_disabled"
                add(
                    .absent,
                    .text("endpoint " + endpoint.id.text),
                    .optional(endpoint.merchant?.text),
                    .absent,
                    .text(reason),
                    .absent,
                    .absent,
                    .moment(endpoint.health.lastTriedAt),
                    .absent,
                    .absent,
                    .text(
                        isDisabled
                            ? "Mend the endpoint, then callbacks enable." : "Mend the endpoint, then callbacks replay."
                    )
                )
            }
        }
    }

    /// A row for each attempt that holds money on a card.
    init(holdsOf orders: [Order]) {
        self.init(
            "order",
            "reference",
            "status",
            "merchant",
            "psp_account",
            "psp_reference",
            "currency",
            "held",
            "capture_before"
        )
        for order in orders {
            for payment in order.payments {
                for attempt in payment.attempts where attempt.held > 0 {
                    add(
                        .text(order.id.text),
                        .optional(order.reference),
                        .text(order.status.rawValue),
                        .text(payment.externalIdentifier),
                        .text(attempt.route.pspAccount),
                        .optional(attempt.pspReference),
                        .text(order.amount.currency.code),
                        .amount(attempt.held, order.amount.currency),
                        .moment(attempt.expiresAt)
                    )
                }
            }
        }
    }
}

extension Attention.Reason {
    /// What a person can do about it, in a sentence, if it is about that webhook or about none.
    fileprivate func advice(about webhook: String?) -> String {
        switch self {
        case .unknownOutcome, .overdue: "Look it up at the PSP and say what became of it: orders resolve."
        case .compensationRefused:
            "Release or refund it at the PSP; if no webhook tells of it, enter it: orders record-void or record-refund."
        case .captureFailed: "Capture it again or let the hold go (orders cancel --payment); what was sold is not paid."
        case .successAfterRefusal: "Compare with the PSP: what was held to be refused was done."
        case .amountMismatch: "Compare with the PSP: it acted on another amount than it was asked to."
        case .refundFailed: "Pay the buyer back another way, or refund again."
        case .outcomeReversed: "Compare with the PSP: what had succeeded failed after all."
        case .overRefunded: "Compare with the PSP: contest the dispute, or ask the buyer for what came back twice."
        case .overCaptured: "Compare with the PSP, and refund what was taken too much."
        case .captureVoided:
            "Compare with the PSP: the sale was voided there before it settled, so the merchant is paid nothing of it."
        case .duplicateEffect:
            "Compare with the PSP: it did twice what was asked once; have one of the two undone there, or refunded."
        case .webhookProblem:
            "See webhooks show \(webhook ?? "");"
                + " mend the cause and webhooks replay, or enter it by hand (orders record-dispute, record-refund,"
                + " record-capture, record-void) and webhooks dismiss."
        }
    }
}
