import AdapterKit
import Domain
import StrictJSON
import WireFormats

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
        guard json.objectValue != nil, signed.count == members.count, Self.isPrintable(signed[0]),
            Self.isPrintable(signed[6]), ["true", "false"].contains(signed[7]), Self.isUnambiguous(signed)
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

    private static func isPrintable(_ text: String) -> Bool {
        1...200 ~= text.utf8.count && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
