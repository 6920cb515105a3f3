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
    init(_ reply: WireReply, to call: Call) { self.init(reply, reference: ShortName(call.operation).text) }

    /// Reads a reply to a request with that `refId`; nil for one that had none.
    init(_ reply: WireReply, reference name: String?) {
        guard reply.status == 200, let json = Self.json(reply) else {
            self = .doubt("HTTP \(reply.status) without the JSON that Authorize.Net documents.")
            return
        }
        let code = Self.code(json["messages"]?["message"]?[0]?["code"]) ?? "none"
        let reference = json["refId"]?.stringValue
        guard reference == name || (reference == nil && code == Self.unreadable) else {
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

    /// What a reply says against the login and its key, or against what they may do; nil if nothing.
    static func objection(in reply: WireReply) -> CredentialObjection? {
        guard reply.status == 200, let messages = json(reply)?["messages"],
            messages["resultCode"]?.stringValue == "Error", let code = code(messages["message"]?[0]?["code"])
        else { return nil }
        return CallErrors.objection(code)
    }

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
        guard reply.isJSON else { return nil }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return try? JSON.parse(reply.body.starts(with: mark) ? Array(reply.body.dropFirst(3)) : reply.body)
    }
}

/// What an outcome needs of `transactionResponse`, the answer to a transaction.
struct TransactionResponse {
    /// 1 approved, 2 declined, 3 error, 4 held for review.
    var responseCode: String
    /// The transaction; nil if none was made.
    var id: String?
    /// The transaction it was done to.
    var reference: String?
    /// Whether the account or the request is in test mode, in which nothing is processed.
    var isTest: Bool
    /// The card network, as Authorize.Net names it.
    var network: String?
    var last4: String?
    /// The code of the first message of a transaction that was not refused.
    var message: String?
    /// The code of the first error.
    var error: String?
    /// The part of the amount that was approved, for a prepaid card.
    var approvedAmount: JSON?
    /// What the card scheme calls the transaction.
    var networkTransactionID: String?

    /// Reads the object; nil if it has no response code.
    init?(_ json: JSON?) {
        guard let json, let code = AuthorizeNetReply.code(json["responseCode"]) else { return nil }
        responseCode = code
        id = CardDigits.transaction(json["transId"])
        reference = CardDigits.transaction(json["refTransID"])
        isTest = json["testRequest"]?.stringValue == "1"
        network = json["accountType"]?.stringValue.flatMap(Self.network)
        last4 = CardDigits.last4(json["accountNumber"]?.stringValue)
        message = AuthorizeNetReply.code(json["messages"]?[0]?["code"])
        error = AuthorizeNetReply.code(json["errors"]?[0]?["errorCode"])
        networkTransactionID = json["networkTransId"]?.stringValue
        approvedAmount = json["prePaidCard"]?["approvedAmount"]
    }

    /// The name of a card network; nil if it is no word.
    static func network(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || $0 == UInt8(ascii: " ")
        }
        return isWord && (1...30).contains(text.utf8.count) ? text : nil
    }
}

/// Times in UTC as Authorize.Net writes them: `2026-11-21T08:33:17.1234567Z`, with or without fraction and `Z`.
enum UTCTime {
    /// The moment; nil if the text is none, or has another offset.
    static func timestamp(_ text: String) -> Timestamp? {
        RFC3339.timestamp(text.utf8.last == UInt8(ascii: "Z") ? text : text + "Z", .strict)
    }
}

/// Texts of digits, as Authorize.Net writes transactions and masked card numbers.
enum CardDigits {
    /// Whether the text is digits and nothing else.
    static func areDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The last four digits of a masked number such as `XXXX1111`; nil if it does not end in four.
    static func last4(_ text: String?) -> String? {
        guard let last = text?.suffix(4), last.utf8.count == 4, areDigits(last) else { return nil }
        return String(last)
    }

    /// The name of a transaction; nil for 0, which names none, and for anything that is no number.
    static func transaction(_ json: JSON?) -> String? {
        guard let text = json?.stringValue, text != "0", text.utf8.count <= 20, areDigits(text) else { return nil }
        return text
    }
}
