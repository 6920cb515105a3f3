import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing
import WireFormats

/// Adyen's side of the samples, written apart from the adapter.
enum AdyenSample {
    /// The PSP's name of the payment in the samples.
    static let payment = "QFQTPCQ8HXSKGK82"
    /// The PSP's name of what was done to it.
    static let modification = "JDD6LKT8MBLZNN84"
    /// A balance account, as a route names it.
    static let balanceAccount = "BA32272223222B5CTDQPM6W2H"
    /// The key in Adyen's published example of a signature.
    static let secret = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
    /// Another key.
    static let otherSecret = String(repeating: "0f", count: 32)

    static let settings = AdapterSettings(
        account: "sample",
        baseURL: "https://psp.example",
        credentials: [
            "api_key": Secret(Sample.secretKey), "merchant_account": Secret("TributaryMarket"),
            "webhook_secret": Secret(secret),
        ]
    )

    /// The text that an item's signature covers.
    static func payload(_ item: JSON) -> String {
        let members = [
            item["pspReference"], item["originalReference"], item["merchantAccountCode"], item["merchantReference"],
            item["amount"]?["value"], item["amount"]?["currency"], item["eventCode"], item["success"],
        ]
        return members.map { $0?.stringValue ?? $0?.integerValue.map { String($0) } ?? "" }.joined(separator: ":")
    }

    /// A webhook with a good signature in every item; anything else as it is.
    static func signed(_ payload: [UInt8]) throws -> [UInt8] {
        guard let json = try? JSON.parse(payload), let items = json["notificationItems"]?.arrayValue else {
            return payload
        }
        let sealed = try items.map { wrapped in
            try wrapped["NotificationRequestItem"].map { try Self.sealed($0).wrapped } ?? wrapped
        }
        return json.setting("notificationItems", .array(sealed)).bytes
    }

    /// An item with a good signature.
    static func sealed(_ item: JSON) throws -> JSON {
        let key = try #require(Hexadecimal.decode(secret).flatMap(SigningKey.init(bytes:)))
        let code = Base64Writer.text(key.code(of: Array(payload(item).utf8)))
        let data = (item["additionalData"]?.objectValue ?? []).filter { $0.key != "hmacSignature" }
        return item.setting("additionalData", .object(data + [JSON.Member("hmacSignature", .string(code))]))
    }

    /// The only item of a sample of a webhook.
    static func item(_ name: String) throws -> JSON {
        let samples = try WebhookSample.all
        let sample = try #require(samples.first { $0.adapter == "adyen" && $0.name == name }, "no \(name)")
        return try #require(try JSON.parse(sample.incoming.body)["notificationItems"]?[0]?["NotificationRequestItem"])
    }

    /// What the adapter makes of items as they are.
    static func reading(_ items: [JSON], settings: AdapterSettings = settings) throws -> WebhookReading {
        let body: JSON = ["live": "false", "notificationItems": .array(items.map(\.wrapped))]
        let incoming = IncomingWebhook(
            body: body.bytes,
            headers: [Header("Content-Type", "application/json")],
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(Sample.signedAt)
        )
        return try AdyenAdapter(settings: settings).webhook(incoming)
    }
}

extension JSON {
    /// The object with a member set in its place, or put at its end.
    func setting(_ key: String, _ value: JSON) -> JSON {
        let members = objectValue ?? []
        guard members.contains(where: { $0.key == key }) else { return .object(members + [Member(key, value)]) }
        return .object(members.map { $0.key == key ? Member(key, value) : $0 })
    }

    /// The object without a member.
    func removing(_ key: String) -> JSON { .object((objectValue ?? []).filter { $0.key != key }) }

    /// A webhook's item as it stands in the list.
    fileprivate var wrapped: JSON { ["NotificationRequestItem": self] }
}
