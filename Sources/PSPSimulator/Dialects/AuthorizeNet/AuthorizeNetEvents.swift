import Crypto
import StrictJSON

/// Authorize.Net's webhooks (developer.authorize.net/api/reference/features/webhooks.html, read 2026).
///
/// There is none of a decline, an expiry, a settlement or a dispute. A refund has an identifier of its own; a capture
/// and a void have the payment's.
enum AuthorizeNetEvents {
    /// The notification of a change in the books, if Authorize.Net sends one.
    static func notices(of event: BookEvent) -> [WebhookNotice] {
        guard let word = word(of: event) else { return [] }
        let id = identifier("notification \(event.id)")
        let document: JSON = [
            "notificationId": .string(id), "eventType": .string("net.authorize.payment.\(word)"),
            "eventDate": .string(AuthorizeNetDate.text(event.at)),
            "webhookId": .string(identifier("webhook \(event.authorization.account)")), "payload": payload(event),
        ]
        return [WebhookNotice(id: id, document)]
    }

    private static func payload(_ event: BookEvent) -> JSON {
        let authorization = event.authorization
        let refund = event.operation.flatMap { $0.kind == .refund ? $0 : nil }
        let details = event.operation?.details ?? authorization.command.details
        return .object(omittingAbsent: [
            "responseCode": .integer(AuthorizeNetReason(of: authorization).responseCode),
            "authCode": .string(AuthorizeNetNumbers.authorizationCode(authorization)),
            "avsResponse": "P",
            "authAmount": AuthorizeNetAmount.json(amount(of: event)),
            "merchantReferenceId": details["refId"].map(JSON.string),
            "invoiceNumber": (details["invoiceNumber"] ?? authorization.command.details["invoiceNumber"])
                .map(JSON.string),
            "entityName": "transaction",
            "id": .string(
                refund.map { AuthorizeNetNumbers.text(of: $0, in: authorization) }
                    ?? AuthorizeNetNumbers.text(of: authorization)
            ),
        ])
    }

    /// What follows `net.authorize.payment.`.
    ///
    /// A transaction that was held for review is told of as it is held and as that is decided. What is worked on is
    /// told of as it is taken, and not again.
    private static func word(of event: BookEvent) -> String? {
        let isLate = event.at > event.authorization.createdAt
        return switch event.type {
        case "authorization.pending", "authorization.requires_action": "fraud.held"
        case "authorization.authorized": isLate ? "fraud.approved" : "authorization.created"
        case "authorization.captured": isLate ? "fraud.approved" : "authcapture.created"
        case "authorization.declined": isLate ? "fraud.declined" : nil
        case "capture.pending", "capture.succeeded": isToldAlready(event) ? nil : "priorAuthCapture.created"
        case "void.pending", "void.succeeded": isToldAlready(event) ? nil : "void.created"
        case "refund.pending", "refund.succeeded": isToldAlready(event) ? nil : "refund.created"
        default: nil
        }
    }

    /// Whether an operation is done that was worked on for a while.
    private static func isToldAlready(_ event: BookEvent) -> Bool {
        event.type.hasSuffix(".succeeded") && event.at > event.operation?.at ?? event.at
    }

    private static func amount(of event: BookEvent) -> Int64 {
        if let operation = event.operation, operation.kind != .void { return operation.amount }
        return event.authorization.authorized > 0 ? event.authorization.authorized : event.authorization.command.amount
    }

    /// An identifier in the form of a UUID, the same whenever it is made again.
    private static func identifier(_ text: String) -> String {
        let digits = Hexadecimal.encode(SHA256.hash(data: Array(text.utf8))).prefix(32)
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}
