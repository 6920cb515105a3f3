package import Domain

/// What files that count already have of a batch in one currency: the files of a run may go on with it.
package struct EarlierBatch: Hashable, Sendable {
    /// A batch by its name.
    package struct Name: Hashable, Sendable {
        /// The PSP account.
        package let account: PSPAccountName
        /// The batch, as the PSP names it.
        package let batch: String

        /// Names a batch.
        package init(account: PSPAccountName, batch: String) {
            self.account = account
            self.batch = batch
        }
    }

    /// A payout line of the batch.
    package struct PaidOut: Hashable, Sendable {
        /// Where it stands.
        package let place: LinePlace
        /// What the balance changed by; nil if the line does not say.
        package let net: SettlementAmount?
        /// The day of the payout, `YYYY-MM-DD`.
        package let day: String?
        /// The PSP's name of the entry, which another line may tell again.
        package let entry: String?

        /// Makes a payout line.
        package init(place: LinePlace, net: SettlementAmount?, day: String?, entry: String? = nil) {
            self.place = place
            self.net = net
            self.day = day
            self.entry = entry
        }
    }

    /// Which batch.
    package let name: Name
    /// The currency.
    package let currency: Currency
    /// What its lines that are no payouts come to, in parts.
    package var sums: [SettlementAmount] = []
    /// Of that, what lines come to that tell again what others tell, in parts.
    package var repeated: [SettlementAmount] = []
    /// How many lines that is.
    package var lines = 0
    /// Whether each of them says what it is net.
    package var isNet = true
    /// Its payout lines.
    package var payouts: [PaidOut] = []

    /// Makes a batch of which nothing is known.
    package init(name: Name, currency: Currency) {
        self.name = name
        self.currency = currency
    }
}

/// A payout by the PSP's name of its entry, which several reports may tell.
package struct PayoutEntry: Hashable, Sendable {
    /// The PSP account.
    package let account: PSPAccountName
    /// The entry.
    package let entry: String
    /// The currency.
    package let currency: Currency

    /// Names a payout.
    package init(account: PSPAccountName, entry: String, currency: Currency) {
        self.account = account
        self.entry = entry
        self.currency = currency
    }
}

extension PaymentLookup {
    /// Knows nothing of other files.
    package func told(_ payouts: Set<PayoutEntry>) async throws -> Set<PayoutEntry> { [] }

    /// Knows nothing of other files.
    package func earlier(_ batches: [EarlierBatch.Name]) async throws -> [EarlierBatch] { [] }
}

/// A batch in one currency: its lines, and what it paid out.
struct BatchSides {
    var sum: BatchSum
    private(set) var payouts: [EarlierBatch.PaidOut]

    init(_ sum: BatchSum = BatchSum(), _ payouts: [EarlierBatch.PaidOut] = []) {
        self.sum = sum
        self.payouts = payouts
    }

    /// What was sent, below zero, in units of 10⁻¹².
    var sent: Int128 { payouts.compactMap(\.net?.trillionths).filter { $0 < 0 }.reduce(0, +) }

    /// By how much the lines differ from what was paid out, with or without what came back of it; nil if either does not say.
    ///
    /// Fees have fractions of a unit, and what is paid out has none.
    func difference(inUnitsOf unit: Int128) -> Int128? {
        guard !payouts.isEmpty, !sum.lacksNet, payouts.allSatisfy({ $0.net != nil }) else { return nil }
        let returned = payouts.compactMap(\.net?.trillionths).filter { $0 >= 0 }.reduce(0, +)
        let differences = [-sent, -sent - returned].map { sum.difference(from: $0, inUnitsOf: unit) }
        return differences.contains(0) ? 0 : differences[0]
    }

    /// Takes in what files that count already have of the batch.
    ///
    /// - Throws: ``ReconciliationFailure/sumOverflows(_:)``.
    mutating func add(_ earlier: EarlierBatch) throws(ReconciliationFailure) {
        var part = BatchSum()
        part.count = earlier.lines
        part.lacksNet = !earlier.isNet
        part.file = sum.file
        part.net = earlier.sums.reduce(0) { $0 + $1.trillionths }
        part.repeated = earlier.repeated.reduce(0) { $0 + $1.trillionths }
        guard sum.add(part) else { throw .sumOverflows(earlier.currency) }
        let (places, entries) = (Set(payouts.map(\.place)), Set(payouts.compactMap(\.entry)))
        payouts += earlier.payouts.filter { payout in
            !places.contains(payout.place) && !(payout.entry.map { entries.contains($0) } ?? false)
        }
    }
}
