package import Domain

/// What the last complete verification of every marketplace's books found.
package struct LedgerHealth: Hashable, Sendable {
    /// How many places break a rule; a rule that none breaks is left out.
    package let findings: [LedgerRule: Int64]
    /// When the marketplace whose books were not verified for the longest had that done; 1970 if one never had.
    package let verifiedAt: Timestamp

    /// Says what was found.
    package init(findings: [LedgerRule: Int64], verifiedAt: Timestamp) {
        self.findings = findings
        self.verifiedAt = verifiedAt
    }
}
