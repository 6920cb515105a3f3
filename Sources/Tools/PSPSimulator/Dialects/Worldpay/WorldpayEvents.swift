import Crypto
import StrictJSON
import WireFormats

/// Worldpay's events, and what they are signed with (docs.worldpay.com/access/products/events, read 2026).
///
/// An event names the payment by the caller's reference alone. `settled` and `refunded` are not sent: accounts have
/// them only by arrangement.
enum WorldpayEvents {
    /// The events that tell of a change in the books; none if Worldpay has none for it.
    static func notices(of event: BookEvent) -> [WebhookNotice] {
        types(of: event).map { type in
            let id = identifier(event.id + " " + type)
            return WebhookNotice(id: id, document(event, type, id))
        }
    }

    /// The header of a body: two signatures in either order, as while a key is being replaced.
    static func signatures(of body: [UInt8], id: String, with secret: String) -> String {
        guard let key = Hexadecimal.decode(secret) else { return "" }
        let keys = [("1", Array(SHA256.hash(data: key))), ("2", key)]
        let parts = keys.map { number, key in
            let code = HMAC<SHA256>.authenticationCode(for: body, using: SymmetricKey(data: key))
            return "\(number)/SHA256/\(Hexadecimal.encode(code))"
        }
        let isTurned = id.utf8.reduce(0) { $0 + Int($1) }.isMultiple(of: 2)
        return (isTurned ? parts.reversed() : parts).joined(separator: ",")
    }

    private static func types(of event: BookEvent) -> [String] {
        let isAnnounced =
            switch event.authorization.script.effect(of: .authorize) {
            case .finish, .fail: true
            default: false
            }
        let beginning = isAnnounced ? [] : ["sentForAuthorization"]
        return switch event.type {
        case "authorization.pending": ["sentForAuthorization"]
        case "authorization.authorized": beginning + ["authorized"]
        case "authorization.captured": beginning + ["authorized", "sentForSettlement"]
        case "authorization.declined": event.authorization.isSubmitted ? beginning + ["refused"] : []
        case "authorization.expired": ["expired"]
        case "capture.succeeded": ["sentForSettlement"]
        case "capture.failed", "capture.failed_later": ["settlementFailed"]
        case "void.succeeded": ["cancelled"]
        case "refund.succeeded": ["sentForRefund"]
        case "refund.failed", "refund.failed_later": ["refundFailed"]
        case "dispute.opened": ["informationRequested"]
        default: []
        }
    }

    private static func document(_ event: BookEvent, _ type: String, _ id: String) -> JSON {
        let authorization = event.authorization
        let isDispute = event.dispute != nil
        let reference = event.operation.flatMap { WorldpayDocument.reference(of: $0, authorization) }
        let details = JSON.object(omittingAbsent: [
            "classification": isDispute ? "chargeback" : "payment",
            "downstreamReference": isDispute
                ? .none : .string(String(3_378_000_000 + WorldpayDocument.number(authorization))),
            "transactionReference": .string(authorization.command.reference),
            "type": .string(type),
            "date": .string(String(Moment.text(authorization.createdAt).prefix(10))),
            "reference": reference.map(JSON.string),
            "refund": type == "refundFailed" ? refusal(event) : .none,
            "amount": type == "refused"
                ? .none
                : [
                    "value": .integer(amount(of: event)), "currencyCode": .string(authorization.command.currency),
                ],
            "_links": ["payment": ["href": ""]],
        ])
        let moment = String(WorldpayMoment.text(event.at).dropLast())
        return ["eventId": .string(id), "eventTimestamp": .string(moment), "eventDetails": details]
    }

    private static func refusal(_ event: BookEvent) -> JSON? {
        guard let code = event.operation?.decline.map(WorldpayRefusalCode.init) else { return .none }
        return ["refusal": ["code": .string(code.code), "description": .string(code.description)]]
    }

    private static func amount(of event: BookEvent) -> Int64 {
        if let dispute = event.dispute { return dispute.amount }
        if let operation = event.operation, operation.kind != .void { return operation.amount }
        let authorized = event.authorization.authorized
        return authorized > 0 ? authorized : event.authorization.command.amount
    }

    /// A UUID that is the same whenever it is made for the same text (RFC 9562, version 8).
    private static func identifier(_ text: String) -> String {
        var digits = Array(Hexadecimal.encode(SHA256.hash(data: Array(text.utf8))).prefix(32))
        digits[12] = "8"
        digits[16] = "8"
        let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return groups.map { String(digits[$0]) }.joined(separator: "-")
    }
}
