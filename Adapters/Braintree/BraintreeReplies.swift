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
    init(_ reply: WireReply, to call: Call) { self.init(reply, answeredAs: call.operation.text) }

    /// Reads the reply to a request whose answer has that name.
    init(_ reply: WireReply, answeredAs name: String) {
        guard let json = Self.json(reply) else {
            self = .doubt("Braintree's reply (HTTP \(reply.status)) is not the JSON it documents.")
            return
        }
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

    /// What a reply says against the keys, or against what they may do; nil if nothing.
    static func objection(in reply: WireReply) -> CredentialObjection? {
        guard let errors = json(reply)?["errors"], let refusal = BraintreeRefusal(errors, requestID: nil) else {
            return nil
        }
        if refusal.contains(.authentication) { return .unauthenticated }
        return refusal.contains(.authorization) ? .forbidden : nil
    }

    /// The names under which the reply answers, and those of what its errors are about.
    private static func names(in json: JSON) -> [String] {
        let answers = (json["data"]?.objectValue ?? []).map(\.key)
        let paths = (json["errors"]?.arrayValue ?? []).compactMap { $0["path"] }.filter { !$0.isNull }
        return answers + paths.map { $0[0]?.stringValue ?? "" }
    }

    private static func json(_ reply: WireReply) -> JSON? {
        guard reply.status == 200, reply.isJSON, let json = try? JSON.parse(reply.body), json.objectValue != nil else {
            return nil
        }
        return json
    }
}

/// The errors of a request that Braintree refused without doing what it asked for.
///
/// Braintree's own sentences are not kept: they may repeat what was sent. The request identifier leads Braintree's support
/// to them.
struct BraintreeRefusal {
    /// The classes of errors that promise that nothing was done.
    ///
    /// The other classes (`INTERNAL`, `SERVICE_AVAILABILITY`, `RESOURCE_LIMIT`) promise nothing: of the first the
    /// reference says that the state is uncertain, of the last only that nothing is done twice.
    enum Class: String {
        /// The keys are wrong.
        case authentication = "AUTHENTICATION"
        /// The keys may not do this.
        case authorization = "AUTHORIZATION"
        /// There is no such object.
        case notFound = "NOT_FOUND"
        /// Braintree cannot do this.
        case notImplemented = "NOT_IMPLEMENTED"
        /// The API version is too old.
        case unsupportedClient = "UNSUPPORTED_CLIENT"
        /// The request, or the state of what it is about, will not do.
        case validation = "VALIDATION"
    }

    /// One error.
    struct Entry {
        var kind: Class
        /// The code of the gateway's list of validation errors.
        var code: String?
        /// The input that is wrong.
        var input: String?
    }

    /// The errors as they came; never empty.
    var entries: [Entry]
    /// Names the exchange for Braintree's support.
    var requestID: String?

    /// Reads the member `errors`; nil unless each is of a class that promises that nothing was done.
    init?(_ json: JSON, requestID: String?) {
        guard let errors = json.arrayValue, !errors.isEmpty else { return nil }
        entries = errors.compactMap(Self.entry)
        guard entries.count == errors.count else { return nil }
        self.requestID = requestID.flatMap(Word.init)?.text
    }

    /// The gateway's codes.
    var codes: [String] { entries.compactMap(\.code) }

    /// The most telling code: the gateway's, else the class.
    var code: String { codes.first ?? entries.first?.kind.rawValue ?? "" }

    /// Whether any error is of the class.
    func contains(_ kind: Class) -> Bool { entries.contains { $0.kind == kind } }

    /// Class, code and input in one sentence, without anything that was sent.
    var sentence: String {
        let parts = [
            ("code", codes.joined(separator: " ")), ("input", entries.compactMap(\.input).joined(separator: " ")),
            ("request", requestID ?? ""),
        ]
        let words = parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }
        let kind = entries.first?.kind.rawValue ?? ""
        return "Braintree answered \(kind)" + (words.isEmpty ? "." : " (\(words.joined(separator: ", "))).")
    }

    /// A sentence for errors that promise nothing.
    static func sentence(ofUnclear json: JSON, _ requestID: String?) -> String {
        let classes = (json.arrayValue ?? []).compactMap { $0["extensions"]?["errorClass"]?.stringValue }
        let words = classes.compactMap { Word($0)?.text } + [requestID.flatMap { Word($0) }?.text].compactMap { $0 }
        return "Braintree answered errors that promise nothing"
            + (words.isEmpty ? "." : " (\(words.joined(separator: ", "))).")
    }

    private static func entry(_ error: JSON) -> Entry? {
        let extensions = error["extensions"]
        guard let kind = extensions?["errorClass"]?.stringValue.flatMap(Class.init(rawValue:)) else { return nil }
        let path = extensions?["inputPath"]?.arrayValue?.compactMap(\.stringValue).joined(separator: ".")
        return Entry(
            kind: kind,
            code: extensions?["legacyCode"]?.stringValue.flatMap(Word.init)?.text,
            input: path.flatMap(Word.init)?.text
        )
    }
}

/// Text that is a word of a protocol, so that no free text passes: 1 to 80 letters, digits, `_`, `-` or `.`.
struct Word {
    /// The word.
    let text: String

    /// Takes the text; nil if it is no word.
    init?(_ text: String) {
        let isWord = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isWord, (1...80).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// Whether the text can be an identifier of Braintree's: 1 to 255 visible characters of ASCII.
    static func isIdentifier(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
