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

/// Asking Adyen what it stored of a payment whose reply did not tell.
extension AdyenAdapter {
    /// Lists what is stored for the agreement's shopper, which is one payment method at most: no other agreement has it.
    ///
    /// Source: "Get tokens for stored payment details", Checkout API v72 (docs.adyen.com, read 2026).
    package func next(forStoredMethodOf call: Call, after exchanges: [Exchange]) -> Step {
        guard case .authorize(let authorization) = call.kind,
            case .buyerStoring(let first) = authorization.initiation
        else { return .outcome(.unsupported("storePaymentMethod", "Nothing is stored of the payment.")) }
        let shopper = first.agreement.text
        guard let reply = exchanges.first?.reply else { return .send(requests.stored(for: shopper)) }
        let json = try? JSON.parse(reply.body)
        guard reply.status == 200, let methods = json?["storedPaymentMethods"]?.arrayValue,
            json?["shopperReference"].map({ $0.stringValue == shopper }) ?? true
        else { return .outcome(.unknown(reason: "HTTP \(reply.status) without the stored payment methods.")) }
        guard methods.count <= 1 else {
            return .outcome(.unknown(reason: "Adyen has several stored payment methods for the agreement."))
        }
        var success = Success(reference: call.pspReference, amount: call.money.minorUnits)
        guard let found = methods.first else { return .outcome(.succeeded(success)) }
        guard let stored = StoredMethod(found, of: shopper) else {
            return .outcome(.unknown(reason: "Adyen names a stored payment method by something else than a name."))
        }
        success.stored = stored
        if let transaction = found["networkTxReference"]?.stringValue {
            success.networkTransactionIDs = [NetworkTransactionID(transaction, network: stored.network)].compactMap(
                \.self
            )
        }
        return .outcome(.succeeded(success))
    }
}

extension StoredMethod {
    /// Reads an element of `storedPaymentMethods`; nil without a name.
    fileprivate init?(_ json: JSON, of shopper: String) {
        guard let id = json["id"]?.stringValue.flatMap(ProtocolText.word), id.utf8.count <= 64 else { return nil }
        let month = json["expiryMonth"]?.stringValue.flatMap { Int($0) }.flatMap { 1...12 ~= $0 ? $0 : nil }
        let year = json["expiryYear"]?.stringValue.flatMap { Int($0) }.flatMap { 2000...2999 ~= $0 ? $0 : nil }
        let last = json["lastFour"]?.stringValue.flatMap(ProtocolText.word)
        self.init(
            token: Secret(id),
            customer: Secret(shopper),
            network: json["brand"]?.stringValue.flatMap(ProtocolText.word),
            last4: last.flatMap { $0.utf8.count == 4 ? $0 : nil },
            expiryMonth: year == nil ? nil : month,
            expiryYear: month == nil ? nil : year
        )
    }
}
