package import AdapterKit
import Domain

/// Having Checkout.com forget a stored source.
extension CheckoutAdapter {
    /// Deletes it, which is answered 204 without a body.
    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        guard let reply = exchanges.first?.reply else {
            return .send(requests.forget(removal.token.reveal()).withHiddenPath)
        }
        guard reply.status != 204 else { return .outcome(.succeeded(Success(reference: nil, amount: 0))) }
        switch CheckoutReply(reply) {
        case .accepted(let status, _): return .outcome(.unknown(reason: "HTTP \(status) is no answer to a deletion."))
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        case .refusal(let refusal):
            let reason: Rejection.Reason = refusal.status == 404 ? .notFound : .configuration
            return .outcome(.rejected(Rejection(reason, code: refusal.tellingCode, message: refusal.sentence)))
        }
    }
}
