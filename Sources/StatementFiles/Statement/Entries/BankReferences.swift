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
