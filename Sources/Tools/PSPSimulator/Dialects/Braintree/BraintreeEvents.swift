import Crypto
import StrictJSON
import WireFormats

/// Braintree's webhooks (reference/general/webhooks, read 2026).
///
/// Of cards it tells when funds are disbursed, when a capture or a refund that was taken has failed, and of disputes.
/// It never tells of an authorization, a void or a refund that succeeded.
package enum BraintreeEvents {
    /// The notifications of a change in the books.
    static func notices(of event: BookEvent) -> [WebhookNotice] {
        kinds(of: event).map { kind in
            let document = NotificationElement(
                "notification",
                [
                    NotificationElement("timestamp", Moment.text(event.at) + "Z", type: "datetime"),
                    NotificationElement("kind", kind),
                    NotificationElement("subject", [subject(of: event)]),
                ]
            )
            let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + document.lines()
            return WebhookNotice(id: "\(event.id)-\(kind)", .string(text))
        }
    }

    /// The form that is posted.
    ///
    /// - Parameters:
    ///   - payload: `bt_payload` as it is signed, with its line feeds.
    ///   - secret: the public and the private key with a colon between them.
    /// - Returns: the body.
    package static func form(_ payload: String, signedWith secret: String) -> String {
        let keys = secret.split(separator: ":", maxSplits: 1)
        let key = SymmetricKey(data: Insecure.SHA1.hash(data: Array((keys.last ?? "").utf8)))
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: Array(payload.utf8), using: key)
        let signature = "\(keys.first ?? "")|\(Hexadecimal.encode(code))"
        return "bt_signature=\(escaped(signature))&bt_payload=\(escaped(payload))"
    }

    /// Base 64 in lines of 60 characters, each with its line feed, as Braintree's own libraries write it.
    static func payload(_ document: JSON) -> String {
        var rest = Base64.encode(Array((document.stringValue ?? "").utf8))[...]
        var text = ""
        while !rest.isEmpty {
            text += rest.prefix(60) + "\n"
            rest = rest.dropFirst(60)
        }
        return text
    }

    private static func kinds(of event: BookEvent) -> [String] {
        let wasWorkedOn = event.operation.map { $0.at != event.at } ?? false
        let isDisbursed = BraintreeTransaction.isSettled(event.authorization, at: event.at)
        let disbursed = isDisbursed ? ["transaction_disbursed"] : []
        return switch event.type {
        case "authorization.captured": disbursed
        case "capture.succeeded": (wasWorkedOn ? ["transaction_settled"] : []) + disbursed
        case "capture.failed": wasWorkedOn ? ["transaction_settlement_declined"] : []
        case "capture.failed_later": ["transaction_settlement_declined"]
        case "refund.failed": wasWorkedOn ? ["refund_failed"] : []
        case "refund.failed_later": ["refund_failed"]
        case "dispute.opened", "dispute.won", "dispute.lost": [event.type.replacing(".", with: "_")]
        default: []
        }
    }

    private static func subject(of event: BookEvent) -> NotificationElement {
        let transaction = BraintreeTransaction(event.authorization, at: event.at)
        if let dispute = event.dispute { return subject(BraintreeDispute(dispute, of: transaction)) }
        if let operation = event.operation, operation.kind == .refund {
            return subject(BraintreeRefund(operation, of: event.authorization, isFresh: false))
        }
        var children = [
            NotificationElement("id", transaction.name.legacy),
            NotificationElement("graphql-id", transaction.name.global),
            NotificationElement("status", transaction.status.lowercased()), NotificationElement("type", "sale"),
        ]
        children += common(transaction, amount: transaction.amount, transaction.orderId)
        if BraintreeTransaction.isSettled(event.authorization, at: event.at) {
            let date = NotificationElement("disbursement-date", BraintreeMoment.day(event.at), type: "date")
            children.append(NotificationElement("disbursement-details", [date]))
        }
        return NotificationElement("transaction", children)
    }

    private static func subject(_ refund: BraintreeRefund) -> NotificationElement {
        let transaction = BraintreeTransaction(refund.authorization, at: .max)
        let children = [
            NotificationElement("id", refund.name.legacy), NotificationElement("graphql-id", refund.name.global),
            NotificationElement("status", refund.status.lowercased()), NotificationElement("type", "credit"),
            NotificationElement("refunded-transaction-id", transaction.name.legacy),
        ]
        return NotificationElement(
            "transaction",
            children + common(transaction, amount: refund.operation.amount, refund.orderId)
        )
    }

    private static func subject(_ dispute: BraintreeDispute) -> NotificationElement {
        let transaction = dispute.transaction
        let amount = BraintreeAmount.text(dispute.dispute.amount, dispute.currency)
        let won = BraintreeAmount.text(dispute.dispute.returned, dispute.currency)
        let day = BraintreeMoment.day(dispute.dispute.at)
        let taken = [
            NotificationElement("id", transaction.name.legacy),
            NotificationElement("graphql-id", transaction.name.global),
            NotificationElement("amount", BraintreeAmount.text(transaction.amount, dispute.currency)),
            NotificationElement("order-id", transaction.orderId),
            NotificationElement("created-at", Moment.text(transaction.authorization.createdAt) + "Z", type: "datetime"),
        ]
        return NotificationElement(
            "dispute",
            [
                NotificationElement("id", dispute.name.legacy), NotificationElement("graphql-id", dispute.name.global),
                NotificationElement("kind", "chargeback"), NotificationElement("status", dispute.status),
                NotificationElement("reason", dispute.reason), NotificationElement("amount", amount),
                NotificationElement("amount-disputed", amount), NotificationElement("amount-won", won),
                NotificationElement("currency-iso-code", dispute.currency),
                NotificationElement("merchant-account-id", transaction.merchantAccountId),
                NotificationElement("received-date", day, type: "date"),
                NotificationElement("date-opened", day, type: "date"),
                NotificationElement("reply-by-date", BraintreeMoment.day(dispute.dispute.respondBy), type: "date"),
                NotificationElement("transaction", taken),
            ]
        )
    }

    private static func common(
        _ transaction: BraintreeTransaction,
        amount: Int64,
        _ orderId: String?
    ) -> [NotificationElement] {
        let currency = transaction.authorization.command.currency
        return [
            NotificationElement("amount", BraintreeAmount.text(amount, currency)),
            NotificationElement("currency-iso-code", currency),
            NotificationElement("merchant-account-id", transaction.merchantAccountId),
            NotificationElement("order-id", orderId),
            NotificationElement("created-at", Moment.text(transaction.authorization.createdAt) + "Z", type: "datetime"),
        ]
    }

    /// The text with everything escaped but letters, digits, `-`, `.` and `_`.
    private static func escaped(_ text: String) -> String {
        PercentEncoding.encode(text).replacing("~", with: "%7E")
    }
}

/// An element of an XML document, as far as webhooks need it.
private struct NotificationElement: Hashable, Sendable {
    private let name: String
    private let type: String?
    private let text: String?
    private let children: [NotificationElement]

    /// An element with text.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - text: its text; nil is written as `nil="true"`.
    ///   - type: what the text is, if it is not just text: `datetime`, `date`, `boolean`.
    init(_ name: String, _ text: String?, type: String? = nil) {
        self.name = name
        self.text = text
        self.type = type
        children = []
    }

    /// An element with others inside it.
    init(_ name: String, _ children: [NotificationElement], type: String? = nil) {
        self.name = name
        self.children = children
        self.type = type
        text = ""
    }

    /// The element on lines of its own.
    func lines(indent: String = "") -> String {
        let kind = type.map { " type=\"\($0)\"" } ?? ""
        guard let text else { return "\(indent)<\(name)\(kind) nil=\"true\"/>\n" }
        guard !children.isEmpty else { return "\(indent)<\(name)\(kind)>\(Self.escaped(text))</\(name)>\n" }
        let inner = children.map { $0.lines(indent: indent + "  ") }.joined()
        return "\(indent)<\(name)\(kind)>\n\(inner)\(indent)</\(name)>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&apos;"
            default: String(character)
            }
        }.joined()
    }
}

/// A dispute as Braintree shows it.
struct BraintreeDispute {
    /// The dispute in the books.
    let dispute: BookedDispute
    /// What it is about.
    let transaction: BraintreeTransaction

    /// Shows a dispute.
    init(_ dispute: BookedDispute, of transaction: BraintreeTransaction) {
        self.dispute = dispute
        self.transaction = transaction
    }

    /// Braintree's name for it.
    var name: BraintreeName { BraintreeName(.dispute, dispute.id, currency) }

    /// The currency of its amounts.
    var currency: String { transaction.authorization.command.currency }

    /// Where it stands.
    var status: String { dispute.status == .opened ? "open" : dispute.status.rawValue }

    /// One of the reasons that Braintree knows (reference/response/dispute, read 2026).
    var reason: String {
        if dispute.reason == "fraudulent" { return "fraud" }
        return Self.reasons.contains(dispute.reason) ? dispute.reason : "general"
    }

    /// The object.
    ///
    /// - Parameter depth: how many steps lead back to the transaction.
    /// - Returns: the object.
    func json(depth: Int = 1) -> JSON {
        [
            "__typename": "Dispute", "id": .string(name.global), "legacyId": .string(name.legacy),
            "amountDisputed": BraintreeTransaction.money(dispute.amount, currency),
            "amountWon": BraintreeTransaction.money(dispute.returned, currency),
            "caseNumber": .string("CASE" + name.legacy.uppercased()),
            "createdAt": .string(BraintreeMoment.text(dispute.at)),
            "receivedDate": .string(BraintreeMoment.day(dispute.at)),
            "responseDeadline": .string(BraintreeMoment.text(dispute.respondBy)),
            "replyByDate": .string(BraintreeMoment.day(dispute.respondBy)), "type": "CHARGEBACK",
            "status": .string(status.uppercased()), "transaction": depth > 0 ? transaction.json(depth: 0) : .null,
        ]
    }

    private static let reasons: Set<String> = [
        "cancelled_recurring_transaction", "credit_not_processed", "duplicate", "fraud", "general",
        "invalid_account", "not_recognized", "product_not_received", "product_unsatisfactory",
        "transaction_amount_differs",
    ]
}
