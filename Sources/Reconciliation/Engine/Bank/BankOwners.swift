import Domain

/// Whose payouts they are.
struct BankOwners {
    var lines: [LinePlace] = []
    var payouts: [PayoutID] = []
    var merchant: MerchantID?

    init(_ items: [PayoutItem]) {
        for item in items {
            switch item.owner {
            case .line(let place, _): lines.append(place)
            case .recorded(let payout):
                payouts.append(payout.id)
                merchant = payout.merchant
            }
        }
    }
}
