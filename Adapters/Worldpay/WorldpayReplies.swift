import AdapterKit
import Domain
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

/// A request that Worldpay refused without doing what it asked for.
///
/// Worldpay's own sentence is not kept, because it may repeat what was sent; its codes and the path of the field are.
struct WorldpayRefusal {
    /// The HTTP status.
    var status: Int
    /// `errorName`, of the first field that is wrong if there is one.
    var code: String
    /// The field that is wrong, as a JSON path.
    var field: String?

    /// Reads the body; nil if it has no name of an error.
    init?(_ json: JSON, status: Int) {
        guard let name = json["errorName"]?.stringValue.flatMap(ProtocolText.word) else { return nil }
        self.status = status
        let first = json["validationErrors"]?[0]
        let own = first?["errorName"]?.stringValue.flatMap(ProtocolText.word)
        // The first refused field says more than that the body does not match the schema.
        code = own ?? name
        field = (first?["jsonPath"] ?? json["jsonPath"])?.stringValue.flatMap(ProtocolText.path)
    }

    /// A sentence for the operator, without anything that was sent.
    var sentence: String {
        "Worldpay refused the request (HTTP \(status), \(code)\(field.map { " at \($0)" } ?? ""))."
    }
}

/// Reads links in Worldpay's replies.
///
/// Requests with the account's credentials are sent to where they lead, so that only those to the configured base URL
/// count: of a link the path is kept, and the base URL put before it again. Every other one is as good as absent.
struct LinkReader {
    let baseURL: String

    /// The path, with its query, of a link to the base URL; nil if it leads elsewhere.
    ///
    /// Worldpay writes whole URLs and paths alike.
    func path(_ href: String) -> String? {
        let isRelative = href.hasPrefix("/")
        guard isRelative || href.hasPrefix(baseURL + "/") else { return nil }
        let path = isRelative ? href : String(href.dropFirst(baseURL.count))
        return Self.isSafe(path) ? path : nil
    }

    /// Whether a path can be put behind a host without changing it.
    static func isSafe(_ path: String) -> Bool {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), path.utf8.count <= 4096 else { return false }
        return path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "{"), UInt8(ascii: "}"):
                false
            default: byte > 0x20 && byte < 0x7F
            }
        }
    }

    /// Whether a path is one of the Payments API; the others are of the Card Payments API.
    static func isOfPaymentsAPI(_ path: String) -> Bool { path.hasPrefix("/api/payments") }

    /// The links of a reply: `_actions` of the Payments API, `_links` of the Card Payments API.
    func links(_ json: JSON) -> WorldpayPaymentState.Links {
        WorldpayPaymentState.Links(
            capture: action("partiallySettlePayment", json) ?? link("partialSettle", json),
            void: action("cancelPayment", json) ?? link("cancel", json),
            refund: action("partiallyRefundPayment", json) ?? link("partialRefund", json)
        )
    }

    private func action(_ name: String, _ json: JSON) -> String? {
        guard let action = json["_actions"]?[name] else { return nil }
        guard (action["method"] ?? "POST") == "POST" else { return nil }
        return action["href"]?.stringValue.flatMap(path)
    }

    private func link(_ name: String, _ json: JSON) -> String? {
        let link = json["_links"]?["cardPayments:" + name] ?? json["_links"]?["payments:" + name]
        return link?["href"]?.stringValue.flatMap(path)
    }
}
