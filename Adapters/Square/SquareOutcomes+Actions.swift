import AdapterKit
import Domain
import StrictJSON

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

/// Canceling a payment, by its identifier or, if that is not known, by the key it was created with.
extension SquareConversation {
    mutating func void() throws(Halt) -> Outcome {
        guard let id = try reference() else { return try voidByKey() }
        switch try answer(to: requests.cancel(id)) {
        case .object(let json):
            guard let payment = payment(json, named: id), payment.status == "CANCELED" else {
                return .unknown(reason: "Square answered something else than the canceled payment.")
            }
            return voided(payment)
        case .refusal(let refusal), .clash(let refusal):
            guard !refusal.leavesNothingToLookAt else { return refused(refusal) }
            let payment = try look(at: id)
            return payment.status == "APPROVED" ? refused(refusal) : released(payment)
        case .doubt(let reason): return .unknown(reason: reason)
        }
    }

    /// Releases whatever the key of the creation made.
    ///
    /// Square answers with an empty object whether it canceled a payment or found none; either way nothing is held
    /// under that key any more.
    private mutating func voidByKey() throws(Halt) -> Outcome {
        switch try answer(to: requests.cancelByKey(for: call)) {
        case .object(let json):
            guard json.objectValue?.allSatisfy({ $0.key == "errors" }) == true else {
                return .unknown(reason: "Square answered something else than a cancellation by key.")
            }
            return .succeeded(Success(reference: SquareRequests.creationKey(call), amount: asked))
        case .refusal(let refusal) where refusal.concernsToken: return refused(refusal)
        case .refusal(let refusal), .clash(let refusal):
            return .unknown(reason: "Square did not cancel by key. \(refusal.sentence)")
        case .doubt(let reason): return .unknown(reason: reason)
        }
    }

    /// A cancellation releases whatever was held, so it is given the call's amount.
    func voided(_ payment: SquarePayment) -> Outcome { .succeeded(Success(reference: payment.id, amount: asked)) }

    /// What a payment that is not approved any more says of its cancellation.
    func released(_ payment: SquarePayment) -> Outcome {
        switch payment.status {
        case "CANCELED": .rejected(payment.cancellation)
        case "COMPLETED":
            Self.rejected(.alreadyCaptured, "COMPLETED", "The payment is completed.", captured: payment.amount)
        case "FAILED": Self.rejected(.alreadyVoided, "FAILED", "The payment has failed and holds nothing.")
        default: .unknown(reason: "The payment is in a state that says nothing of its cancellation.")
        }
    }
}

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
        case "REJECTED", "FAILED": .rejected(refund.failure.naming(refund.id))
        default: .unknown(reason: "The refund is in a state that Square does not document.")
        }
    }
}
