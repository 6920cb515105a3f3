import AdapterKit
import Domain
import StrictJSON

/// What became of a refund.
extension OutcomeReader {
    /// Reads the payload of a refund of the transaction with that GraphQL identifier.
    func refund(_ payload: JSON, of id: String) -> Outcome {
        guard answersCall(payload), let refund = payload["refund"].flatMap(Refund.init),
            refund.orderID == call.operation.text, refund.transaction == id
        else { return unknown("Braintree answered something else than the refund asked for.") }
        return self.refund(refund)
    }

    /// The refund that a reversal made of the whole transaction, under the attempt's name; nil if there is none.
    func reversal(among refunds: [Refund]?) -> Refund? {
        let made = (refunds ?? []).filter { $0.orderID == call.attempt.text && $0.amount == call.money }
        return made.count == 1 ? made[0] : nil
    }

    /// Our refund among those of the transaction.
    func refund(among refunds: [Refund]?) -> Outcome {
        guard let refunds else { return unknown("Braintree did not list the transaction's refunds.") }
        let ours = refunds.filter { $0.orderID == call.operation.text }
        guard let refund = ours.first else { return notFound("refund") }
        guard ours.count == 1 else { return unknown("Several refunds carry this operation.") }
        return self.refund(refund)
    }

    func refund(_ refund: Refund) -> Outcome {
        guard refund.amount == call.money else { return unknown("The refund is over another amount or currency.") }
        switch refund.status {
        case .submittedForSettlement, .settling, .settled:
            return .succeeded(Success(reference: refund.legacyID, amount: call.money.minorUnits))
        case .settlementPending, .authorizing: return .pending(Progress(reference: refund.legacyID))
        case .processorDeclined, .gatewayRejected, .failed, .settlementDeclined, .voided:
            let word = refund.status?.rawValue ?? ""
            let code = refund.processorCode ?? word
            return rejected(.unsupported, code, "The refund came to nothing: Braintree answered \(word) (\(code)).")
        case .authorized, .authorizationExpired, .settlementConfirmed, nil:
            return unknown("The refund is in a state that Braintree does not document for refunds.")
        }
    }
}
