package import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What Adyen says on its own.
extension AdyenAdapter: WebhookListener {
    /// A webhook may bring many items at once, each with additional data of its own.
    package static var webhookBodyLimitBytes: Int { IncomingWebhook.bodyLimitBytes }

    /// Verifies the signature of every item and reads them all; one that does not match refuses the whole.
    ///
    /// An item of another merchant account says nothing: a webhook may be set up for a whole company.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try incoming.requireVerifiable(with: webhookKeys)
            guard let items = NotificationItem.items(incoming.body) else { throw .malformed }
            try NotificationItem.verify(items, with: webhookKeys)
            return .read(items.map(read), reply: Self.acknowledgement)
        } catch {
            return .refused(error)
        }
    }

    /// Every webhook is acknowledged with this word.
    private static let acknowledgement = WireReply(
        status: 200,
        headers: [Header("Content-Type", "text/plain; charset=utf-8")],
        body: Array("[accepted]".utf8)
    )

    private func read(_ item: NotificationItem) -> WebhookEvent {
        var event = WebhookEvent(
            id: "\(item.eventCode):\(item.reference):\(item.isSuccess)",
            type: item.eventCode,
            merchantAccount: account(of: item)
        )
        guard item.merchantAccountCode.lowercased() == requests.merchantAccount.lowercased() else { return event }
        switch AdyenEventReader(item: item).news {
        case .nothing: break
        case .notice(let notice):
            event.notices = [notice]
            event.currency = item.currency
        case .unreadable(let problem): event.problem = problem
        }
        return event
    }

    /// The submerchant's account behind our reference; without one, the platform is paid.
    ///
    /// What was done in the Customer Area has a reference of its own, which names nobody.
    private func account(of item: NotificationItem) -> NoticeAccount {
        guard let reference = MerchantReference(item.merchantReference) else { return .unsaid }
        return reference.merchantAccount.map(NoticeAccount.merchant) ?? .platform()
    }
}

/// One item of a webhook.
struct NotificationItem {
    /// The eight members that are signed, in the order of signing, absent ones empty.
    let signed: [String]
    /// The codes of the signature; none if there is no signature in Adyen's form.
    let codes: [[UInt8]]

    /// Adyen's name of the payment, or of what was done to it.
    let reference: String
    /// Adyen's name of the payment, if ``reference`` is of something that was done to it.
    let originalReference: String?
    let merchantAccountCode: String
    /// The reference that we gave.
    let merchantReference: String
    let eventCode: String
    let isSuccess: Bool
    let currency: Currency?
    /// In Adyen's unit.
    let value: Int64?
    /// When it happened, by Adyen's clock.
    let at: Timestamp?
    let reason: String?
    /// Not signed, and different for every kind of event.
    let additionalData: JSON?

    /// How many items one webhook may bring; Adyen sends one.
    private static let itemLimit = 100
    /// How deep the body nests: list, wrapper, item, and the members of `additionalData`.
    private static let depthLimit = 8

    /// Reads the items of a webhook; nil if it is none as Adyen documents it.
    ///
    /// The signature is inside, so that this much is read of what nobody has verified.
    static func items(_ body: [UInt8]) -> [NotificationItem]? {
        guard let json = try? JSON.parse(body, depthLimit: depthLimit),
            let elements = json["notificationItems"]?.arrayValue, (1...itemLimit).contains(elements.count)
        else { return nil }
        let items = elements.compactMap { $0["NotificationRequestItem"].flatMap(NotificationItem.init) }
        return items.count == elements.count ? items : nil
    }

    private init?(_ json: JSON) {
        let amount = json["amount"]
        let members = [
            json["pspReference"], json["originalReference"], json["merchantAccountCode"], json["merchantReference"],
            amount?["value"], amount?["currency"], json["eventCode"], json["success"],
        ]
        let signed = members.compactMap(Self.text)
        guard json.objectValue != nil, signed.count == members.count, ProtocolText.isPrintable(signed[0], limit: 200),
            ProtocolText.isPrintable(signed[6], limit: 200), ["true", "false"].contains(signed[7]),
            Self.isUnambiguous(signed)
        else { return nil }
        self.signed = signed
        reference = signed[0]
        originalReference = signed[1].isEmpty ? nil : signed[1]
        merchantAccountCode = signed[2]
        merchantReference = signed[3]
        value = Int64(signed[4])
        currency = Currency(code: signed[5])
        eventCode = signed[6]
        isSuccess = signed[7] == "true"
        at = json["eventDate"]?.stringValue.flatMap { RFC3339.timestamp($0) }
        reason = json["reason"]?.stringValue
        additionalData = json["additionalData"]
        let signature = json["additionalData"]?["hmacSignature"]?.stringValue
        codes = [signature.flatMap { Base64.decode($0) }].compactMap(\.self).filter { !$0.isEmpty }
    }

    /// A member as it is signed; nil if it is an object or an array, which none of them is.
    private static func text(_ member: JSON?) -> String? {
        switch member {
        case nil, .null: ""
        case .string(let text): text
        case .integer(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        case .number, .array, .object: nil
        }
    }

    /// Whether the members can be told apart in the text that is signed, where colons join them and none is escaped.
    ///
    /// Only our reference, which a person may have written in the Customer Area, may hold a colon.
    private static func isUnambiguous(_ signed: [String]) -> Bool {
        signed.indices.allSatisfy { $0 == 3 || !signed[$0].utf8.contains(UInt8(ascii: ":")) }
    }
}

/// The signature in each item: HMAC-SHA256 over eight of its members joined by colons, in base 64.
///
/// Source: Adyen's "Verify HMAC signatures", read in November 2026. Nothing is escaped, no time is signed, and neither
/// are `eventDate`, `reason` and `additionalData`: what those say decides nothing about money.
extension NotificationItem {
    /// Verifies every item.
    ///
    /// - Throws: ``WebhookRefusal/unsigned`` or ``WebhookRefusal/wrongSignature``.
    static func verify(_ items: [NotificationItem], with keys: [SigningKey]) throws(WebhookRefusal) {
        guard items.allSatisfy({ !$0.codes.isEmpty }) else { throw .unsigned }
        let failures = items.filter { item in
            !keys.authenticate(anyOf: item.codes, of: Array(item.signed.joined(separator: ":").utf8))
        }
        guard failures.isEmpty else { throw .wrongSignature }
    }
}
