import AdapterKit
import StrictJSON

/// A reply, sorted by what Adyen's documents promise about it.
enum AdyenReply {
    /// The object that was asked for; and whether the reply repeats the request's key.
    case object(JSON, repeatsKey: Bool)
    /// The request was refused, and what it asked for was not done.
    case refusal(ServiceError)
    /// Nothing was begun; the same request under the same key counts as the first (`Transient-Error: true`).
    case transient(String)
    /// Nothing is promised: a fault, a clash, a limit, or not Adyen's voice at all.
    case doubt(String)

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - reply: what came.
    ///   - status: the HTTP status that Adyen documents for success: 200 for payments, 201 for what is done to one.
    ///   - key: the request's idempotency key, which Adyen repeats. A reply with another one answers another request,
    ///     and so may a refusal with none, which has nothing else of ours; only one of the account's key or rights
    ///     (401, 403) comes before the idempotency key is looked at.
    init(_ reply: WireReply, status: Int, key: String) {
        guard let json = Self.json(reply) else {
            self = .doubt("Adyen's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
        let repeated = reply.header("Idempotency-Key")
        let isBare = repeated == nil && reply.status >= 400 && reply.status != 401 && reply.status != 403
        guard repeated ?? key == key, !isBare else {
            self = .doubt("Adyen's reply (HTTP \(reply.status)) is to a request with another key.")
            return
        }
        let isTransient = reply.header("Transient-Error")?.lowercased() == "true"
        if let error = ServiceError(json, status: reply.status), reply.status >= 400 {
            if isTransient {
                self = .transient("HTTP \(reply.status), to be sent again: \(error.sentence)")
            } else if error.isRefusal(status: reply.status) {
                self = .refusal(error)
            } else {
                self = .doubt("HTTP \(reply.status): \(error.sentence)")
            }
        } else if reply.status == status, json.objectValue != nil, json["errorCode"] == nil {
            let hasFailed = json["resultCode"]?.stringValue == "Error"
            self =
                isTransient && hasFailed
                ? .transient("The acquirer could not be reached.") : .object(json, repeatsKey: repeated != nil)
        } else {
            self = .doubt("HTTP \(reply.status) without a documented body.")
        }
    }

    private static func json(_ reply: WireReply) -> JSON? { reply.isJSON ? try? JSON.parse(reply.body) : nil }
}

/// The error object of a refused request.
///
/// Adyen's own sentence is not kept: it may repeat what was sent. Its reference leads an operator to it in the Customer
/// Area.
struct ServiceError {
    var code: String
    /// `validation`, `security`, `configuration` or `internal`.
    var type: String
    var reference: String?

    /// Reads the object; nil if it is none as Adyen documents it for this HTTP status.
    init?(_ json: JSON, status: Int) {
        guard let code = json["errorCode"]?.stringValue.flatMap(ProtocolText.word),
            let type = json["errorType"]?.stringValue.flatMap(ProtocolText.word),
            json["status"].map({ $0.integerValue == Int64(status) }) ?? true, json["resultCode"] == nil
        else { return nil }
        self.code = code
        self.type = type
        reference = json["pspReference"]?.stringValue.flatMap(ProtocolText.word)
    }

    /// Whether Adyen promises that nothing was done: it refused the request itself.
    ///
    /// The same key is still at work, or Adyen is busy, for codes 701, 703 and 704; they say nothing of the first
    /// request. Of the faults (500), only 905, "Payment details are not supported", is known to be a matter of set-up.
    func isRefusal(status: Int) -> Bool {
        switch status {
        case 400, 401, 403, 422:
            ["validation", "security", "configuration"].contains(type) && !["701", "703", "704"].contains(code)
        case 500: type == "configuration" && (code == "905" || code.hasPrefix("905_"))
        default: false
        }
    }

    /// Type, code and reference in one sentence, without anything that was sent.
    var sentence: String {
        "Adyen answered a \(type) error (code \(code)\(reference.map { ", reference \($0)" } ?? ""))."
    }
}
