/// A query of Stripe's search (docs.stripe.com/search, read 2026): clauses joined by `AND`.
struct StripeQuery: Sendable {
    /// One clause.
    private enum Clause: Sendable {
        case metadata(String, String)
        case status(String)
        case currency(String)
    }

    private let clauses: [Clause]

    /// Reads a query of `metadata['name']:'value'`, `status:'…'` and `currency:'…'`.
    ///
    /// - Throws: ``Refusal`` if it is none.
    init(_ text: String) throws(Refusal) {
        var clauses: [Clause] = []
        var rest = text[...]
        repeat {
            guard let clause = Self.clause(&rest) else {
                throw .invalid("We were unable to parse your search query.")
            }
            clauses.append(clause)
        } while Self.skip(" AND ", &rest)
        guard rest.isEmpty else { throw .invalid("We were unable to parse your search query.") }
        self.clauses = clauses
    }

    /// Whether a payment is what the query looks for.
    func matches(_ authorization: Authorization) -> Bool {
        clauses.allSatisfy { clause in
            switch clause {
            case .metadata(let name, let value): authorization.command.metadata[name] == value
            case .status(let word): StripeDocument.status(authorization) == word
            case .currency(let code): authorization.command.currency == code.uppercased()
            }
        }
    }

    private static func clause(_ rest: inout Substring) -> Clause? {
        if skip("metadata[", &rest) {
            guard let name = quoted(&rest), skip("]:", &rest), let value = quoted(&rest) else { return nil }
            return .metadata(name, value)
        }
        if skip("status:", &rest) { return quoted(&rest).map(Clause.status) }
        if skip("currency:", &rest) { return quoted(&rest).map(Clause.currency) }
        return nil
    }

    private static func skip(_ text: String, _ rest: inout Substring) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// A text in single or double quotes, with a backslash before those inside.
    private static func quoted(_ rest: inout Substring) -> String? {
        guard let quote = rest.popFirst(), quote == "'" || quote == "\"" else { return nil }
        var text = ""
        while let character = rest.popFirst() {
            if character == quote { return text }
            if character == "\\" {
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            } else {
                text.append(character)
            }
        }
        return nil
    }
}
