import AdapterKit
import Domain
import StrictJSON

/// News of disputes.
extension EventReader {
    /// What a dispute's event says, if it opens or decides it.
    var dispute: News {
        guard let state = disputeState else { return .nothing }
        guard let dispute = event.name("id", "dsp_"), let payment = event.name("payment_id", "pay_") else {
            return unreadable("no dispute of a payment")
        }
        guard let unit = Unit(event.text("currency")), let amount = unit.minorUnits(event.data["amount"]) else {
            return unreadable("no amount")
        }
        let news = DisputeNotice(
            state: state,
            amount: amount,
            reason: event.word("category") ?? event.word("reason_code"),
            respondBy: state == .opened ? event.text("evidence_required_by").flatMap { RFC3339.timestamp($0) } : nil
        )
        let subject = Notice.Subject(
            attempt: event.text("payment_reference").flatMap { AttemptID($0) }?.text,
            payment: payment,
            object: dispute
        )
        return .notice(
            Said(
                notice: Notice(about: subject, .dispute(news), at: event.at),
                currency: unit.currency,
                merchantAccount: disputed
            )
        )
    }

    /// Money is taken when evidence is asked for, and given back when a dispute is won, canceled, or resolved because
    /// the payment had been refunded.
    ///
    /// A dispute that was accepted, or not answered in time, is lost. The other types decide nothing.
    private var disputeState: DisputeNotice.State? {
        switch event.type {
        case "dispute_received", "dispute_evidence_required": .opened
        case "dispute_won", "dispute_arbitration_won", "dispute_canceled", "dispute_resolved": .won
        case "dispute_lost", "dispute_arbitration_lost", "dispute_accepted", "dispute_expired": .lost
        default: nil
        }
    }

    /// The sub-entity whose dispute it is.
    ///
    /// The platform's own entity stands there wherever the platform is paid, also for a payment with a sub-entity on its
    /// route, so that it says nothing of the route; nor does any entity without the platform's own to compare with.
    private var disputed: NoticeAccount {
        guard let ownEntity, let entity = event.name("entity_id", "ent_"), entity != ownEntity else { return .unsaid }
        return .merchant(entity)
    }
}
