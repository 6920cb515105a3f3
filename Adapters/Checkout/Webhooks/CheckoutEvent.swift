import AdapterKit
import Domain
import StrictJSON

/// The envelope of an event, and what `data` says whatever the type.
struct CheckoutEvent {
    /// `evt_…`.
    var id: String
    var type: String
    /// When the thing happened, else when Checkout.com made the event.
    var at: Timestamp?
    var data: JSON

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, let type = json["type"]?.stringValue,
            Self.isPrintable(id, limit: 255), Self.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        data = json["data"] ?? .null
        let times = [data["processed_on"], data["date"], json["created_on"], json["timestamp"]]
        at = times.lazy.compactMap { $0?.stringValue.flatMap { RFC3339.timestamp($0) } }.first
    }

    /// The text of a member of `data`.
    func text(_ key: String) -> String? { data[key]?.stringValue }

    /// A member of `data` if it is a word of the protocol.
    func word(_ key: String) -> String? { text(key).flatMap(CheckoutRefusal.word) }

    /// A name of Checkout.com's in `data`, with the prefix it has to have.
    func name(_ key: String, _ prefix: String) -> String? { word(key).flatMap { $0.hasPrefix(prefix) ? $0 : nil } }

    private static func isPrintable(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
