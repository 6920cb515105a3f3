import AdapterKit
import StrictJSON

/// A reply, sorted by what Square's documents promise about it.
enum SquareReply {
    /// HTTP 200 with a JSON object and no errors.
    case object(JSON)
    /// The request was refused, and what it asked for was not done.
    case refusal(SquareRefusal)
    /// Another request is in the way: one with the same key, or one that changed the object since.
    ///
    /// This request was not done, but nothing is said of that other one, which may be ours.
    case clash(SquareRefusal)
    /// Nothing is promised: a fault, a limit, or not Square's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// A limit (429) says nothing about an earlier request under the same key, and `TEMPORARY_ERROR` asks for the same
    /// request again; both are doubt, which leads to just that.
    init(_ reply: WireReply) {
        guard let json = Self.json(reply), json.objectValue != nil else {
            self = .doubt("Square's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let errors = json["errors"]
        guard errors == nil || errors?.arrayValue == [] else {
            self = Self.refused(reply.status, json, errors?.arrayValue ?? [])
            return
        }
        self = reply.status == 200 ? .object(json) : .doubt("HTTP \(reply.status) without a documented body.")
    }

    private static func refused(_ status: Int, _ json: JSON, _ errors: [JSON]) -> SquareReply {
        let read = errors.compactMap(SquareError.init)
        guard read.count == errors.count, let refusal = SquareRefusal(status: status, errors: read, body: json) else {
            return .doubt("HTTP \(status) with errors that Square does not document.")
        }
        if refusal.isClash, (400...409).contains(status) { return .clash(refusal) }
        switch (status, refusal.category) {
        case (401, .authentication), (403, .authentication): return .refusal(refusal)
        case (400...404, .invalidRequest), (400, .refund), (402...404, .refund), (400, .paymentMethod),
            (402, .paymentMethod):
            return refusal.isTemporary ? .doubt("HTTP \(status): \(refusal.sentence)") : .refusal(refusal)
        default: return .doubt("HTTP \(status): \(refusal.sentence)")
        }
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard let type = reply.header("Content-Type")?.lowercased(), type.hasPrefix("application/json") else {
            return nil
        }
        return try? JSON.parse(reply.body)
    }
}
