package import Domain

/// One entry on an account, with what it consists of.
package struct BankEntry: Hashable, Sendable {
    /// The most transactions that one entry may have; one with more is reported as unusable.
    package static let transactionLimit = 50_000

    /// The line it begins in; in a table the row.
    package let line: Int
    /// Which statement of the file it is part of, the first being 1.
    package let statement: Int
    /// The amount as it is written: not below zero.
    package var amount: SettlementAmount
    /// Which way the money moved, reversals included.
    package var creditDebit: CreditDebit
    /// Whether it takes back an earlier entry, which went the other way.
    package var isReversal = false
    /// What it is to the books.
    package var status = BankEntryStatus.booked
    /// When it was booked.
    package var bookedOn: SettlementDate?
    /// From when on it counts for interest.
    package var valueOn: SettlementDate?
    /// NtryRef: the entry's name in its statement.
    package var entryReference: String?
    /// AcctSvcrRef, or what stands behind `//` in `:61:`: the bank's name of the entry.
    package var accountServicerReference: String?
    /// The reference for the account's owner in `:61:`; nil if it is `NONREF`.
    package var ownerReference: String?
    /// The account, where a row of a table names it; nil where it is the statement's.
    package var account: String?
    /// What kind of entry the bank says it is.
    package var bankTransactionCode: BankTransactionCode?
    /// What the bank took for it.
    package var charges: [BankCharge] = []
    /// The batch that was booked as this entry.
    package var batch: BankBatch?
    /// What it consists of; empty if the file does not say.
    package var transactions: [BankTransaction] = []
    /// AddtlNtryInf, or the supplementary details of `:61:`.
    package var additionalInformation: String?
    /// A hash of all that the file says of the entry, and of nothing else of the file.
    ///
    /// The same entry in the same format has the same fingerprint wherever it stands; two entries that the bank wrote
    /// alike have it, too. White space around texts, line ends and prefixes of namespaces do not count.
    package var fingerprint: UInt128 = 0

    /// Makes an entry of which nothing but its place and amount is known.
    package init(line: Int, statement: Int, amount: SettlementAmount, creditDebit: CreditDebit) {
        self.line = line
        self.statement = statement
        self.amount = amount
        self.creditDebit = creditDebit
    }

    /// What the account's balance changed by.
    package var signedAmount: SettlementAmount { creditDebit == .credit ? amount : amount.negated }

    /// Whom the money came from or went to, as one of the entry's transactions has it.
    ///
    /// The debtor of a credit and the creditor of a debit; of a reversal, the party of the original.
    package func counterparty(of transaction: BankTransaction) -> BankParty? {
        let direction = transaction.creditDebit ?? creditDebit
        let original = isReversal ? direction.opposite : direction
        return original == .credit ? transaction.debtor : transaction.creditor
    }

    /// What is left of the amount over its transactions: zero in a batch that adds up.
    ///
    /// Nil if the transactions' amounts are not all there, not of the entry's currency, or too large to compare.
    package var transactionsDiscrepancy: SettlementAmount? {
        guard !transactions.isEmpty else { return nil }
        var rest = amount
        for transaction in transactions {
            guard let part = transaction.amount else { return nil }
            let isOpposite = (transaction.creditDebit ?? creditDebit) != creditDebit
            guard let left = try? rest.subtracting(isOpposite ? part.negated : part) else { return nil }
            rest = left
        }
        return rest
    }
}

/// What an entry is to the account's books (ISO 20022 ExternalEntryStatus1Code).
package enum BankEntryStatus: String, Hashable, Sendable, CaseIterable {
    /// Booked: the only one that is part of a booked balance.
    case booked = "BOOK"
    /// Announced, and may still change or vanish.
    case pending = "PDNG"
    /// Booked on a later day.
    case future = "FUTR"
    /// For information; no money moves.
    case information = "INFO"
}

/// Which way money moved on the account (ISO 20022 CreditDebitCode).
package enum CreditDebit: String, Hashable, Sendable, CaseIterable {
    /// Into the account.
    case credit = "CRDT"
    /// Out of the account.
    case debit = "DBIT"

    /// The other way.
    package var opposite: CreditDebit { self == .credit ? .debit : .credit }
}

/// A batch of transactions that was booked as one entry.
package struct BankBatch: Hashable, Sendable {
    /// MsgId: the message that ordered them.
    package var message: String?
    /// PmtInfId: the group of payments in that message.
    package var paymentInformation: String?
    /// How many they are.
    package var count: Int?
    /// What they add up to.
    package var total: SettlementAmount?
    /// Which way their money moved.
    package var creditDebit: CreditDebit?

    /// Makes a batch of which nothing is known.
    package init() {}
}

/// What a bank took for an entry or a transaction.
package struct BankCharge: Hashable, Sendable {
    /// The amount: not below zero.
    package let amount: SettlementAmount
    /// Whether it was taken (debit) or given back (credit); nil if the file does not say.
    package let creditDebit: CreditDebit?
    /// Whether the amount of the entry already has it taken off; nil if the file does not say.
    package let isIncluded: Bool?
    /// The bank's code for it.
    package let type: String?

    /// Makes a charge.
    package init(amount: SettlementAmount, creditDebit: CreditDebit?, isIncluded: Bool?, type: String?) {
        self.amount = amount
        self.creditDebit = creditDebit
        self.isIncluded = isIncluded
        self.type = type
    }
}
