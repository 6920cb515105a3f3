import Domain
import StrictJSON

/// A context of a payment request beside its merchant's record.
struct PlannedContext {
    let asked: PaymentRequestDraft.Context
    let merchant: Merchant
    let amount: Money
    /// Where the context stands in the body.
    let place: JSONPointer

    /// Refuses a paused merchant, and whatever differs from the record.
    func check(_ violations: Violations) {
        merchant.check(
            identifier: asked.merchantIdentifier,
            name: asked.merchantName,
            domain: asked.merchantDomain,
            at: place,
            violations
        )
    }

    /// The context as Apple wants it.
    func context(orIdentifier identifier: String?) -> PaymentRequestPlan.Context {
        PaymentRequestPlan.Context(
            merchantIdentifier: merchant.merchantIdentifier ?? identifier ?? merchant.externalIdentifier,
            externalIdentifier: merchant.externalIdentifier,
            merchantName: merchant.name,
            merchantDomain: merchant.domain,
            amount: amount
        )
    }

    /// Whether whatever pays for one of the two ends up in the same place whichever it is.
    func settlesLike(_ other: PlannedContext) -> Bool {
        let places = [self, other].map { context in
            context.merchant.routes.map { [$0.pspAccount, $0.merchantAccount] }
        }
        return places[0] == places[1]
    }
}
