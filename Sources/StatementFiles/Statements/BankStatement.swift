package import Domain

/// What a file says of a statement before its entries.
package struct BankStatementHead: Hashable, Sendable {
    /// Which statement of the file it is, the first being 1.
    package let number: Int
    /// The line it begins in, the file's first being 1.
    package let line: Int
    /// What it is.
    package var kind: BankReportKind
    /// The message's identification: MsgId.
    ///
    /// The same for all statements of a message.
    package var message: String?
    /// When the message was made.
    package var messageCreatedOn: SettlementDate?
    /// The statement's identification: Id, or the transaction reference `:20:`.
    package var identifier: String?
    /// The reference of what the statement answers: `:21:`.
    package var relatedReference: String?
    /// ElctrncSeqNb, or the statement number of `:28C:`.
    package var electronicSequence: String?
    /// Whether other statements of the account may have the same identifier and number: many banks write a constant `:20:`
    /// and `:28C:`, or count from 1 again each January.
    package var repeatsNames = false
    /// LglSeqNb.
    package var legalSequence: String?
    /// Which page of the statement this is.
    package var page: Int?
    /// Whether no page follows; nil if the file does not say.
    package var isLastPage: Bool?
    /// CpyDplctInd: `COPY`, `DUPL` or `CODU` where it repeats what was sent before or elsewhere.
    package var copyDuplicate: String?
    /// When the statement was made.
    package var createdOn: SettlementDate?
    /// Where its period begins.
    package var from: SettlementDate?
    /// Where its period ends.
    package var to: SettlementDate?
    /// The account; nil where the file does not say.
    package var account: BankAccount?

    /// Makes a head of which nothing but its place and kind is known.
    package init(number: Int, line: Int, kind: BankReportKind) {
        self.number = number
        self.line = line
        self.kind = kind
    }
}

extension BankStatementHead {
    /// What tells the statement from all others, once all of it is read; nil for one that has no name.
    ///
    /// Where names are repeated, its period is part of that: the days of both booked balances, and of a report, which has
    /// none, the moment it was made.
    package func name(endingWith end: BankStatementEnd) -> String? {
        guard identifier != nil || electronicSequence != nil else { return nil }
        var parts = [account?.identifier, identifier, electronicSequence, page.map(String.init)]
        if repeatsNames {
            let balances = [BankBalanceKind.openingBooked, .closingBooked].map { end.balance($0)?.date?.text }
            parts += kind == .statement ? balances : [createdOn?.text]
        }
        return parts.map { $0 ?? "" }.joined(separator: "/")
    }
}

/// The account that a statement is about.
package struct BankAccount: Hashable, Sendable {
    /// The IBAN, or whatever else the bank calls the account by.
    package var identifier: String
    /// Whether ``identifier`` stands where an IBAN does; MT940 does not say, and its form is looked at.
    package var isIBAN: Bool
    /// The account's currency, if the file names it.
    package var currency: Currency?
    /// The owner's name.
    package var owner: String?
    /// The BIC of the bank that keeps the account.
    package var servicer: String?

    /// Makes an account.
    package init(
        identifier: String,
        isIBAN: Bool,
        currency: Currency? = nil,
        owner: String? = nil,
        servicer: String? = nil
    ) {
        self.identifier = identifier
        self.isIBAN = isIBAN
        self.currency = currency
        self.owner = owner
        self.servicer = servicer
    }
}

/// What a bank reports.
package enum BankReportKind: String, Hashable, Sendable, CaseIterable {
    /// The booked entries of a closed period: camt.053, MT940, and a table of booked entries.
    case statement
    /// What happened so far, to be repeated by a statement: camt.052, MT942.
    case report
    /// Single entries with their details, to be repeated by a statement: camt.054.
    case notification
}

/// A balance of an account.
package struct BankBalance: Hashable, Sendable {
    /// The line it begins in.
    package let line: Int
    /// Which balance it is.
    package let kind: BankBalanceKind
    /// Whether it is one between two pages of a statement: `:60M:`, `:62M:`, SubTp `INTM`.
    package let isIntermediate: Bool
    /// The balance: below zero if it is a debit.
    package let amount: SettlementAmount
    /// When it was so.
    package let date: SettlementDate?

    /// Makes a balance.
    package init(
        line: Int,
        kind: BankBalanceKind,
        isIntermediate: Bool = false,
        amount: SettlementAmount,
        date: SettlementDate?
    ) {
        self.line = line
        self.kind = kind
        self.isIntermediate = isIntermediate
        self.amount = amount
        self.date = date
    }
}

/// Which balance a balance is: a code of ISO 20022's ExternalBalanceType1Code, or a bank's own.
package struct BankBalanceKind: RawRepresentable, Hashable, Sendable {
    /// The code.
    package let rawValue: String

    /// Makes a kind; every code is one.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// `OPBD`, `:60F:`: booked, at the beginning of the period.
    package static let openingBooked = BankBalanceKind(rawValue: "OPBD")
    /// `PRCD`: booked, at the end of the period before.
    package static let previouslyClosedBooked = BankBalanceKind(rawValue: "PRCD")
    /// `CLBD`, `:62F:`: booked, at the end of the period.
    package static let closingBooked = BankBalanceKind(rawValue: "CLBD")
    /// `CLAV`, `:64:`: available, at the end of the period.
    package static let closingAvailable = BankBalanceKind(rawValue: "CLAV")
    /// `FWAV`, `:65:`: available on a later day.
    package static let forwardAvailable = BankBalanceKind(rawValue: "FWAV")
    /// `ITBD`: booked, at a moment within the day.
    package static let interimBooked = BankBalanceKind(rawValue: "ITBD")
}

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
