import Domain
import StrictJSON

/// The envelope of a notification.
struct AuthorizeNetEvent {
    /// The same whenever it is sent again.
    var id: String
    var type: String
    /// When Authorize.Net made it.
    var at: Timestamp?
    /// What it is about.
    var payload: JSON?

    /// Reads the body; nil if it is no notification.
    init?(_ json: JSON) {
        guard let id = json["notificationId"]?.stringValue, let type = json["eventType"]?.stringValue,
            Self.isPrintable(id, limit: 255), Self.isPrintable(type, limit: 100)
        else { return nil }
        self.id = id
        self.type = type
        at = json["eventDate"]?.stringValue.flatMap(UTCTime.timestamp)
        payload = json["payload"]
    }

    private static func isPrintable(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
