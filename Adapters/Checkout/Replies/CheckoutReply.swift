import AdapterKit
import StrictJSON

/// A reply, sorted by what Checkout.com's documents promise about it.
enum CheckoutReply {
    /// HTTP 200, 201 or 202 with JSON.
    case accepted(Int, JSON)
    /// The request was refused, and what it asked for was not done.
    case refusal(CheckoutRefusal)
    /// Nothing is promised: a fault, a duplicate, a limit, or not Checkout.com's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// 429 stands for "too many requests" and for "duplicate request detected" alike, so it says nothing of a first
    /// request; with 409 and 5xx it leads to the same request under the same key a little later.
    init(_ reply: WireReply) {
        switch reply.status {
        case 200, 201, 202:
            self =
                Self.json(reply).map { .accepted(reply.status, $0) }
                ?? .doubt("Checkout.com's reply (HTTP \(reply.status)) is not the JSON it documents.")
        case 401, 403, 404, 422:
            self =
                Self.refusal(reply).map { .refusal($0) }
                ?? .doubt("HTTP \(reply.status) without what Checkout.com documents.")
        default:
            let request = reply.header("Cko-Request-Id").flatMap(CheckoutRefusal.word)
            self = .doubt("HTTP \(reply.status)" + (request.map { " (request \($0))." } ?? "."))
        }
    }

    /// 422 says why; 401, 403 and 404 are documented without a body, so that the header has to show whose they are.
    private static func refusal(_ reply: WireReply) -> CheckoutRefusal? {
        let requestID = reply.header("Cko-Request-Id")
        let json = json(reply)
        if let json, let told = CheckoutRefusal(status: reply.status, json, requestID: requestID) { return told }
        guard reply.status != 422, requestID != nil, reply.body.isEmpty || json?.objectValue != nil else { return nil }
        return CheckoutRefusal(status: reply.status, requestID: requestID)
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard let type = reply.header("Content-Type")?.lowercased(), type.hasPrefix("application/json") else {
            return nil
        }
        return try? JSON.parse(reply.body)
    }
}
