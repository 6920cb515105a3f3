/// A figure of a statement beside what its entries come to.
package struct BankCheck: Hashable, Sendable {
    /// What is compared.
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        /// The closing balance, with the opening balance plus the booked entries.
        case closingBalance = "closing_balance"
        /// The opening balance of a page, with the closing balance of the page before.
        case pageBalance = "page_balance"
        /// How many entries there are.
        case entryCount = "entry_count"
        /// How many credits there are.
        case creditCount = "credit_count"
        /// How many debits there are.
        case debitCount = "debit_count"
        /// The sum of all entries, without signs.
        case entrySum = "entry_sum"
        /// The sum of the credits.
        case creditSum = "credit_sum"
        /// The sum of the debits, without sign.
        case debitSum = "debit_sum"
        /// The sum of all entries, with their signs.
        case netSum = "net_sum"
    }

    /// What is compared.
    package let subject: Subject
    /// What the file states.
    package let stated: BankFigure
    /// What its entries come to.
    package let found: BankFigure

    /// Makes a check.
    package init(
        subject: Subject,
        stated: BankFigure,
        found: BankFigure
    ) {
        self.subject = subject
        self.stated = stated
        self.found = found
    }

    /// Whether the file agrees with itself.
    package var agrees: Bool { stated == found }
}
