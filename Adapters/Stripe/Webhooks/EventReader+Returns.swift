import Domain
import StrictJSON

/// News of money that goes back: refunds and disputes.
extension EventReader {
    /// A refund, ours or the dashboard's.
    ///
    /// A failed one is told as reversed, whatever it was before: Stripe never lets a refund succeed after it failed,
    /// and our own request may have been answered with success. A refund that is not ours counts once money moves.
    var refund: News {
        guard let refund = event.object.flatMap(Refund.init) else { return unreadable("no refund") }
        let isOurs = refund.operation.flatMap { OperationID($0) } != nil
        guard let intent = refund.intent, isOurs || refund.movesMoney else { return .nothing }
        guard let unit = Unit(refund.currency), let amount = unit.minorUnits(refund.amount) else {
            return unreadable("no amount")
        }
        guard let happening = happening(refund, amount: amount) else { return unreadable("an undocumented status") }
        return notice(
            happening,
            intent: intent,
            attempt: refund.attempt,
            operation: refund.operation,
            object: refund.id,
            unit
        )
    }

    private func happening(_ refund: Refund, amount: Int64) -> Notice.Happening? {
        switch refund.status {
        case "succeeded": .outcome(.refund, .succeeded(Success(reference: refund.id, amount: amount)))
        case "pending", "requires_action": .outcome(.refund, .pending(Progress(reference: refund.id)))
        case "failed", "canceled": .reversed(.refund, refund.failure)
        default: nil
        }
    }
}

extension EventReader {
    /// Reads a dispute of a PaymentIntent's charge, if it has come to the state that `state` finds in it.
    func dispute(_ state: (Dispute) -> DisputeNotice.State?) -> News {
        guard let dispute = event.object.flatMap(Dispute.init) else { return unreadable("no dispute") }
        guard let intent = dispute.intent, let state = state(dispute) else { return .nothing }
        guard let unit = Unit(dispute.currency), let amount = unit.minorUnits(dispute.amount) else {
            return unreadable("no amount")
        }
        let news = DisputeNotice(
            state: state,
            amount: amount,
            reason: dispute.reason,
            respondBy: state == .opened ? dispute.respondBy : nil,
            fee: unit.minorUnits(dispute.fee)
        )
        return notice(.dispute(news), intent: intent, attempt: nil, operation: nil, object: dispute.id, unit)
    }

    /// Money was taken back for now.
    ///
    /// An inquiry (`warning_…`) takes nothing; if it becomes a dispute, the withdrawal of the money says so. The state
    /// may be ahead of the event, but the money was withdrawn all the same.
    func opened(_ dispute: Dispute) -> DisputeNotice.State? {
        switch dispute.status {
        case "needs_response", "under_review", "won", "lost": .opened
        default: nil
        }
    }

    /// It is decided.
    ///
    /// An inquiry that is closed, and a dispute that was prevented, decide nothing.
    func closed(_ dispute: Dispute) -> DisputeNotice.State? {
        switch dispute.status {
        case "won": .won
        case "lost": event.type == "charge.dispute.closed" ? .lost : nil
        default: nil
        }
    }
}
