/// How two sides are matched, and what is agreed with each PSP.
package struct ReconciliationRules: Hashable, Sendable {
    /// The most rules.
    package static let limit = 100

    /// The terms of one PSP, or of one of its accounts.
    package struct Terms: Hashable, Sendable {
        /// The PSP.
        package let psp: String
        /// The account; nil for all for which there are no terms of their own.
        package let pspAccount: String?
        /// What is agreed.
        package let terms: PSPTerms

        /// Makes terms.
        package init(psp: String, pspAccount: String? = nil, _ terms: PSPTerms) {
            self.psp = psp
            self.pspAccount = pspAccount
            self.terms = terms
        }
    }

    /// The rules, the first that matches wins.
    package let rules: [ReconciliationRule]
    /// What is agreed with PSPs.
    package let terms: [Terms]

    /// Makes rules.
    ///
    /// - Throws: ``RuleRefusal``.
    package init(_ rules: [ReconciliationRule], terms: [Terms] = []) throws(RuleRefusal) {
        guard !rules.isEmpty else { throw .none }
        guard rules.count <= Self.limit else { throw .tooMany(rules.count) }
        var seen: Set<String> = []
        var byAmount: Set<MatchLevel> = []
        for rule in rules {
            guard seen.insert(rule.id).inserted else { throw .repeated(rule: rule.id) }
            if case .amountAndDate = rule.key {
                byAmount.insert(rule.level)
            } else if byAmount.contains(rule.level) {
                throw .referenceBehindAmount(rule: rule.id)
            }
        }
        var accounts: Set<[String?]> = []
        for entry in terms {
            guard accounts.insert([entry.psp, entry.pspAccount]).inserted else {
                throw .repeatedTerms(psp: entry.psp, pspAccount: entry.pspAccount)
            }
            if let term = entry.terms.problem { throw .terms(psp: entry.psp, term: term) }
        }
        self.init(checked: rules, terms)
    }

    init(checked rules: [ReconciliationRule], _ terms: [Terms]) {
        self.rules = rules
        self.terms = terms
    }

    /// The rules of a level, in order.
    package func rules(at level: MatchLevel) -> [ReconciliationRule] { rules.filter { $0.level == level } }

    /// What is agreed for an account.
    package func terms(for account: PSPAccountName) -> PSPTerms {
        let own = terms.first { $0.psp == account.psp && $0.pspAccount == account.account }
        return (own ?? terms.first { $0.psp == account.psp && $0.pspAccount == nil })?.terms ?? .standard
    }
}

/// The rules that hold where a marketplace has none of its own.
extension ReconciliationRules {
    /// By our own names first, then by the PSP's, then by text, and at last by amount and date.
    ///
    /// Stripe and Braintree name the merchant's account in the column of the account; the others below it.
    package static let standard = ReconciliationRules(checked: standardRules, standardTerms)

    private static let standardRules: [ReconciliationRule] = [
        ReconciliationRule(checked: "our-attempt", .line, .attempt, .manyToMany),
        ReconciliationRule(checked: "our-operation", .line, .operation, .manyToMany),
        ReconciliationRule(checked: "psp-object", .line, .objectReference, .manyToMany),
        ReconciliationRule(checked: "psp-payment", .line, .paymentReference, .manyToMany),
        ReconciliationRule(checked: "our-reference", .line, .reference, .manyToMany),
        ReconciliationRule(checked: "amount-and-date", .line, .amountAndDate(windowDays: 3), .oneToOne),
        ReconciliationRule(checked: "batch-sum", .batch, .batch, .manyToOne),
        ReconciliationRule(checked: "bank-reference", .bank, .payoutReference, .oneToMany),
        ReconciliationRule(checked: "bank-amount-and-date", .bank, .amountAndDate(windowDays: 5), .oneToMany),
        ReconciliationRule(checked: "payout-reference", .payout, .payoutReference, .oneToOne),
        ReconciliationRule(checked: "payout-amount-and-date", .payout, .amountAndDate(windowDays: 5), .oneToOne),
    ]

    private static let standardTerms: [Terms] = ["braintree", "stripe"].map { psp in
        var terms = PSPTerms()
        terms.merchantField = .account
        return Terms(psp: psp, terms)
    }
}

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
