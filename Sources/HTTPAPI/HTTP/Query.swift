import Domain
import Hummingbird
import StrictJSON
import WireFormats

/// The query of a request, read as strictly as a body: no parameter that the route does not know, and none twice.
struct Query {
    private var values: [String: String] = [:]

    /// Reads the query.
    ///
    /// - Throws: a 422 ``Problem`` with everything that is wrong.
    init(of request: Request, allowing names: Set<String>) throws(Problem) {
        let violations = Violations()
        for item in (request.uri.query ?? "").split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decoded(parts[0]), names.contains(name) else {
                let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
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
        }
        guard violations.isEmpty else { throw Problem.invalid(violations.all) }
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
