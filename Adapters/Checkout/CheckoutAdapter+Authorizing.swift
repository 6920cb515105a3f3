import AdapterKit
import Domain

/// Requesting a payment, after making a token of an encrypted one.
extension CheckoutAdapter {
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<CheckoutReply>
    ) -> Step {
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        case .pspToken(let token, let customer):
            return request(PaymentSource(pspToken: token, of: customer), authorization, reader, replies)
        case .networkToken(let token):
            guard let source = PaymentSource(networkToken: token) else { return .outcome(Self.unsupportedNetwork) }
            return request(source, authorization, reader, replies)
        case .encryptedApplePay(let token):
            guard let first = replies.first else { return exchange(token) }
            switch reader.token(first) {
            case .token(let made):
                return request(PaymentSource(walletToken: made), authorization, reader, replies.dropFirst())
            case .outcome(let outcome): return .outcome(outcome)
            }
        }
    }

    private func exchange(_ token: EncryptedApplePay) -> Step {
        guard let publicKey = account.publicKey else {
            let message = "Encrypted tokens need the account's public_key."
            return .outcome(.rejected(Rejection(.configuration, code: "public_key", message: message)))
        }
        return requests.token(token, publicKey: publicKey).map(Step.send)
            ?? .outcome(.notSent(reason: "The Apple Pay token is no JSON object."))
    }

    /// The payment request, or what became of it; `replies` is empty if it is yet to be sent.
    private func request(
        _ source: PaymentSource,
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<CheckoutReply>
    ) -> Step {
        if let reply = replies.first {
            return .outcome(reader.authorization(reply, capture: authorization.capture))
        }
        if account.isLite, reader.call.merchantAccount != nil, reader.call.settlesToMerchant {
            return .outcome(Self.litePaysPlatform)
        }
        guard let commission = reader.commission(authorization.applicationFee) else {
            return .outcome(Self.unsupportedFee)
        }
        let payment = NewPayment(
            source: source,
            unit: reader.unit,
            amount: reader.asked,
            commission: commission.amount,
            authorization: authorization
        )
        return .send(requests.authorize(payment, for: reader.call, exchange: replies.startIndex))
    }

    static let unsupportedFee = unsupported(
        "commission_invalid",
        "Checkout.com cannot express this commission in this currency."
    )

    private static let unsupportedNetwork = unsupported(
        "token_type_invalid",
        "Checkout.com takes tokens of Visa's and Mastercard's token services only."
    )

    private static let litePaysPlatform = unsupported(
        "account_type",
        "A lite account is settled to the platform, but the route settles to the merchant."
    )
}
