import StrictJSON

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
