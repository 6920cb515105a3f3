import Crypto
import StrictJSON

/// Braintree's webhooks (reference/general/webhooks, read 2026).
///
/// Of cards it tells when funds are disbursed, when a capture or a refund that was taken has failed, and of disputes.
/// It never tells of an authorization, a void or a refund that succeeded.
package enum BraintreeEvents {
    /// The notifications of a change in the books.
    static func notices(of event: BookEvent) -> [WebhookNotice] {
        kinds(of: event).map { kind in
            let document = XMLElement(
                "notification",
                [
                    XMLElement("timestamp", Moment.text(event.at) + "Z", type: "datetime"), XMLElement("kind", kind),
                    XMLElement("subject", [subject(of: event)]),
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

    private static func subject(of event: BookEvent) -> XMLElement {
        let transaction = BraintreeTransaction(event.authorization, at: event.at)
        if let dispute = event.dispute { return subject(BraintreeDispute(dispute, of: transaction)) }
        if let operation = event.operation, operation.kind == .refund {
            return subject(BraintreeRefund(operation, of: event.authorization, isFresh: false))
        }
        var children = [
            XMLElement("id", transaction.name.legacy), XMLElement("graphql-id", transaction.name.global),
            XMLElement("status", transaction.status.lowercased()), XMLElement("type", "sale"),
        ]
        children += common(transaction, amount: transaction.amount, transaction.orderId)
        if BraintreeTransaction.isSettled(event.authorization, at: event.at) {
            let date = XMLElement("disbursement-date", BraintreeMoment.day(event.at), type: "date")
            children.append(XMLElement("disbursement-details", [date]))
        }
        return XMLElement("transaction", children)
    }

    private static func subject(_ refund: BraintreeRefund) -> XMLElement {
        let transaction = BraintreeTransaction(refund.authorization, at: .max)
        let children = [
            XMLElement("id", refund.name.legacy), XMLElement("graphql-id", refund.name.global),
            XMLElement("status", refund.status.lowercased()), XMLElement("type", "credit"),
            XMLElement("refunded-transaction-id", transaction.name.legacy),
        ]
        return XMLElement(
            "transaction",
            children + common(transaction, amount: refund.operation.amount, refund.orderId)
        )
    }

    private static func subject(_ dispute: BraintreeDispute) -> XMLElement {
        let transaction = dispute.transaction
        let amount = BraintreeAmount.text(dispute.dispute.amount, dispute.currency)
        let won = BraintreeAmount.text(dispute.dispute.returned, dispute.currency)
        let day = BraintreeMoment.day(dispute.dispute.at)
        let taken = [
            XMLElement("id", transaction.name.legacy), XMLElement("graphql-id", transaction.name.global),
            XMLElement("amount", BraintreeAmount.text(transaction.amount, dispute.currency)),
            XMLElement("order-id", transaction.orderId),
            XMLElement("created-at", Moment.text(transaction.authorization.createdAt) + "Z", type: "datetime"),
        ]
        return XMLElement(
            "dispute",
            [
                XMLElement("id", dispute.name.legacy), XMLElement("graphql-id", dispute.name.global),
                XMLElement("kind", "chargeback"), XMLElement("status", dispute.status),
                XMLElement("reason", dispute.reason), XMLElement("amount", amount),
                XMLElement("amount-disputed", amount), XMLElement("amount-won", won),
                XMLElement("currency-iso-code", dispute.currency),
                XMLElement("merchant-account-id", transaction.merchantAccountId),
                XMLElement("received-date", day, type: "date"), XMLElement("date-opened", day, type: "date"),
                XMLElement("reply-by-date", BraintreeMoment.day(dispute.dispute.respondBy), type: "date"),
                XMLElement("transaction", taken),
            ]
        )
    }

    private static func common(
        _ transaction: BraintreeTransaction,
        amount: Int64,
        _ orderId: String?
    ) -> [XMLElement] {
        let currency = transaction.authorization.command.currency
        return [
            XMLElement("amount", BraintreeAmount.text(amount, currency)), XMLElement("currency-iso-code", currency),
            XMLElement("merchant-account-id", transaction.merchantAccountId), XMLElement("order-id", orderId),
            XMLElement("created-at", Moment.text(transaction.authorization.createdAt) + "Z", type: "datetime"),
        ]
    }

    /// The text with everything escaped but letters, digits, `-`, `.` and `_`.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
            return isPlain ? String(character) : "%" + Hexadecimal.encode([byte]).uppercased()
        }.joined()
    }
}
