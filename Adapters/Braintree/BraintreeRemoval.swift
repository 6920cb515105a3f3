package import AdapterKit
import Domain
import StrictJSON

/// Having Braintree forget a payment method.
extension BraintreeAdapter {
    /// Deletes it from the vault.
    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        let name = removal.agreement.text
        guard let reply = exchanges.first?.reply else {
            return .send(requests.forget(removal.token.reveal(), for: removal.agreement))
        }
        switch BraintreeReply(reply, answeredAs: name) {
        case .result(let payload):
            guard payload["clientMutationId"]?.stringValue == name else {
                return .outcome(.unknown(reason: "Braintree answered something else than the deletion."))
            }
            return .outcome(.succeeded(Success(reference: nil, amount: 0)))
        case .refusal(let refusal):
            let reason: Rejection.Reason = refusal.contains(.notFound) ? .notFound : .configuration
            return .outcome(.rejected(Rejection(reason, code: refusal.code, message: refusal.sentence)))
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        }
    }
}
