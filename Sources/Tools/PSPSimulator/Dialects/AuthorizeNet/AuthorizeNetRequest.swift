import Crypto
package import StrictJSON
import Synchronization

/// A request to Authorize.Net that follows its schema, and who sends it.
struct AuthorizeNetRequest: Sendable {
    let method: AuthorizeNetMethod
    /// What stands in its only member.
    let json: JSON
    /// The account's name in the books.
    let account: String

    /// Reads a request.
    ///
    /// - Throws: ``Refusal``.
    init(_ request: PSPRequest) throws(Refusal) {
        guard let root = try request.json().objectValue, root.count == 1 else {
            throw Refusal(400, "E00003", "Root element is missing.")
        }
        let name = root[0].key
        guard let method = AuthorizeNetMethod.allCases.first(where: { $0.element == name }) else {
            throw Refusal(400, "E00004", "The name of the requested API method is invalid.")
        }
        self.method = method
        json = root[0].value
        try AuthorizeNetValidator.check(json, name, AuthorizeNetSchema.places(of: method))
        guard let merchant = json["merchantAuthentication"], let login = merchant.filled("name"),
            let key = merchant.filled("transactionKey")
        else { throw .unauthorized }
        _ = try AccountName(key: key)
        account = try AccountName(key: login).name
    }

    /// The caller's name for the request, which the answer repeats.
    var refId: String? { json.filled("refId") }

    /// The transaction of a `createTransactionRequest`.
    var transaction: JSON { json["transactionRequest"] ?? .null }

    /// The caller's name for the transaction, which Authorize.Net's reports show.
    var invoiceNumber: String? { transaction["order"]?.filled("invoiceNumber") }

    /// What the caller wants to find again in answers, reports and webhooks.
    var details: [String: String] {
        var details: [String: String] = [:]
        details["refId"] = refId
        details["invoiceNumber"] = invoiceNumber
        details["description"] = transaction["order"]?.filled("description")
        return details
    }

    /// Who sends it; Authorize.Net has no idempotency.
    var requester: Requester { Requester(account: account, key: nil) }

    /// What the books call it by.
    var reference: String { invoiceNumber ?? refId ?? "" }
}

/// Amounts, which Authorize.Net writes as decimal numbers with at most two digits after the point.
enum AuthorizeNetAmount {
    /// The currencies that Authorize.Net's processors take; all have two digits after the point.
    private static let currencies: Set<String> = [
        "AUD", "CAD", "CHF", "DKK", "EUR", "GBP", "NOK", "NZD", "PLN", "SEK", "USD", "ZAR",
    ]

    /// The amount of a transaction in minor units; nil if it has none.
    ///
    /// - Throws: ``Refusal`` 5 if it is not above 0 or has more than two digits after the point, 49 if it is too great.
    static func minorUnits(_ transaction: JSON) throws(Refusal) -> Int64? {
        guard let text = transaction.filled("amount") else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        let whole = parts[0].isEmpty ? "0" : parts[0]
        guard fraction.utf8.count <= 2, whole.first != "-", whole.utf8.count <= 15 else { throw invalid }
        let cents = fraction + String(repeating: "0", count: 2 - fraction.utf8.count)
        guard let amount = Int64(whole + cents), amount > 0 else { throw invalid }
        guard amount <= CommandReader.greatestAmount else {
            throw Refusal(400, "49", "The transaction amount submitted was greater than the maximum amount allowed.")
        }
        return amount
    }

    /// The refusal of an amount that is missing or wrong.
    static let invalid = Refusal(400, "5", "A valid amount is required.")

    /// The currency of a transaction; an account has one, here US dollars unless the transaction names another.
    ///
    /// - Throws: ``Refusal`` 39.
    static func currency(_ transaction: JSON) throws(Refusal) -> String {
        let code = transaction.filled("currencyCode") ?? "USD"
        guard currencies.contains(code) else {
            throw Refusal(
                400,
                "39",
                "The supplied currency code is either invalid, not supported, not allowed for this merchant or doesnt "
                    + "have an exchange rate."
            )
        }
        return code
    }

    /// An amount of minor units as decimal text: `5.00`.
    static func text(_ minorUnits: Int64) -> String {
        let cents = minorUnits % 100
        return "\(minorUnits / 100).\(cents < 10 ? "0" : "")\(cents)"
    }

    /// An amount of minor units as a JSON number.
    static func json(_ minorUnits: Int64) -> JSON { .number(text(minorUnits)) }
}

/// Dates and times of day as XML writes them.
package enum AuthorizeNetDate {
    /// The milliseconds since 1970 of a moment, which is in UTC if it has no zone; nil if it is none.
    package static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: "T"),
            bytes[13] == colon, bytes[16] == colon,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), 1...12 ~= month,
            let day = number(bytes[8..<10]), 1...31 ~= day, let hour = number(bytes[11..<13]), 0...23 ~= hour,
            let minute = number(bytes[14..<16]), 0...59 ~= minute,
            let second = number(bytes[17..<19]), 0...59 ~= second
        else { return nil }
        var rest = bytes[19...]
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard let fraction = number(Array(digits.prefix(3))) else { return nil }
            milliseconds = fraction * [1, 100, 10, 1][min(digits.count, 3)]
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offsetMinutes(Array(rest)) else { return nil }
        let minutes = (Moment.days(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1000 + milliseconds
    }

    /// A moment with its milliseconds, in UTC: `2026-05-27T08:30:00.250Z`.
    package static func text(_ milliseconds: Int64) -> String { local(milliseconds) + "Z" }

    /// A moment with its milliseconds and without a zone.
    package static func local(_ milliseconds: Int64) -> String {
        let rest = String(1000 + milliseconds % 1000).dropFirst()
        return "\(Moment.text(milliseconds)).\(rest)"
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    /// Minutes east of UTC: of nothing, of `Z`, or of `+hh:mm`.
    private static func offsetMinutes(_ zone: [UInt8]) -> Int64? {
        if zone.isEmpty || zone == [UInt8(ascii: "Z")] { return 0 }
        guard zone.count == 6, zone[3] == colon, zone[0] == dash || zone[0] == UInt8(ascii: "+"),
            let hours = number(zone[1..<3]), let minutes = number(zone[4..<6])
        else { return nil }
        return (hours * 60 + minutes) * (zone[0] == dash ? -1 : 1)
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}

/// What the last hours' transactions looked like, so that the same one is not taken twice.
///
/// Authorize.Net compares the type, the amount, what pays, the order and the people; it forgets after the request's
/// `duplicateWindow`, two minutes unless it says otherwise, eight hours at most (response code 11). The simulator keeps
/// only codes of them, under a key of its own, and forgets all when it stops.
package final class AuthorizeNetDuplicates: Sendable {
    /// The window of a request that names none, in milliseconds.
    package static let usualWindow: Int64 = 120_000
    /// The longest window, in milliseconds.
    package static let longestWindow: Int64 = 28_800_000
    /// How many transactions are remembered; the oldest are forgotten.
    private static let limit = 10_000

    private struct State {
        var times: [[UInt8]: Int64] = [:]
        var order: [[UInt8]] = []
    }

    private let key = SymmetricKey(size: .bits256)
    private let state = Mutex(State())

    /// Remembers nothing yet.
    package init() {}

    /// What a transaction of an account is recognized by.
    package func mark(of transaction: JSON, amount: Int64, account: String) -> [UInt8] {
        let parts = ["transactionType", "currencyCode", "order", "lineItems", "customer", "billTo", "shipTo"]
        let json: JSON = [
            .string(account), .integer(amount), AuthorizeNetPayment.identity(transaction),
            .array(parts.map { .optional(transaction[$0]) }),
        ]
        return Array(HMAC<SHA256>.authenticationCode(for: json.bytes, using: key))
    }

    /// Whether the same transaction was made within the window before `now`.
    package func contains(_ mark: [UInt8], within window: Int64, at now: Int64) -> Bool {
        state.withLock { state in state.times[mark].map { now - $0 < window } ?? false }
    }

    /// Remembers a transaction that was made.
    package func record(_ mark: [UInt8], at now: Int64) {
        state.withLock { state in
            if state.times.updateValue(now, forKey: mark) == nil { state.order.append(mark) }
            if state.order.count > Self.limit { state.times[state.order.removeFirst()] = nil }
        }
    }
}

/// What a request to Authorize.Net calls: the name of its only member, without `Request`.
enum AuthorizeNetMethod: String, Hashable, Sendable, CaseIterable {
    case authenticateTest
    case createTransaction
    case getTransactionDetails
    case getUnsettledTransactionList
    case getSettledBatchList
    case getTransactionList
    case getCustomerProfile
    case deleteCustomerPaymentProfile

    /// The member's name.
    var element: String { rawValue + "Request" }
}

/// The part of a list that a request asks for, and its order.
struct AuthorizeNetPage: Hashable, Sendable {
    /// How many transactions a page has, 1 to 1000.
    private let limit: Int
    /// Which page, from 1.
    private let number: Int
    private let isByNumber: Bool
    private let isDescending: Bool

    /// Reads `sorting` and `paging`; without them it is the newest 1000.
    init(_ request: JSON) {
        limit = request["paging"]?.filled("limit").flatMap { Int($0) } ?? 1000
        number = request["paging"]?.filled("offset").flatMap { Int($0) } ?? 1
        isByNumber = request["sorting"]?.filled("orderBy") == "id"
        isDescending = request["sorting"].map { $0.isTrue("orderDescending") } ?? true
    }

    /// The part of the transactions.
    func part(of transactions: [AuthorizeNetTransaction]) -> [AuthorizeNetTransaction] {
        let ascending = transactions.sorted { first, second in
            isByNumber || first.submittedAt == second.submittedAt
                ? (first.transId.utf8.count, first.transId) < (second.transId.utf8.count, second.transId)
                : first.submittedAt < second.submittedAt
        }
        let sorted = isDescending ? ascending.reversed() : ascending
        return Array(sorted.dropFirst(limit * (number - 1)).prefix(limit))
    }
}
