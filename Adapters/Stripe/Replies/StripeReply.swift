import AdapterKit
import StrictJSON

/// A reply, sorted by what Stripe's documents promise about it.
enum StripeReply {
    /// HTTP 200 with a JSON object; and whether the reply repeats the request's key.
    case object(JSON, repeatsKey: Bool)
    /// The request was refused, and what it asked for was not done.
    case refusal(StripeRefusal)
    /// Nothing is promised: a fault, a clash, a limit, or not Stripe's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// 409 (another request holds the key), 429 (limits, locked objects) and 5xx are doubt. A limit is checked
    /// before the idempotency key is looked up, so on a replay it says nothing about the first request; the same
    /// key may simply be sent again later, which is what doubt leads to.
    ///
    /// - Parameters:
    ///   - reply: what came.
    ///   - key: the request's idempotency key, which Stripe repeats in a field of the head; nil for a request that has
    ///     none. A reply with another one answers another request.
    init(_ reply: WireReply, to key: String?) {
        let repeated = reply.header("Idempotency-Key")
        guard repeated == nil || repeated == key else {
            self = .doubt("Stripe's reply (HTTP \(reply.status)) is to another request.")
            return
        }
        let repeatsKey = repeated != nil
        guard let json = Self.json(reply) else {
            self = .doubt("Stripe's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let requestID = reply.header("Request-Id")
        guard let error = json["error"].flatMap(StripeError.init) else {
            let isPromised = reply.status == 200 && json["error"] == nil && json.objectValue != nil
            self =
                isPromised
                ? .object(json, repeatsKey: repeatsKey) : .doubt("HTTP \(reply.status) without a documented body.")
            return
        }
        switch (reply.status, error.kind) {
        case (400, .card), (402, .card), (400...404, .invalidRequest):
            self = .refusal(
                StripeRefusal(status: reply.status, error: error, requestID: requestID, repeatsKey: repeatsKey)
            )
        default:
            self = .doubt("HTTP \(reply.status): \(error.sentence(requestID))")
        }
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard let type = reply.header("Content-Type")?.lowercased(), type.hasPrefix("application/json") else {
            return nil
        }
        return try? JSON.parse(reply.body)
    }
}
