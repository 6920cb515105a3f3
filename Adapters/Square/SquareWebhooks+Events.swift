import AdapterKit
import Domain
import StrictJSON

/// Reads what an event says of a payment.
///
/// Square promises neither order nor single delivery, so that every notice says all of what the object says, and
/// nothing of what the event follows on. Source: "Payments API webhooks", "Refunds API webhooks" and "Disputes API
/// webhooks", read in November 2026.
struct SquareEventReader {
    let event: SquareEvent

    /// What an event says.
    enum News {
        /// Nothing of a payment of ours.
        case nothing
        /// One thing, the currency of its amounts, and the location it happened at.
        case notice(Notice, Currency, location: String?)
        /// Something of a payment that cannot be read.
        case unreadable(String)
    }

    /// What the event says.
    var news: News {
        switch event.type {
        case "payment.created", "payment.updated": payment
        case "refund.created", "refund.updated": refund
        case "dispute.created", "dispute.state.updated", "dispute.state.changed": dispute
        default: .nothing
        }
    }

    /// Sellers take payments elsewhere, too, and all of them are told; ours carry an attempt.
    private var payment: News {
        guard let json = event["payment"] else { return unreadable("no payment") }
        guard let attempt = json["reference_id"]?.stringValue.flatMap({ AttemptID($0) }) else { return .nothing }
        guard let payment = SquarePayment(json), payment.amount > 0 else { return unreadable("no amount") }
        guard let happening = happening(payment) else { return unreadable("an undocumented status") }
        let isAuthorization = if case .outcome(.authorize, _) = happening { true } else { false }
        let subject = Notice.Subject(
            attempt: attempt.text,
            payment: payment.id,
            object: isAuthorization || happening == .lapsed ? nil : payment.id
        )
        return notice(subject, happening, payment.currency, payment.location)
    }

    /// A completed payment is told as a capture, whether a sale or a capture of its own took it: that it was approved
    /// is implied.
    private func happening(_ payment: SquarePayment) -> Notice.Happening? {
        let state = payment.state.text
        switch payment.status {
        case "APPROVED":
            let success = Success(
                reference: payment.id,
                amount: payment.approved ?? payment.amount,
                expiresAt: payment.delayedUntil,
                network: payment.network,
                last4: payment.last4,
                state: state
            )
            return .outcome(.authorize, .succeeded(success))
        case "PENDING": return .outcome(.authorize, .pending(Progress(reference: payment.id, state: state)))
        case "FAILED": return .outcome(.authorize, .declined(payment.decline))
        case "COMPLETED":
            let (amount, id) = (payment.amount, payment.id)
            let success = Success(reference: id, amount: amount, capturedAmount: amount, state: state)
            return .outcome(.capture, .succeeded(success))
        case "CANCELED" where payment.cancellation.reason == .expired: return .lapsed
        case "CANCELED":
            let amount = payment.approved ?? payment.amount
            return .outcome(.void, .succeeded(Success(reference: payment.id, amount: amount)))
        default: return nil
        }
    }

    /// A refund, ours or the dashboard's.
    ///
    /// A failed one is told as reversed, whatever it was before: it never succeeds afterwards.
    private var refund: News {
        guard let refund = event["refund"].flatMap(SquareRefund.init) else { return unreadable("no refund") }
        guard let payment = refund.payment else { return .nothing }
        let happening: Notice.Happening
        switch refund.status {
        case "COMPLETED":
            happening = .outcome(.refund, .succeeded(Success(reference: refund.id, amount: refund.amount)))
        case "PENDING": happening = .outcome(.refund, .pending(Progress(reference: refund.id)))
        case "REJECTED", "FAILED": happening = .reversed(.refund, refund.failure)
        default: return unreadable("an undocumented status")
        }
        let subject = Notice.Subject(operation: refund.operation?.text, payment: payment, object: refund.id)
        return notice(subject, happening, refund.currency, refund.location)
    }

    /// A dispute; an inquiry takes nothing, and says so in another event if it becomes a dispute.
    private var dispute: News {
        guard let dispute = event["dispute"].flatMap(SquareDispute.init) else { return unreadable("no dispute") }
        guard let payment = dispute.payment else { return .nothing }
        let state: DisputeNotice.State
        switch dispute.state {
        case "EVIDENCE_REQUIRED", "PROCESSING": state = .opened
        case "WON": state = .won
        case "LOST", "ACCEPTED": state = .lost
        case "INQUIRY_EVIDENCE_REQUIRED", "INQUIRY_PROCESSING", "INQUIRY_CLOSED": return .nothing
        default: return unreadable("an undocumented state")
        }
        let news = DisputeNotice(
            state: state,
            amount: dispute.amount,
            reason: dispute.reason,
            respondBy: state == .opened ? dispute.respondBy : nil
        )
        let subject = Notice.Subject(payment: payment, object: dispute.id)
        return notice(subject, .dispute(news), dispute.currency, dispute.location)
    }

    private func notice(
        _ subject: Notice.Subject,
        _ happening: Notice.Happening,
        _ code: String,
        _ location: String?
    ) -> News {
        guard let currency = Currency(code: code), SquareCurrency.takes(currency) else {
            return unreadable("a currency that is not taken")
        }
        let notice = Notice(about: subject, happening, at: event.at)
        return .notice(notice, currency, location: location ?? event.location)
    }

    /// A sentence for a person who looks at the event.
    private func unreadable(_ problem: String) -> News { .unreadable("\(event.type): \(problem)") }
}
