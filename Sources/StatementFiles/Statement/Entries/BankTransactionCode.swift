/// What kind of entry or transaction a bank says it is: BkTxCd, or the type in `:61:`.
package struct BankTransactionCode: Hashable, Sendable {
    /// The domain of ISO 20022's list: `PMNT`.
    package var domain: String?
    /// The family in the domain: `RCDT`.
    package var family: String?
    /// The family's part: `ESCT`.
    package var subfamily: String?
    /// The bank's own code, or SWIFT's transaction type: `NTRF`.
    package var proprietary: String?
    /// Whose list ``proprietary`` is of.
    package var issuer: String?

    /// Makes a code.
    package init(
        domain: String? = nil,
        family: String? = nil,
        subfamily: String? = nil,
        proprietary: String? = nil,
        issuer: String? = nil
    ) {
        self.domain = domain
        self.family = family
        self.subfamily = subfamily
        self.proprietary = proprietary
        self.issuer = issuer
    }
}
