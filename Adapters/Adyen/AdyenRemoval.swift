package import AdapterKit
import Domain
import StrictJSON

/// Having Adyen forget a stored payment method.
extension AdyenAdapter {
    /// Deletes it, which is answered 204 without a body.
    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        guard let reply = exchanges.first?.reply else {
            let shopper = removal.customer?.reveal() ?? removal.agreement.text
            return .send(requests.forget(removal.token.reveal(), of: shopper).withHiddenPath)
        }
        guard reply.status != 204 else { return .outcome(.succeeded(Success(reference: nil, amount: 0))) }
        let json = try? JSON.parse(reply.body)
        guard reply.status >= 400, let error = json.flatMap({ ServiceError($0, status: reply.status) }) else {
            return .outcome(.unknown(reason: "HTTP \(reply.status) without what Adyen documents for a deletion."))
        }
        if reply.status == 404 || error.code == Self.noContract {
            return .outcome(.rejected(Rejection(.notFound, code: error.code, message: error.sentence)))
        }
        guard error.isRefusal(status: reply.status) else {
            return .outcome(.unknown(reason: "HTTP \(reply.status): \(error.sentence)"))
        }
        return .outcome(.rejected(Rejection(.configuration, code: error.code, message: error.sentence)))
    }

    /// "Contract not found": the shopper has no such payment method.
    private static let noContract = "800"
}
