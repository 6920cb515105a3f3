import Domain
import Hummingbird
import SQL
import Storage

/// What the query of a list says: which page, and what the list is narrowed by.
struct ListQuery {
    /// The parameters of every list whose items came about at a moment.
    static let shared = Page.parameters.union(["created[gte]", "created[lte]"])

    /// Which page.
    let page: Page
    /// When what is listed came about.
    let created: CreationRange
    private let query: Query

    /// Reads the query.
    ///
    /// - Parameters:
    ///   - request: whose.
    ///   - names: the parameters that the list knows besides the shared ones.
    ///   - hasMetadata: whether it knows `metadata[key]` too.
    ///   - hasMoments: whether what it lists came about at a moment; without, it knows no `created[gte]` and `created[lte]`.
    /// - Throws: a 422 ``Problem``.
    init(
        of request: Request,
        allowing names: Set<String>,
        metadata hasMetadata: Bool = false,
        moments hasMoments: Bool = true
    ) throws(Problem) {
        let shared = hasMoments ? Self.shared : Page.parameters
        query = try Query(of: request, allowing: shared.union(names), metadata: hasMetadata)
        page = try Page(query)
        var created = CreationRange()
        created.from = try Self.moment("created[gte]", query)
        created.to = try Self.moment("created[lte]", query)
        self.created = created
    }

    /// A parameter's value; nil if it is not there.
    subscript(name: String) -> String? { query[name] }

    /// The items of metadata that are asked for.
    var metadata: [MetadataItem] { query.metadata }

    /// An identifier of what the list is about, behind which the page begins.
    func cursor<Tag>(_ what: String, _ kind: Identifier<Tag>.Type) throws(Problem) -> Identifier<Tag>? {
        try identifier("starting_after", what, kind)
    }

    /// An identifier.
    func identifier<Tag>(
        _ name: String,
        _ what: String,
        _ kind: Identifier<Tag>.Type
    ) throws(Problem) -> Identifier<Tag>? {
        guard let text = query[name] else { return nil }
        guard let identifier = Identifier<Tag>(text) else { throw Query.refusal(name, "the id of \(what)") }
        return identifier
    }

    /// A word of a fixed vocabulary.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ kind: Word.Type
    ) throws(Problem) -> Word? {
        guard let text = query[name] else { return nil }
        guard let word = Word(rawValue: text) else {
            throw Query.refusal(name, Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// An amount in minor units.
    func amount(_ name: String = "amount") throws(Problem) -> Int64? {
        guard let text = query[name] else { return nil }
        guard let amount = Int64(text) else { throw Query.refusal(name, "a whole number of minor units") }
        return amount
    }

    /// A currency.
    func currency() throws(Problem) -> Currency? {
        guard let text = query["currency"] else { return nil }
        guard let currency = Currency(code: text) else {
            throw Query.refusal("currency", "an ISO 4217 code, such as USD")
        }
        return currency
    }

    /// Text, as a rule answers it.
    func text(_ name: String, by rule: TextRule) throws(Problem) -> String? {
        guard let text = query[name] else { return nil }
        return try Query.check(text, of: name, by: rule)
    }

    /// The last four digits of a card.
    func last4() throws(Problem) -> String? {
        guard let text = query["last4"] else { return nil }
        guard text.utf8.count == 4, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw Query.refusal("last4", "four digits")
        }
        return text
    }

    /// A moment.
    func moment(_ name: String) throws(Problem) -> Timestamp? { try Self.moment(name, query) }

    /// The merchant that the list is narrowed to: the key's own, or the one that the query names by id or external
    /// identifier.
    ///
    /// - Parameters:
    ///   - own: the merchant whose alone the key may see; nil for one that sees all.
    ///   - marketplace: whose merchants.
    ///   - session: the transaction.
    /// - Returns: nil if the list is narrowed to none.
    /// - Throws: a 422 ``Problem``, the same whether there is no such merchant or the key may not see it; `SQLError`.
    func merchant(for own: MerchantID?, of marketplace: String, in session: any Session) throws -> MerchantID? {
        guard let name = query["merchant"] else { return own }
        try Query.check(name, of: "merchant", by: .identifier)
        let found =
            try MerchantID(name).map { id in try MerchantTable.find(id, of: marketplace, in: session) }
            ?? MerchantTable.find([name], of: marketplace, in: session).first
        guard let found, own.map({ $0 == found.id }) ?? true else {
            throw Query.refusal("merchant", "the id or the external identifier of a merchant")
        }
        return found.id
    }

    private static func moment(_ name: String, _ query: Query) throws(Problem) -> Timestamp? {
        guard let text = query[name] else { return nil }
        guard let moment = RFC3339.timestamp(text, .strict) else {
            throw Query.refusal(name, "an RFC 3339 time")
        }
        return moment
    }
}
