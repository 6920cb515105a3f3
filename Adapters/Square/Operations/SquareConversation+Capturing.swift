import AdapterKit
import Domain

/// Completing a payment, after changing its amount where less is to be taken.
///
/// Completing has no idempotency key and needs none: a payment is completed once. Lowering the amount has one. If the
/// answer to the completion is lost, the whole is done again: the update is a replay or refused, the completion is
/// refused, and in either case the payment itself says that it is completed, and over how much. So a refusal is never
/// believed before the payment was looked at.
extension SquareConversation {
    /// What became of one try.
    private enum Attempted {
        case outcome(Outcome)
        case refused(SquareRefusal)
    }

    mutating func capture(applicationFee: Int64?) throws(Halt) -> Outcome {
        let fee = self.fee(applicationFee)
        if let obstacle = obstacle(to: fee) { return obstacle }
        guard let id = try reference() else { return Self.notListed }
        var held = try held(id)
        for round in 0...1 {
            switch try complete(id, held, fee: fee, round: round) {
            case .outcome(let outcome): return outcome
            case .refused(let refusal):
                let payment = try look(at: id)
                guard payment.status == "APPROVED" else { return captured(payment) }
                guard refusal.isClash, round == 0 else { return refused(refusal) }
                // Somebody changed the payment since its version was read: once more, from what it is now.
                held = payment.state
            }
        }
        return .unknown(reason: "The payment keeps changing while it is captured.")
    }

    /// What the payment is before the capture: as the attempt keeps it, else as Square has it.
    private mutating func held(_ id: String) throws(Halt) -> SquareState {
        if let state = call.pspState.flatMap(SquareState.init(text:)) { return state }
        let payment = try look(at: id)
        switch payment.status {
        case "APPROVED": return payment.state
        case "PENDING": throw .outcome(lost("The payment is not approved yet."))
        default: throw .outcome(captured(payment))
        }
    }

    private mutating func complete(
        _ id: String,
        _ held: SquareState,
        fee: Int64?,
        round: Int
    ) throws(Halt) -> Attempted {
        var held = held
        if held.amount != asked || (fee ?? held.fee) != held.fee {
            guard SquareCurrency.canLowerAmount(call.money.currency) else { return .outcome(Self.wholeOnly) }
            let newFee = fee.flatMap { $0 > 0 || held.fee > 0 ? $0 : nil }
            switch try answer(to: requests.update(id, fee: newFee, for: call, exchange: round)) {
            case .object(let json):
                guard let payment = payment(json, named: id), payment.status == "APPROVED", payment.amount == asked,
                    fee == nil || payment.fee == fee
                else { return .outcome(.unknown(reason: "Square did not change the payment as it was asked to.")) }
                held = payment.state
            case .refusal(let refusal), .clash(let refusal): return attempted(refusal)
            case .doubt(let reason): return .outcome(.unknown(reason: reason))
            }
        }
        switch try answer(to: requests.complete(id, version: held.version)) {
        case .object(let json):
            guard let payment = payment(json, named: id), payment.status != "APPROVED" else {
                return .outcome(.unknown(reason: "Square answered something else than the completed payment."))
            }
            return .outcome(captured(payment))
        case .refusal(let refusal), .clash(let refusal): return attempted(refusal)
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        }
    }

    private func attempted(_ refusal: SquareRefusal) -> Attempted {
        refusal.leavesNothingToLookAt ? .outcome(refused(refusal)) : .refused(refusal)
    }

    /// What a payment that is not approved any more says of its capture.
    func captured(_ payment: SquarePayment) -> Outcome {
        switch payment.status {
        case "COMPLETED":
            guard payment.amount > 0 else { return .unknown(reason: "The payment does not say what it took.") }
            return .succeeded(
                Success(
                    reference: payment.id,
                    amount: payment.amount,
                    capturedAmount: payment.amount,
                    state: payment.state.text
                )
            )
        case "PENDING": return .pending(Progress(reference: payment.id))
        case "CANCELED": return .rejected(payment.cancellation)
        case "FAILED": return Self.rejected(.unsupported, "FAILED", "The payment has failed.")
        default: return .unknown(reason: "The payment is in a state that Square does not document.")
        }
    }

    private static let wholeOnly = rejected(
        .unsupported,
        "EDIT_AMOUNT_DOWN",
        "Square does not change the amount of a payment to a seller in Japan."
    )
}
