import Domain
import StrictJSON

/// The envelope of an event.
struct SquareEvent {
    var id: String
    var type: String
    /// When Square made it.
    var at: Timestamp?
    /// The seller it happened at.
    var merchant: String?
    /// The location it happened at, if the envelope says so.
    var location: String?
    /// What it is about, as it was when the event was made: `payment`, `refund` or `dispute`, each under its own name.
    private var object: JSON?

    /// Reads the body; nil if it is no event.
    init?(_ json: JSON) {
        guard let id = json["event_id"]?.stringValue, let type = json["type"]?.stringValue,
            Self.isPrintable(id, limit: 255), Self.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        at = json["created_at"]?.stringValue.flatMap(SquareTime.timestamp)
        merchant = json["merchant_id"]?.stringValue
        location = json["location_id"]?.stringValue
        object = json["data"]?["object"]
    }

    /// The object of that name.
    subscript(name: String) -> JSON? { object?[name] }

    private static func isPrintable(_ text: String, limit: Int) -> Bool {
        !text.isEmpty && text.utf8.count <= limit && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
