import HTTPTransport
import StrictJSON
import WireFormats

/// Braintree's GraphQL API and its webhooks.
///
/// Written from Braintree's published schema and pages, apart from the adapter, so that the two check each other.
/// There is one endpoint; the operation that the document names decides. Answers have the status 200 whatever they
/// say, but for a trigger's 500. Captures settle at once unless a trigger says otherwise.
package struct BraintreeDialect: PSPDialect {
    private let vault = BraintreeVault()

    /// Makes the dialect.
    package init() {}

    package var serverError: PSPReply {
        let fault = BraintreeFault(errorClass: "INTERNAL", message: "An unknown error occurred.")
        return BraintreeAnswer.error(fault.json(root: nil), status: 500)
    }

    package var routes: [DialectRoute] {
        [
            DialectRoute(.post, "graphql") { request throws(Refusal) in
                let asked = try BraintreeRequest(request)
                guard asked.call.isMutation, let root = asked.call.roots.first else { return BraintreeQuery.ask(asked) }
                let requester = Requester(account: asked.account, key: nil)
                return try BraintreeMutation(root: root, requester: requester, vault: vault).ask()
            }
        ]
    }

    package func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        BraintreeError.reply(refusing: refusal, to: request, about: authorization)
    }

    package func notices(of event: BookEvent, origin: String) -> [WebhookNotice] { BraintreeEvents.notices(of: event) }

    /// The public key and the private key with a colon between them.
    package func accepts(secret: String) -> Bool {
        let keys = secret.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return keys.count == 2 && keys.allSatisfy { !$0.isEmpty }
    }

    package func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost {
        let form = BraintreeEvents.form(BraintreeEvents.payload(notice.document), signedWith: endpoint.secret)
        return WebhookPost(
            headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8)
        )
    }
}

/// A request to Braintree, checked against its schema, and who sends it.
struct BraintreeRequest: Sendable {
    /// What it asks.
    let call: GraphQLCall
    /// The account's name in the books: that of the private key.
    let account: String

    /// Reads a request.
    ///
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest) throws(Refusal) {
        guard let (publicKey, privateKey) = request.basic, !publicKey.isEmpty, !("_" + publicKey).hasSuffix("_invalid")
        else { throw .unauthorized }
        account = try AccountName(key: privateKey).name
        call = try Self.call(request)
    }

    /// What a request asks, whoever sends it.
    ///
    /// - Throws: ``Refusal``.
    static func call(_ request: PSPRequest) throws(Refusal) -> GraphQLCall {
        guard let version = request.header("Braintree-Version"), isVersion(version) else {
            throw BraintreeFault(
                errorClass: "UNSUPPORTED_CLIENT",
                message: "A Braintree-Version header with a date from 2018-09-10 on is required."
            ).refusal
        }
        let type = request.header("Content-Type")?.split(separator: ";").first ?? ""
        guard type.lowercased() == "application/json" else {
            throw .graphQL("The content type of a request must be application/json.")
        }
        let json = try request.json()
        guard let query = json["query"]?.stringValue else { throw .graphQL("The body needs a query.") }
        let variables = json["variables"] ?? .null
        guard variables.isNull || variables.objectValue != nil else {
            throw .graphQL("The variables are not an object.")
        }
        let call = try GraphQLCall(
            try GraphQLDocument(query),
            operation: json["operationName"]?.stringValue,
            variables: variables,
            BraintreeSchema.types,
            scalar: BraintreeScalar.value
        )
        guard !call.isMutation || call.roots.count == 1 else {
            throw .graphQL("This simulator runs one mutation a request.")
        }
        return call
    }

    /// `YYYY-MM-DD`, on or after the day of the first version.
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, zip(parts, [4, 2, 2]).allSatisfy({ BraintreeScalar.isDigits($0, count: $1...$1) })
        else { return false }
        return ("01"..."12").contains(parts[1]) && ("01"..."31").contains(parts[2]) && text >= "2018-09-10"
    }
}

/// Braintree's answers, which always have the status 200 and a request's identifier.
enum BraintreeAnswer {
    /// What was asked for.
    static func data(_ members: [JSON.Member]) -> PSPReply {
        PSPReply(200, ["data": .object(members), "extensions": extensions])
    }

    /// The answer to a mutation.
    static func data(_ root: GraphQLNode, _ payload: JSON) -> PSPReply {
        data([JSON.Member(root.key, root.answer(payload))])
    }

    /// What went wrong.
    ///
    /// - Parameters:
    ///   - error: the only element of `errors`.
    ///   - root: what the answer calls the field that failed; nil if nothing was run.
    ///   - status: the HTTP status.
    /// - Returns: the answer.
    static func error(_ error: JSON, root: String? = nil, status: Int = 200) -> PSPReply {
        PSPReply(
            status,
            .object(omittingAbsent: [
                "data": root.map { .object([JSON.Member($0, .null)]) }, "errors": [error], "extensions": extensions,
            ])
        )
    }

    private static var extensions: JSON {
        let bytes = (0..<16).map { _ in NameDraw.number(UInt8.self) }
        let parts = [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map(Hexadecimal.encode)
        return ["requestId": .string(parts.joined(separator: "-"))]
    }
}

/// What Braintree calls things: a global identifier of the kind and a legacy identifier, in base 64 without padding.
///
/// A legacy identifier is the books' number in base 36: seven digits for the books, five for the payment, two for its
/// refund or dispute, and the currency's decimals as the last digit, so that amounts of later requests can be read.
struct BraintreeName: Hashable, Sendable {
    /// What is called so.
    enum Kind: String, Hashable, Sendable {
        case transaction
        case refund
        case dispute
    }

    /// What it is.
    let kind: Kind
    /// Where it stands in the books.
    let number: PSPNumber
    /// How many decimals its amounts have.
    let decimals: Int

    /// The name of something in the books.
    ///
    /// - Parameters:
    ///   - kind: what it is.
    ///   - identifier: one of the books' identifiers.
    ///   - currency: the currency of its amounts.
    init(_ kind: Kind, _ identifier: String, _ currency: String) {
        self.kind = kind
        number = PSPNumber(identifier) ?? PSPNumber(instance: "0", authorization: 0)
        decimals = BraintreeAmount.decimals(of: currency)
    }

    /// Reads a global identifier; nil if nothing is called so.
    init?(_ text: String) {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let bytes = Base64.decode(text + padding) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = Kind(rawValue: String(parts[0])) else { return nil }
        self.init(kind, legacy: String(parts[1]))
    }

    /// Reads a legacy identifier; nil if nothing of that kind is called so.
    init?(_ kind: Kind, legacy text: String) {
        guard text.utf8.count == (kind == .transaction ? 13 : 15), text == text.lowercased(),
            let decimals = text.last?.wholeNumberValue, [0, 2, 3].contains(decimals),
            let authorization = Int(text.dropFirst(7).prefix(5), radix: 36), authorization > 0
        else { return nil }
        let instance = text.prefix(7).drop { $0 == "0" }
        let operation = kind == .transaction ? nil : Int(text.dropFirst(12).prefix(2), radix: 36)
        guard kind == .transaction || operation != nil else { return nil }
        self.kind = kind
        number = PSPNumber(
            instance: instance.isEmpty ? "0" : String(instance),
            authorization: authorization,
            operation: operation
        )
        self.decimals = decimals
    }

    /// The legacy identifier.
    var legacy: String {
        let last = number.operation.map { Self.padded(String($0, radix: 36), 2) } ?? ""
        return Self.padded(number.instance, 7) + Self.padded(String(number.authorization, radix: 36), 5) + last
            + String(decimals)
    }

    /// The global identifier.
    var global: String {
        String(Base64.encode(Array("\(kind.rawValue)_\(legacy)".utf8)).prefix { $0 != "=" })
    }

    /// The books' identifier of the refund.
    var refundIdentifier: String { "ref_\(number.suffix)" }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// Amounts as Braintree writes them: decimal numbers in strings.
enum BraintreeAmount {
    /// The currency of a merchant account: the code that its identifier ends in after `_` or `-`, else US dollars.
    ///
    /// Braintree knows it from the merchant account's settings.
    static func currency(of merchantAccount: String?) -> String {
        let code = (merchantAccount ?? "").split { $0 == "_" || $0 == "-" }.last?.uppercased() ?? ""
        return decimals[code] == nil ? "USD" : code
    }

    /// How many decimals the currency has (ISO 4217).
    static func decimals(of currency: String) -> Int { decimals[currency] ?? 2 }

    /// The text of an amount in minor units.
    static func text(_ minor: Int64, _ currency: String) -> String {
        let decimals = decimals(of: currency)
        guard decimals > 0 else { return String(minor) }
        let digits = String(minor)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }

    /// The minor units of a text of the scalar type; nil if it does not fit the currency.
    static func minor(_ text: String, decimals: Int) -> Int64? {
        let parts = text.split(separator: ".")
        guard parts.count == 1 || parts[1].utf8.count == decimals else { return nil }
        let fraction = parts.count == 1 ? String(repeating: "0", count: decimals) : String(parts[1])
        return Int64(parts[0] + fraction)
    }

    /// The minor units of what a request asks for.
    ///
    /// - Parameters:
    ///   - text: a text of the scalar type.
    ///   - decimals: how many decimals the currency has.
    ///   - path: where it stands in the request.
    /// - Returns: the minor units, above 0.
    /// - Throws: ``Refusal``.
    static func minor(_ text: String, decimals: Int, at path: String) throws(Refusal) -> Int64 {
        guard !text.hasPrefix("-") else {
            throw BraintreeFault("81501", "Amount cannot be negative.", at: path).refusal
        }
        guard let minor = minor(text, decimals: decimals) else {
            throw BraintreeFault("81503", "Amount is an invalid format.", at: path).refusal
        }
        guard minor > 0 else {
            throw BraintreeFault("81531", "Amount must be greater than zero.", at: path).refusal
        }
        guard minor <= CommandReader.greatestAmount else {
            throw BraintreeFault("81528", "Amount is too large.", at: path).refusal
        }
        return minor
    }

    private static let decimals: [String: Int] = {
        let two = [
            "AED", "AUD", "BRL", "CAD", "CHF", "CNY", "COP", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS",
            "INR",
            "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "SEK", "SGD", "THB", "TRY", "TWD", "USD", "ZAR",
        ]
        let table =
            two.map { ($0, 2) } + ["CLP", "JPY", "KRW", "VND"].map { ($0, 0) }
            + ["BHD", "JOD", "KWD", "OMR", "TND"].map { ($0, 3) }
        return Dictionary(uniqueKeysWithValues: table)
    }()
}
