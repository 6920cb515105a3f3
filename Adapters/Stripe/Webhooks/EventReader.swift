import Domain
import StrictJSON

/// Reads what an event says of a payment.
///
/// Stripe promises neither order nor single delivery, so that every notice says all of what the object says, and
/// nothing of what the event follows on. Source: "Types of events", read in November 2026.
struct EventReader {
    let event: StripeEvent

    /// What an event says.
    enum News {
        /// Nothing of a payment of ours.
        case nothing
        /// One thing, and the currency of its amounts.
        case notice(Notice, Currency?)
        /// Something of a payment that cannot be read.
        case unreadable(String)
    }

    /// What the event says.
    ///
    /// `charge.refunded` is left out because it does not name the refund, `charge.captured` and
    /// `payment_intent.processing` because others say the same or more.
    var news: News {
        switch event.type {
        case "payment_intent.amount_capturable_updated": intent(held)
        case "payment_intent.succeeded": intent(taken)
        case "payment_intent.payment_failed": intent(failed)
        case "payment_intent.requires_action": intent(waiting)
        case "payment_intent.canceled": intent(canceled)
        case "charge.succeeded": charge(held)
        case "charge.expired": charge(lapsed)
        case "refund.created", "refund.updated", "refund.failed", "charge.refund.updated": refund
        case "charge.dispute.created", "charge.dispute.funds_withdrawn": dispute(opened)
        case "charge.dispute.closed", "charge.dispute.funds_reinstated": dispute(closed)
        default: .nothing
        }
    }

    /// A notice about a payment, with the names of ours that Stripe repeats, if they are names of ours.
    func notice(
        _ happening: Notice.Happening,
        intent: String,
        attempt: String?,
        operation: String?,
        object: String?,
        _ unit: Unit?
    ) -> News {
        let subject = Notice.Subject(
            attempt: attempt.flatMap { AttemptID($0) }?.text,
            operation: operation.flatMap { OperationID($0) }?.text,
            payment: intent,
            object: object
        )
        return .notice(Notice(about: subject, happening, at: event.at), unit?.currency)
    }

    /// The operation whose request caused the event, unless it is the one that made the payment.
    func cause(besides maker: String?) -> String? {
        guard let cause = event.cause?.text, cause != maker else { return nil }
        return cause
    }

    /// A currency and Stripe's unit of it.
    struct Unit {
        var currency: Currency
        var stripe: StripeUnit

        /// Looks up a currency in lower case; nil if Stripe does not take it.
        init?(_ code: String) {
            guard let currency = Currency(code: code.uppercased()), let stripe = StripeUnit(currency) else {
                return nil
            }
            self.currency = currency
            self.stripe = stripe
        }

        /// Minor units of an amount above 0; nil if it is none.
        func minorUnits(_ amount: Int64?) -> Int64? {
            amount.flatMap { $0 > 0 ? stripe.minorUnits($0) : nil }
        }
    }

    /// A sentence for a person who looks at the event.
    func unreadable(_ problem: String) -> News { .unreadable("\(event.type): \(problem)") }
}
