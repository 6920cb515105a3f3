/// What one attempt and the lines of its payment come to in the books.
///
/// A pure function of the order. A step posts the difference of two positions, so that the balances depend on what
/// is known, never on the order in which it became known.
struct PaymentBalances: Equatable {
    /// What is held on the card.
    let held: Int64
    /// What each line has captured less what it gave back.
    let lines: [Int64]
    /// What the marketplace gave back in the merchant's stead.
    let borne: Int64
    /// What the buyer's bank took back.
    let chargedBack: Int64
    /// What of that the marketplace bears.
    let chargedBackToMarketplace: Int64

    /// The position of an attempt of a payment of `order`.
    init(of payment: Payment, attempt: Int, in order: Order) {
        held = payment.attempts[attempt].held
        lines = payment.allocation.map { $0.captured - $0.refunded }
        borne = Self.borne(by: payment, in: order)
        chargedBack = payment.chargedBack
        chargedBackToMarketplace = payment.chargedBackToMarketplace
    }

    /// The marketplace's share of what the merchant's line gives back: as its refunds are to all refunds.
    private static func borne(by payment: Payment, in order: Order) -> Int64 {
        guard order.refunds.contains(where: { $0.borneBy == .marketplace }) else { return 0 }
        let marketplaces = payment.attempts.reduce(0) { $0 + $1.refunded(by: order.isBorneByMarketplace) }
        let merchants = payment.allocation.first { $0.kind == .merchant }?.refunded ?? 0
        guard marketplaces > 0, payment.refunded >= marketplaces else { return 0 }
        return LargestRemainder.allocate(merchants, by: [marketplaces, payment.refunded - marketplaces])[0]
    }
}
