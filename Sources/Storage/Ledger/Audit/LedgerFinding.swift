/// A place where our own books break a rule that never breaks.
package struct LedgerFinding: Hashable, Sendable {
    /// The rule that is broken.
    package let rule: LedgerRule
    /// What breaks it: an identifier, or an account and what it is looked at in.
    package let subject: String
    /// What should be there.
    package let expected: String
    /// What is there.
    package let found: String

    /// Makes a finding.
    package init(_ rule: LedgerRule, _ subject: String, expected: String, found: String) {
        self.rule = rule
        self.subject = subject
        self.expected = expected
        self.found = found
    }
}
