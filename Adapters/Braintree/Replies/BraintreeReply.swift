import AdapterKit
import Domain
import StrictJSON

/// A reply, sorted by what Braintree's documents promise about it.
enum BraintreeReply {
    /// The root field answered, an object, and nothing went wrong.
    case result(JSON)
    /// The request was refused, and what it asked for was not done.
    case refusal(BraintreeRefusal)
    /// Nothing is promised: a fault, a limit, a part of an answer, or not Braintree's voice at all.
    case doubt(String)

    /// Reads the reply to a request of the call, whose answer has the operation's name.
    ///
    /// Braintree's API answers HTTP 200 whatever happened ("Making API calls"). Errors beside an object in the root field
    /// are a partial success, which says that something was made. An answer or an error under another name is another
    /// request's; errors without a path are of a document that was not executed at all.
    init(_ reply: WireReply, to call: Call) {
        guard let json = Self.json(reply) else {
            self = .doubt("Braintree's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let name = call.operation.text
        let answer = json["data"]?[name]
        guard Self.names(in: json).allSatisfy({ $0 == name }) else {
            self = .doubt("Braintree's reply is to another request.")
            return
        }
        guard let errors = json["errors"], !errors.isNull else {
            let isObject = answer?.objectValue != nil
            self = isObject ? .result(answer ?? .null) : .doubt("Braintree's reply has no answer.")
            return
        }
        guard answer?.isNull ?? true else {
            self = .doubt("Braintree's reply has both an answer and errors.")
            return
        }
        let requestID = json["extensions"]?["requestId"]?.stringValue
        let refusal = BraintreeRefusal(errors, requestID: requestID)
        self = refusal.map { .refusal($0) } ?? .doubt(BraintreeRefusal.sentence(ofUnclear: errors, requestID))
    }

    /// The names under which the reply answers, and those of what its errors are about.
    private static func names(in json: JSON) -> [String] {
        let answers = (json["data"]?.objectValue ?? []).map(\.key)
        let paths = (json["errors"]?.arrayValue ?? []).compactMap { $0["path"] }.filter { !$0.isNull }
        return answers + paths.map { $0[0]?.stringValue ?? "" }
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard reply.status == 200, let type = reply.header("Content-Type")?.lowercased(),
            type.hasPrefix("application/json"), let json = try? JSON.parse(reply.body), json.objectValue != nil
        else { return nil }
        return json
    }
}
