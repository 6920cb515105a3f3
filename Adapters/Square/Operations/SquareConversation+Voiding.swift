import AdapterKit
import Domain
import StrictJSON

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
        case "COMPLETED": Self.rejected(.alreadyCaptured, "COMPLETED", "The payment is completed.")
        case "FAILED": Self.rejected(.alreadyVoided, "FAILED", "The payment has failed and holds nothing.")
        default: .unknown(reason: "The payment is in a state that says nothing of its cancellation.")
        }
    }
}
