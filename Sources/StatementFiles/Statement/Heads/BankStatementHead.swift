package import AdapterKit

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
