/// Who bears what buyers' banks take back, and what PSPs take for it; frozen with a payment at its sale.
package enum DisputeLiability: String, Sendable, CaseIterable {
    /// The merchant, all of it.
    case merchant
    /// The marketplace, all of it.
    case marketplace
    /// Each allocation line its share: the merchant that of its line, the marketplace those of the others.
    case proRata = "pro_rata"

    /// What the marketplace bears of an amount, at least 0, by the lines of a payment as they were frozen.
    package func marketplaceShare(of amount: Int64, _ allocation: [AllocationLine]) -> Int64 {
        switch self {
        case .merchant: return 0
        case .marketplace: return amount
        case .proRata:
            let shares = LargestRemainder.allocate(amount, by: allocation.map(\.amount))
            return zip(allocation, shares).reduce(0) { $0 + ($1.0.kind == .merchant ? 0 : $1.1) }
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
