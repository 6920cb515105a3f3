import Domain
import Hummingbird
import StrictJSON
import WireFormats

/// The query of a request, read as strictly as a body: no parameter that the route does not know, and none twice.
struct Query {
    private var values: [String: String] = [:]
    /// Items of metadata that are asked for, `metadata[key]=value`, in the order of their keys.
    private(set) var metadata: [MetadataItem] = []

    /// Reads the query.
    ///
    /// - Parameters:
    ///   - request: whose.
    ///   - names: the parameters that the route knows.
    ///   - hasMetadata: whether it knows `metadata[key]` too.
    /// - Throws: a 422 ``Problem`` with everything that is wrong.
    init(of request: Request, allowing names: Set<String>, metadata hasMetadata: Bool = false) throws(Problem) {
        let violations = Violations()
        for item in (request.uri.query ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let key = PercentEncoding.decoded(parts[0]).flatMap { hasMetadata ? Self.metadataKey($0) : nil }
            guard let name = PercentEncoding.decoded(parts[0]), key != nil || names.contains(name) else {
                let all = names.sorted() + (hasMetadata ? ["metadata[key]"] : [])
                let known = all.isEmpty ? "none" : all.joined(separator: ", ")
                violations.add(Self.violation(String(parts[0]), "unknown_parameter", "Known here: \(known)."))
                continue
            }
            guard let value = parts.count == 2 ? PercentEncoding.decoded(parts[1]) : "" else {
                violations.add(Self.violation(name, "invalid_parameter", "Is not percent-encoded UTF-8."))
                continue
            }
            if values.updateValue(value, forKey: name) != nil {
                violations.add(Self.violation(name, "duplicate_parameter", "Stands in the query twice."))
            }
            if let key { metadata.append(MetadataItem(key: key, value: value)) }
        }
        guard violations.isEmpty else { throw Problem.invalid(violations.all) }
        metadata.sort { $0.key < $1.key }
    }

    /// The key of `metadata[key]`; nil for anything else.
    private static func metadataKey(_ name: String) -> String? {
        let prefix = "metadata["
        guard name.utf8.starts(with: prefix.utf8), name.utf8.last == UInt8(ascii: "]") else { return nil }
        let key = String(name.dropFirst(prefix.utf8.count).dropLast())
        return !key.isEmpty && TextRule.reference.allows(key) ? key : nil
    }

    /// A parameter's value; nil if it is not there.
    subscript(name: String) -> String? { values[name] }

    /// A query parameter that cannot be used.
    static func refusal(_ parameter: String, _ expected: String) -> Problem {
        .invalid([violation(parameter, "invalid_parameter", "Must be \(expected).")])
    }

    /// The text of a parameter, or of a part of the path, as the rule answers it.
    ///
    /// - Throws: a 422 ``Problem`` that names the character which has no place in it.
    @discardableResult
    static func check(_ text: String, of parameter: String, by rule: TextRule) throws(Problem) -> String {
        do throws(TextObjection) {
            return try rule.accept(text)
        } catch {
            throw .invalid([violation(parameter, "invalid_character", error.description)])
        }
    }

    private static func violation(_ parameter: String, _ code: String, _ detail: String) -> Violation {
        Violation(pointer: "?\(parameter.prefix(64))", code: code, detail: detail)
    }
}

/// Cursor pagination: `?limit=&starting_after=` → `{data, has_more}`.
struct Page {
    /// How many items a page holds if the request does not say.
    private static let usualLimit = 20
    /// How many it may hold.
    private static let greatestLimit = 100

    /// How many items to answer.
    let limit: Int
    /// The item behind which to begin.
    let startingAfter: String?

    /// The parameters of every list.
    static let parameters: Set<String> = ["limit", "starting_after"]

    /// Reads the query.
    ///
    /// - Throws: a 422 ``Problem`` for a limit that is no number from 1 to 100.
    init(_ query: Query) throws(Problem) {
        startingAfter = query["starting_after"]
        guard let text = query["limit"] else {
            limit = Self.usualLimit
            return
        }
        guard let limit = Int(text), (1...Self.greatestLimit).contains(limit) else {
            throw Query.refusal("limit", "a number from 1 to \(Self.greatestLimit)")
        }
        self.limit = limit
    }

    /// The answer's document.
    static func json(_ data: [JSON], hasMore: Bool) -> JSON { ["data": .array(data), "has_more": .bool(hasMore)] }

    /// The answer's document, with what to begin behind for the rest; nil where there is none.
    ///
    /// A page of a list that is narrowed may be short, though there is more: so what to begin behind need not be the last
    /// item.
    static func json(_ data: [JSON], next: String?) -> JSON {
        ["data": .array(data), "has_more": .bool(next != nil), "next": .optional(next)]
    }
}

/// The text of paths and queries.
extension PercentEncoding {
    /// The text that is meant; nil for a broken escape, for what is not UTF-8, for NUL, and for more than
    /// 30 combining marks in a row.
    static func decoded(_ text: some StringProtocol) -> String? {
        guard let bytes = decode(text.utf8), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self).flatMap { $0.hasLongCombiningRun ? nil : $0 }
    }
}
