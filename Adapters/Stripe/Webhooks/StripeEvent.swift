import Domain
import StrictJSON

/// The envelope of an event.
struct StripeEvent {
    var id: String
    var type: String
    /// When Stripe made it.
    var at: Timestamp?
    /// The connected account it happened on; nil for the account of the key.
    var account: String?
    /// Whether it is of live money; nil if it does not say.
    var isLive: Bool?
    /// Our operation whose request caused it, from the idempotency key that Stripe repeats.
    var cause: OperationID?
    /// The object as it was when the event was made.
    var object: JSON?

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, let type = json["type"]?.stringValue,
            Self.isPrintable(id, limit: 255), Self.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        at = json["created"]?.integerValue.flatMap(LatestCharge.timestamp)
        account = json["account"]?.stringValue
        isLive = json["livemode"]?.boolValue
        cause = json["request"]?["idempotency_key"]?.stringValue.flatMap(Self.operation)
        object = json["data"]?["object"]
    }

    /// The operation of a key that `Call.key(exchange:)` made.
    private static func operation(ofKey key: String) -> OperationID? {
        key.firstIndex(of: ".").flatMap { OperationID(String(key[..<$0])) }
    }

    private static func isPrintable(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
