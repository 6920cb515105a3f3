/// Why rules are refused.
package enum RuleRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The identifier is not made of 1 to 64 lower-case letters, digits and hyphens.
    case identifier(String)
    /// Two rules have one identifier.
    case repeated(rule: String)
    /// There are none.
    case none
    /// There are more than ``ReconciliationRules/limit``.
    case tooMany(Int)
    /// Its key has no meaning at its level.
    case keyAtLevel(rule: String, key: String, level: MatchLevel)
    /// Its tolerance is below 0 or above 1,000,000 minor units.
    case tolerance(rule: String, Int64)
    /// Its window is below 0 or above 31 days.
    case window(rule: String, days: Int)
    /// It matches several lines by nothing but their amount.
    case amountIsOneToOne(rule: String)
    /// It names a kind of effect, and is not about lines.
    case kindOutsideLines(rule: String)
    /// Its cardinality cannot be at its level.
    case cardinality(rule: String, Cardinality, MatchLevel)
    /// It is by reference and stands behind one by amount of the same level; what is named would go to what is not.
    case referenceBehindAmount(rule: String)
    /// The terms of a PSP are out of range; the PSP and the term.
    case terms(psp: String, term: String)
    /// Two terms are of one PSP account.
    case repeatedTerms(psp: String, pspAccount: String?)

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .identifier(let id):
            "The identifier “\(id.prefix(80))” is not 1 to 64 lower-case letters, digits and hyphens."
        case .repeated(let rule): "The rule \(rule) is there more than once."
        case .none: "There is no rule."
        case .tooMany(let count): "There are \(count) rules; at most \(ReconciliationRules.limit) are read."
        case .keyAtLevel(let rule, let key, let level):
            "The rule \(rule) is by \(key), which nothing of the level \(level.rawValue) has."
        case .tolerance(let rule, let units): "The rule \(rule) has a tolerance of \(units); it is 0 to 1,000,000."
        case .window(let rule, let days): "The rule \(rule) has a window of \(days) days; it is 0 to 31."
        case .amountIsOneToOne(let rule): "The rule \(rule) is by amount and date, and so is one_to_one."
        case .kindOutsideLines(let rule): "The rule \(rule) names a kind, which only rules of lines can."
        case .cardinality(let rule, let cardinality, let level):
            "The rule \(rule) is \(cardinality.rawValue), which the level \(level.rawValue) does not know."
        case .referenceBehindAmount(let rule):
            "The rule \(rule) is by reference and stands behind one by amount of its level; put it before."
        case .terms(let psp, let term): "The \(term) of \(psp) is out of its range."
        case .repeatedTerms(let psp, let account):
            "The terms of \(psp)\(account.map { "/" + $0 } ?? "") are there more than once."
        }
    }
}
