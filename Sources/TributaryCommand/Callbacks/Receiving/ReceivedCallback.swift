import Domain
import StrictJSON

/// A callback that was verified.
struct ReceivedCallback {
    /// `webhook-id`.
    let id: String
    /// The body, byte for byte.
    let body: [UInt8]
    /// When it came.
    let at: Timestamp

    /// What it says, if it is JSON.
    private var document: JSON? { try? JSON.parse(body) }

    /// What it tells, for example `payment.captured`.
    var type: String? { document?["type"]?.stringValue }
    /// Its number.
    var sequence: Int64? { document?["sequence"]?.integerValue }

    /// One line for people.
    var line: String {
        let data = document?["data"]
        let subject = ["payment", "order"].lazy.compactMap { data?[$0] }.first { $0.objectValue != nil }
        let words = [
            at.description, type, sequence.map { "#\($0)" }, id, subject?["id"]?.stringValue,
            subject?["status"]?.stringValue,
        ]
        return words.compactMap(\.self).joined(separator: "  ").harmless
    }

    /// Everything, in one line of JSON.
    var json: JSON {
        .object([
            .init("received_at", .string(at.description)), .init("id", .string(id)), .init("verified", true),
            .init("body", document ?? .string(String(decoding: body, as: UTF8.self))),
        ])
    }
}

extension Table {
    /// A row for each callback that was verified.
    init(received: [ReceivedCallback]) {
        self.init("received_at", "id", "type", "sequence")
        for callback in received {
            add(
                .moment(callback.at),
                .text(callback.id),
                .optional(callback.type),
                callback.sequence.map(Cell.integer) ?? .absent
            )
        }
    }
}
