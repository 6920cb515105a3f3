import AdapterKit
import Domain
import StrictJSON

/// Giving back a completed payment or a part of it.
extension SquareConversation {
    mutating func refund(applicationFee: Int64?) throws(Halt) -> Outcome {
        guard let id = try reference() else { return Self.notListed }
        // Without an amount Square would take back a share of the fee; it takes one only if there was a fee.
        let fee = try feeTaken(by: id) > 0 ? self.fee(applicationFee) ?? 0 : nil
        switch try answer(to: requests.refund(id, fee: fee, for: call)) {
        case .object(let json):
            return json["refund"].map { refunded($0, of: id) }
                ?? .unknown(reason: "Square answered something else than the refund.")
        case .refusal(let refusal) where refusal.category == .refund:
            // What is in the way may be this very refund, if its first answer was lost.
            guard let ours = try foundRefund() else { return refused(refusal) }
            return refunded(ours, of: id)
        case .refusal(let refusal), .clash(let refusal): return refused(refusal)
        case .doubt(let reason): return .unknown(reason: reason)
        }
    }

    /// What became of the refund that carries our operation.
    mutating func inquireRefund() throws(Halt) -> Outcome {
        guard let ours = try foundRefund() else { return Self.notFound("refund") }
        return refunded(ours, of: call.pspReference)
    }

    /// The fee that the payment took, as the attempt keeps it, else as Square has it.
    private mutating func feeTaken(by id: String) throws(Halt) -> Int64 {
        if let state = call.pspState.flatMap(SquareState.init(text:)) { return state.fee }
        let payment = try look(at: id)
        switch payment.status {
        case "COMPLETED": return payment.fee
        case "APPROVED", "PENDING":
            throw .outcome(Self.rejected(.notSettledYet, "NOT_COMPLETED", "The payment is not completed."))
        case "CANCELED", "FAILED":
            throw .outcome(Self.rejected(.alreadyVoided, "NOT_COMPLETED", "The payment took nothing."))
        default: throw .outcome(lost("The payment is in a state that Square does not document."))
        }
    }

    /// What a refund says of itself; `id` is the payment, if it is known.
    private func refunded(_ json: JSON, of id: String?) -> Outcome {
        guard let refund = SquareRefund(json), refund.amount == asked, refund.currency == call.money.currency.code,
            id == nil || refund.payment == id, refund.operation == call.operation
        else { return .unknown(reason: "Square answered something else than the refund asked for.") }
        return switch refund.status {
        case "COMPLETED": .succeeded(Success(reference: refund.id, amount: asked))
        case "PENDING": .pending(Progress(reference: refund.id))
        case "REJECTED", "FAILED": .rejected(refund.failure)
        default: .unknown(reason: "The refund is in a state that Square does not document.")
        }
    }
}
