import AdapterKit
import Domain
import StrictJSON

/// A reply, sorted by what Authorize.Net's documents promise about it.
enum AuthorizeNetReply {
    /// The call was carried out; the transaction in it may have been refused all the same.
    case ok(JSON)
    /// The call was not carried out, or its transaction was refused; with the first message's code.
    case error(code: String, JSON)
    /// Nothing is promised.
    case doubt(String)

    /// Reads a reply.
    ///
    /// Everything Authorize.Net says comes with HTTP 200 and starts with a byte order mark. It repeats the request's
    /// `refId`, which is the operation's name; a reply without it answers another request, unless it says that the
    /// request could not be read (E00003), when there was nothing to repeat.
    init(_ reply: WireReply, to call: Call) {
        guard reply.status == 200, let json = Self.json(reply) else {
            self = .doubt("HTTP \(reply.status) without the JSON that Authorize.Net documents.")
            return
        }
        let code = Self.code(json["messages"]?["message"]?[0]?["code"]) ?? "none"
        let reference = json["refId"]?.stringValue
        guard reference == ShortName(call.operation).text || (reference == nil && code == Self.unreadable) else {
            self = .doubt("Authorize.Net answered another request.")
            return
        }
        switch json["messages"]?["resultCode"]?.stringValue {
        case "Ok": self = .ok(json)
        case "Error": self = .error(code: code, json)
        default: self = .doubt("The reply has no result code.")
        }
    }

    /// The request is not well formed.
    private static let unreadable = "E00003"

    /// What the reply says, whatever its result code; nil if that is nothing.
    var json: JSON? {
        switch self {
        case .ok(let json), .error(code: _, let json): json
        case .doubt: nil
        }
    }

    /// A code of a message or an error, if it is one: a number of up to 5 digits, alone or behind `E` or `I`.
    ///
    /// Nothing else of a reply is passed on, because it may repeat what was sent.
    static func code(_ json: JSON?) -> String? {
        let text = json?.stringValue ?? json?.integerValue.map { String($0) } ?? ""
        let digits = text.hasPrefix("E") || text.hasPrefix("I") ? text.dropFirst() : text[...]
        guard (1...5).contains(digits.utf8.count), CardDigits.areDigits(digits) else { return nil }
        return text
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard let type = reply.header("Content-Type")?.lowercased(), type.hasPrefix("application/json") else {
            return nil
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return try? JSON.parse(reply.body.starts(with: mark) ? Array(reply.body.dropFirst(3)) : reply.body)
    }
}
