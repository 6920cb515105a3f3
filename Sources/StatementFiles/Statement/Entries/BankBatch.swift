package import AdapterKit

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
