package import Domain
import ExternalJoin

/// What is reconciled: which accounts, which days, and how exactly.
package struct ReconciliationScope: Hashable, Sendable {
    /// How many days behind as-of something may be posted by our clock, and be of as-of or before by a PSP's.
    package static let aheadDays: Int32 = 2

    /// The PSP accounts whose unmet expectations are reported; nil for those that the inputs are of.
    package var accounts: Set<PSPAccountName>?
    /// The first day whose unmet expectations are reported; nil for no first.
    package var from: CalendarDay?
    /// The last such day.
    package var to: CalendarDay?
    /// Which day a moment of ours belongs to.
    package var calendar = BusinessCalendar.utc
    /// The day that ages are counted to; nil for the last day that an input names, never the clock's.
    package var asOf: CalendarDay?
    /// The tolerance of every rule in minor units, in place of its own.
    package var toleranceMinorUnits: Int64?
    /// Where memory is spilled to: a directory that is there.
    package var spillDirectory = SpillFile.standardDirectory

    /// Makes a scope that leaves nothing out.
    package init() {}

    /// Whether unmet expectations of a day are reported.
    func contains(_ day: CalendarDay) -> Bool {
        if let from, day < from { return false }
        if let to, day > to { return false }
        return true
    }
}

/// One of our accounts at a PSP.
package struct PSPAccountName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The PSP's name.
    package let psp: String
    /// The account's name in our settings.
    package let account: String

    /// Makes a name.
    package init(psp: String, account: String) {
        self.psp = psp
        self.account = account
    }

    /// `stripe/eu`.
    package var description: String { "\(psp)/\(account)" }

    /// By PSP, then account.
    package static func < (left: PSPAccountName, right: PSPAccountName) -> Bool {
        (left.psp, left.account) < (right.psp, right.account)
    }
}

/// A file of a PSP that lines are read from.
package struct SettlementFile: Hashable, Sendable {
    /// The account whose report it is.
    package let account: PSPAccountName
    /// The SHA-256 of the file as it was handed in, 64 hexadecimal digits in lower case.
    package let sha256: String
    /// The member of an archive, from 0; 0 for a plain file.
    package let member: Int
    /// Whether it was reconciled before, so that only what stayed open of it is handed over: its batches are not
    /// compared again for that alone.
    package let isEarlier: Bool

    /// Names a file.
    package init(account: PSPAccountName, sha256: String, member: Int = 0, isEarlier: Bool = false) {
        self.account = account
        self.sha256 = sha256
        self.member = member
        self.isEarlier = isEarlier
    }
}

/// Finds payments of ours by what a line says of them.
package protocol PaymentLookup: Sendable {
    /// Answers each query in its place; nil if no reference leads to a payment of ours.
    ///
    /// At most ``Reconciler/pageLimit`` are asked for at once.
    func payments(for queries: [PaymentQuery]) async throws -> [PaymentMatchCandidate?]

    /// Answers what files that count already have of batches, in whatever order; those of which they have nothing are left out.
    ///
    /// At most ``Reconciler/pageLimit`` are asked for at once.
    func earlier(_ batches: [EarlierBatch.Name]) async throws -> [EarlierBatch]

    /// Answers which payouts files that count tell already.
    func told(_ payouts: Set<PayoutEntry>) async throws -> Set<PayoutEntry>
}

/// What a line that nothing explains says of the payment it is about.
package struct PaymentQuery: Hashable, Sendable {
    /// The account whose report it stands in.
    package let account: PSPAccountName
    /// Our attempt.
    package let attempt: AttemptID?
    /// Our operation.
    package let operation: OperationID?
    /// The PSP's name of the payment.
    package let paymentReference: String?
    /// The PSP's name of the capture, refund or dispute.
    package let objectReference: String?
}

/// An entry of a bank's statement, as far as it is compared.
package struct BankMovement: Hashable, Sendable {
    /// Where it stands.
    package var place: LinePlace
    /// The bank account, as the statement names it.
    package var account: String
    /// The currency.
    package var currency: Currency
    /// In minor units, as it changes the account's balance: credits above zero.
    package var amount: Int64
    /// The day it was booked.
    package var day: CalendarDay
    /// The references that the statement tells apart: end to end, instruction, the bank's own.
    package var references: [String]
    /// What else it says.
    package var text: String
    /// The payer's own reference, end to end, if the statement tells it apart.
    package var payerReference: String?
    /// The bank's own name of it, which another file that has it repeats.
    package var bankReference: String?
    /// What tells it from entries of other contents; empty if nothing does.
    package var hash: [UInt8] = []

    /// Makes an entry.
    package init(
        place: LinePlace,
        account: String,
        currency: Currency,
        amount: Int64,
        day: CalendarDay,
        references: [String] = [],
        text: String = ""
    ) {
        self.place = place
        self.account = account
        self.currency = currency
        self.amount = amount
        self.day = day
        self.references = references
        self.text = text
    }
}
