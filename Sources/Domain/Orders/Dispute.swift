/// A charge that the buyer's bank takes back, or wants to.
package struct Dispute: Hashable, Sendable {
    /// Its identifier.
    package let id: DisputeID
    /// The attempt whose money is disputed.
    package let attempt: AttemptID
    /// The PSP's name for it; empty if it has none, or none that is known yet.
    package var reference: String
    /// When we first heard of it.
    package let heardAt: Timestamp
    /// Where it stands.
    package var state: DisputeNotice.State
    /// The disputed amount in minor units of the order's currency.
    package var amount: Int64
    /// Why, as the PSP names it.
    package var reason: String?
    /// Until when evidence may be sent.
    package var respondBy: Timestamp?
    /// When it came to this state, by the PSP's clock, if it says so.
    package var stateAt: Timestamp?
    /// Who said that it came to this state: the PSP, or an operator in its stead.
    package var saidBy: Operation.Origin
    /// What the PSP takes for it, in minor units, as far as it or an operator says.
    package var fee: Int64

    /// Makes a dispute.
    package init(
        id: DisputeID,
        attempt: AttemptID,
        reference: String,
        heardAt: Timestamp,
        state: DisputeNotice.State,
        amount: Int64,
        reason: String? = nil,
        respondBy: Timestamp? = nil,
        stateAt: Timestamp? = nil,
        saidBy: Operation.Origin = .psp,
        fee: Int64 = 0
    ) {
        self.id = id
        self.attempt = attempt
        self.reference = reference
        self.heardAt = heardAt
        self.state = state
        self.amount = amount
        self.reason = reason
        self.respondBy = respondBy
        self.stateAt = stateAt
        self.saidBy = saidBy
        self.fee = fee
    }

    /// What it takes from the merchant now: nothing once it is won.
    package var chargedBack: Int64 { state == .won ? 0 : amount }

    /// Whether an operator entered it, over `amount` and without the PSP's name for it.
    func isUnnamed(asTo amount: Int64) -> Bool { saidBy == .operator && reference.isEmpty && self.amount == amount }

    /// Whether news take this state's place: an end outranks the opening, and of two ends the later one stands.
    ///
    /// Of the same state, the PSP's own word stands, whatever an operator said in its stead and when.
    func givesWay(to news: DisputeNotice, at time: Timestamp?, saidBy origin: Operation.Origin) -> Bool {
        if news.state == state, origin != saidBy { return origin == .psp }
        return Self.rank(news.state, time, news.amount) > Self.rank(state, stateAt, amount)
    }

    private static func rank(
        _ state: DisputeNotice.State,
        _ time: Timestamp?,
        _ amount: Int64
    ) -> (Int, Int64, Int, Int64) {
        let order: Int =
            switch state {
            case .opened: 0
            case .won: 1
            case .lost: 2
            }
        return (state == .opened ? 0 : 1, time?.microseconds ?? .min, order, amount)
    }
}

/// Who bears what buyers' banks take back, and what PSPs take for it; frozen with a payment at its sale.
package enum DisputeLiability: String, Sendable, CaseIterable {
    /// The merchant, all of it.
    case merchant
    /// The marketplace, all of it.
    case marketplace
    /// Each allocation line its share: the merchant those of its lines, the marketplace those of the others.
    case proRata = "pro_rata"

    /// What the marketplace bears of an amount, at least 0, by the lines of a payment as they were frozen.
    package func marketplaceShare(of amount: Int64, _ allocation: [AllocationLine]) -> Int64 {
        switch self {
        case .merchant: return 0
        case .marketplace: return amount
        case .proRata:
            let shares = LargestRemainder.allocate(amount, by: allocation.map(\.amount))
            return zip(allocation, shares).reduce(0) { $0 + ($1.0.isMerchants ? 0 : $1.1) }
        }
    }
}

extension Payment {
    /// What buyers' banks took back of it that the marketplace bears, in minor units.
    package var chargedBackToMarketplace: Int64 { marketplaceShare(ofDisputed: chargedBack) }

    /// What the PSP took for disputes of it, in minor units, as far as it or an operator said; disputes that were won
    /// included.
    package var disputeFees: Int64 { disputes.reduce(0) { $0 + $1.fee } }

    /// What of its dispute fees the marketplace bears, in minor units.
    package var disputeFeesOfMarketplace: Int64 { marketplaceShare(ofDisputed: disputeFees) }

    /// What the marketplace bears of an amount that disputes take, by the lines as they were frozen.
    package func marketplaceShare(ofDisputed amount: Int64) -> Int64 {
        disputeLiability.marketplaceShare(of: amount, allocation)
    }
}
