import Domain

/// What a conversation's name says the adapter must make of it: an outcome, then for a decline its category and
/// for a rejection its reason with dashes, then free text.
enum Expectation: Hashable {
    case succeeded
    case declined(Decline.Category)
    case rejected(Rejection.Reason)
    case pending
    case actionRequired
    case unknown
    case notSent

    /// Reads a name such as `declined-insufficient-funds`; nil if it says nothing of the kind.
    init?(_ name: String) {
        if let rest = Self.rest(of: name, after: "declined") {
            guard let category = Self.leading(Decline.Category.self, in: rest) else { return nil }
            self = .declined(category)
        } else if let rest = Self.rest(of: name, after: "rejected") {
            guard let reason = Self.leading(Rejection.Reason.self, in: rest) else { return nil }
            self = .rejected(reason)
        } else {
            let plain: [(String, Expectation)] = [
                ("succeeded", .succeeded), ("pending", .pending), ("action-required", .actionRequired),
                ("unknown", .unknown), ("not-sent", .notSent),
            ]
            guard let match = plain.first(where: { Self.rest(of: name, after: $0.0) != nil }) else { return nil }
            self = match.1
        }
    }

    /// What an outcome is.
    init(_ outcome: Outcome) {
        self =
            switch outcome {
            case .succeeded: .succeeded
            case .declined(let decline): .declined(decline.category)
            case .rejected(let rejection): .rejected(rejection.reason)
            case .pending: .pending
            case .actionRequired: .actionRequired
            case .notSent: .notSent
            case .unknown: .unknown
            }
    }

    /// What follows `word` and a dash; empty if nothing does, nil if the name does not start with that word.
    private static func rest(of name: String, after word: String) -> String? {
        guard name != word else { return "" }
        return name.hasPrefix(word + "-") ? String(name.dropFirst(word.count + 1)) : nil
    }

    /// The case with the longest name that `text` starts with.
    private static func leading<Case: RawRepresentable<String> & CaseIterable>(_: Case.Type, in text: String) -> Case? {
        Case.allCases
            .filter { rest(of: text, after: dashed($0.rawValue)) != nil }
            .max { $0.rawValue.count < $1.rawValue.count }
    }

    private static func dashed(_ word: String) -> String { String(word.map { $0 == "_" ? "-" : $0 }) }
}
