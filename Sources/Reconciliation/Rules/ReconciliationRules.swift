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
