/// What is known of a statement once all of it is read: its balances and control totals.
package struct BankStatementEnd: Hashable, Sendable {
    /// The most balances of a statement.
    package static let balanceLimit = 1000

    /// Which statement of the file it is, the first being 1.
    package let statement: Int
    /// Its balances, in the order of the file.
    package let balances: [BankBalance]
    /// How many entries there are, usable or not.
    package let rows: Int
    /// How many of them could not be read.
    package let unusableCount: Int
    /// The sums of the booked entries, in the order of the currencies' codes.
    package let booked: [BankSum]
    /// The sums of all other entries.
    package let unbooked: [BankSum]
    /// Every figure that the file states and that could be compared.
    ///
    /// Entries that could not be read are missing on one side: then nothing is compared.
    package let checks: [BankCheck]
    /// AddtlStmtInf, or a `:86:` that belongs to no entry.
    package let additionalInformation: String?

    /// Makes an end.
    package init(
        statement: Int,
        balances: [BankBalance],
        rows: Int,
        unusableCount: Int,
        booked: [BankSum],
        unbooked: [BankSum],
        checks: [BankCheck],
        additionalInformation: String?
    ) {
        self.statement = statement
        self.balances = balances
        self.rows = rows
        self.unusableCount = unusableCount
        self.booked = booked
        self.unbooked = unbooked
        self.checks = checks
        self.additionalInformation = additionalInformation
    }

    /// The figures that the entries do not come to.
    package var disagreements: [BankCheck] { checks.filter { !$0.agrees } }

    /// The first balance of a kind.
    package func balance(_ kind: BankBalanceKind) -> BankBalance? { balances.first { $0.kind == kind } }
}
