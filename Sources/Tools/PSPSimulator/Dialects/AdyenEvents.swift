import Crypto
import StrictJSON
import WireFormats

/// Adyen's standard webhooks, one notification item each.
enum AdyenEvents {
    /// The notification of a change in the books, if Adyen sends one.
    static func notices(of event: BookEvent) -> [WebhookNotice] {
        guard let (code, success) = word(of: event) else { return [] }
        let reference = reference(of: event)
        let item = item(event, code, success, reference)
        let document: JSON = [
            "live": "false", "notificationItems": [["NotificationRequestItem": item]],
        ]
        return [WebhookNotice(id: "\(reference)-\(code)-\(success)", document)]
    }

    /// The body with the item's signature in its additional data.
    static func signed(_ document: JSON, with secret: String) -> [UInt8] {
        guard let key = Hexadecimal.decode(secret),
            let item = document["notificationItems"]?[0]?["NotificationRequestItem"],
            let members = item.objectValue
        else { return document.bytes }
        let text = signedText(item)
        let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: key))
        let signature = JSON.Member("hmacSignature", .string(Base64.encode(Array(code))))
        let data = JSON.object((item["additionalData"]?.objectValue ?? []) + [signature])
        let whole = JSON.object([JSON.Member("additionalData", data)] + members.filter { $0.key != "additionalData" })
        let signed: JSON = [
            "live": .optional(document["live"]), "notificationItems": [["NotificationRequestItem": whole]],
        ]
        return signed.bytes
    }

    /// What is signed: eight fields joined by colons, absent ones empty.
    private static func signedText(_ item: JSON) -> String {
        let fields: [JSON?] = [
            item["pspReference"], item["originalReference"], item["merchantAccountCode"], item["merchantReference"],
            item["amount"]?["value"], item["amount"]?["currency"], item["eventCode"], item["success"],
        ]
        return fields.map { $0?.stringValue ?? $0?.integerValue.map(String.init) ?? "" }.joined(separator: ":")
    }

    private static func item(_ event: BookEvent, _ code: String, _ success: Bool, _ reference: String) -> JSON {
        let authorization = event.authorization
        let isChange = event.operation != nil || event.dispute != nil
        let ownReference = (event.operation?.reference).flatMap { $0.isEmpty ? nil : $0 }
        return .object(omittingAbsent: [
            "additionalData": action(of: event).map { ["modification.action": .string($0)] },
            "amount": AdyenDocument.amount(amount(of: event), authorization.command.currency),
            "eventCode": .string(code),
            "eventDate": .string(Moment.text(event.at) + "+00:00"),
            "merchantAccountCode": .string(authorization.account),
            "merchantReference": .string(ownReference ?? authorization.command.reference),
            "operations": code == "AUTHORISATION" && success ? ["CANCEL", "CAPTURE", "REFUND"] : .none,
            "originalReference": isChange ? .string(AdyenReference.text(authorization.id)) : .none,
            "paymentMethod": .string(AdyenDocument.brand(authorization.command.method)),
            "pspReference": .string(reference),
            "reason": reason(of: event).map(JSON.string),
            "success": .string(success ? "true" : "false"),
        ])
    }

    private static func word(of event: BookEvent) -> (code: String, success: Bool)? {
        let undo = event.operation?.details["event"] ?? "CANCELLATION"
        let isReversal = event.operation?.isReversal == true
        return switch event.type {
        case "authorization.authorized", "authorization.captured": ("AUTHORISATION", true)
        case "authorization.declined": ("AUTHORISATION", false)
        case "authorization.expired": ("EXPIRE", true)
        case "capture.succeeded": ("CAPTURE", true)
        case "capture.failed": ("CAPTURE", false)
        case "capture.failed_later": ("CAPTURE_FAILED", true)
        case "void.succeeded": (isReversal ? "CANCEL_OR_REFUND" : undo, true)
        case "void.failed": (isReversal ? "CANCEL_OR_REFUND" : undo, false)
        case "refund.succeeded": (isReversal ? "CANCEL_OR_REFUND" : "REFUND", true)
        case "refund.failed": (isReversal ? "CANCEL_OR_REFUND" : "REFUND", false)
        case "refund.failed_later": ("REFUND_FAILED", true)
        case "dispute.opened": ("CHARGEBACK", true)
        case "dispute.won": ("CHARGEBACK_REVERSED", true)
        case "dispute.lost": ("DISPUTE_DEFENSE_PERIOD_ENDED", true)
        default: nil
        }
    }

    private static func reference(of event: BookEvent) -> String {
        if let dispute = event.dispute {
            return AdyenReference.text(dispute: dispute.id)
        }
        return AdyenReference.text(event.operation?.id ?? event.authorization.id)
    }

    private static func amount(of event: BookEvent) -> Int64 {
        if let dispute = event.dispute { return dispute.amount }
        if let operation = event.operation, operation.kind != .void { return operation.amount }
        return event.authorization.authorized > 0 ? event.authorization.authorized : event.authorization.command.amount
    }

    private static func action(of event: BookEvent) -> String? {
        guard let operation = event.operation, operation.isReversal else { return nil }
        return operation.kind == .refund ? "refund" : "cancel"
    }

    private static func reason(of event: BookEvent) -> String? {
        if let dispute = event.dispute { return dispute.reason }
        if let refusal = event.operation?.refusal { return refusal.message }
        let code = event.operation == nil ? event.authorization.decline : event.operation?.decline
        return code.map { AdyenReason($0).text }
    }
}
