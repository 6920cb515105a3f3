import AdapterKit
import StrictJSON

/// A reply, sorted by what Worldpay's documents promise about it.
enum WorldpayReply {
    /// HTTP 200, 201 or 202 with a JSON object.
    case object(JSON, status: Int)
    /// The request was refused, and what it asked for was not done.
    case refusal(WorldpayRefusal)
    /// Nothing is promised: a fault, or not Worldpay's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// 400, 401, 404, 406 and 415 with an error object are refusals of the request as such. 5xx is doubt, and so is
    /// every status that Worldpay's descriptions do not name, 409 and 429 among them.
    init(_ reply: WireReply) {
        guard let json = Self.json(reply), json.objectValue != nil else {
            self = .doubt("Worldpay's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let refusal = WorldpayRefusal(json, status: reply.status)
        switch reply.status {
        case 200...202 where json["errorName"] == nil: self = .object(json, status: reply.status)
        case 400, 401, 404, 406, 415:
            self = refusal.map(WorldpayReply.refusal) ?? .doubt("HTTP \(reply.status) without a documented body.")
        default:
            let code = refusal.map { " (\($0.code))" } ?? ""
            self = .doubt("Worldpay answered HTTP \(reply.status)\(code).")
        }
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard let type = reply.header("Content-Type")?.lowercased() else { return nil }
        let media = type.prefix { $0 != ";" && $0 != " " }
        let isOwn = media.hasPrefix("application/vnd.worldpay.") && media.hasSuffix("+json")
        guard media == "application/json" || isOwn else { return nil }
        return try? JSON.parse(reply.body)
    }
}
