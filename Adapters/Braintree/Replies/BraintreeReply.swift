import AdapterKit
import StrictJSON

/// A reply, sorted by what Braintree's documents promise about it.
enum BraintreeReply {
    /// The root field answered, an object, and nothing went wrong.
    case result(JSON)
    /// The request was refused, and what it asked for was not done.
    case refusal(BraintreeRefusal)
    /// Nothing is promised: a fault, a limit, a part of an answer, or not Braintree's voice at all.
    case doubt(String)

    /// Reads the reply to a document with that root field.
    ///
    /// Braintree's API answers HTTP 200 whatever happened ("Making API calls"). Errors beside an object in the root field
    /// are a partial success, which says that something was made.
    init(_ reply: WireReply, to field: String) {
        guard let json = Self.json(reply) else {
            self = .doubt("Braintree's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let answer = json["data"]?[field]
        guard let errors = json["errors"], !errors.isNull else {
            let isObject = answer?.objectValue != nil
            self = isObject ? .result(answer ?? .null) : .doubt("Braintree's reply has no \(field).")
            return
        }
        guard answer?.isNull ?? true else {
            self = .doubt("Braintree's reply has both a \(field) and errors.")
            return
        }
        let requestID = json["extensions"]?["requestId"]?.stringValue
        let refusal = BraintreeRefusal(errors, requestID: requestID)
        self = refusal.map { .refusal($0) } ?? .doubt(BraintreeRefusal.sentence(ofUnclear: errors, requestID))
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard reply.status == 200, let type = reply.header("Content-Type")?.lowercased(),
            type.hasPrefix("application/json"), let json = try? JSON.parse(reply.body), json.objectValue != nil
        else { return nil }
        return json
    }
}
