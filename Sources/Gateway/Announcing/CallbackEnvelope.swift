import Domain
import StrictJSON

/// What every callback carries around its subject.
enum CallbackEnvelope {
    /// The body of a callback, as it is signed and sent.
    static func text(
        _ kind: Announcement.Kind,
        _ sequence: Int64,
        at time: Timestamp,
        _ data: [JSON.Member]
    ) -> String {
        let envelope: JSON = [
            "type": .string(kind.rawValue), "timestamp": .string(time.description), "sequence": .integer(sequence),
            "data": .object(data),
        ]
        return String(decoding: envelope.bytes, as: UTF8.self)
    }
}
