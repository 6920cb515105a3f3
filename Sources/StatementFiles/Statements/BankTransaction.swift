package import Domain

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

/// A party of a transaction, as far as the bank names it.
package struct BankParty: Hashable, Sendable {
    /// Its name.
    package var name: String?
    /// Its account: an IBAN or another number.
    package var account: String?
    /// Its bank: a BIC, or a national number.
    package var agent: String?

    /// Makes a party.
    package init(name: String? = nil, account: String? = nil, agent: String? = nil) {
        self.name = name
        self.account = account
        self.agent = agent
    }

    /// Whether nothing is known of it.
    package var isEmpty: Bool { name == nil && account == nil && agent == nil }
}

/// The names of a transaction; a name that stands for none (`NOTPROVIDED`, `NONREF`) is nil.
package struct BankReferences: Hashable, Sendable {
    /// MsgId: the message that ordered it.
    package var message: String?
    /// PmtInfId: the group of payments in that message.
    package var paymentInformation: String?
    /// InstrId: between the ordering party and its bank.
    package var instruction: String?
    /// EndToEndId: from the ordering party to the last one; `EREF`.
    package var endToEnd: String?
    /// TxId: between the banks.
    package var transaction: String?
    /// UETR: the unique end-to-end transaction reference, a UUID.
    package var uetr: String?
    /// AcctSvcrRef: the account's bank's.
    package var accountServicer: String?
    /// ClrSysRef: the clearing system's.
    package var clearingSystem: String?
    /// MndtId: the mandate of a direct debit; `MREF`.
    package var mandate: String?
    /// The creditor's scheme identification of a direct debit; `CRED`.
    package var creditorScheme: String?
    /// Other references, in the order of the file.
    package var others: [BankReference] = []

    /// Makes references of which none is known.
    package init() {}
}

/// A reference of a type of the bank's own.
package struct BankReference: Hashable, Sendable {
    /// The bank's word for what it refers to.
    package let type: String
    /// The reference.
    package let value: String

    /// Makes a reference.
    package init(type: String, value: String) {
        self.type = type
        self.value = value
    }
}
