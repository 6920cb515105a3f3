package import AdapterKit

/// One of the transactions that an entry consists of: TxDtls, or a `:86:`.
package struct BankTransaction: Hashable, Sendable {
    /// The line it begins in; in a table the row.
    package let line: Int
    /// Its amount: not below zero; nil if the file gives none, which in an entry's only transaction is the entry's.
    package var amount: SettlementAmount?
    /// Which way its money moved; nil where it is the entry's.
    package var creditDebit: CreditDebit?
    /// The amount that was ordered, before exchange and charges.
    package var instructedAmount: SettlementAmount?
    /// The exchange rate as it is written.
    package var exchangeRate: String?
    /// The names that the parties gave it.
    package var references = BankReferences()
    /// What kind of transaction the bank says it is.
    package var bankTransactionCode: BankTransactionCode?
    /// Who paid.
    package var debtor: BankParty?
    /// Who was paid.
    package var creditor: BankParty?
    /// For whom the debtor paid.
    package var ultimateDebtor: BankParty?
    /// For whom the creditor was paid.
    package var ultimateCreditor: BankParty?
    /// Remittance information that is free text, a line each.
    package var remittance: [String] = []
    /// Structured references of creditors (ISO 11649 and national ones).
    package var creditorReferences: [String] = []
    /// Numbers of the invoices and other documents it is for.
    package var documentNumbers: [String] = []
    /// What the structured remittance information says beside references.
    package var structuredInformation: [String] = []
    /// What the bank took for it.
    package var charges: [BankCharge] = []
    /// What it is for: a code of ISO 20022's ExternalPurpose1Code, or the bank's own.
    package var purpose: String?
    /// Why it came back: a code of ExternalReturnReason1Code, or the bank's own.
    package var returnReason: String?
    /// AddtlTxInf, or the posting text `?00`.
    package var additionalInformation: String?

    /// Makes a transaction of which nothing but its place is known.
    package init(line: Int) { self.line = line }
}
