import StrictJSON

/// Tokens and payment methods, which are made for a payment that follows.
///
/// They are not kept: their names say what they stand for.
enum StripeTokens {
    /// `POST /v1/tokens` with the encrypted data of Apple Pay, as Stripe's own SDK for iOS sends it.
    static func createToken(_ request: PSPRequest) throws(Refusal) -> Ask {
        _ = try StripeRequester.account(of: request)
        let form = try StripeForm(
            request,
            knowing: [
                "pk_token", "pk_token_instrument_name", "pk_token_payment_network", "pk_token_transaction_id", "card",
                "expand",
            ]
        )
        let text = try form.required("pk_token")
        guard let wallet = try? JSON.parse(text: text), case .token(let token)? = WalletData.method(wallet) else {
            throw .invalid("pk_token is not the data of an Apple Pay payment.")
        }
        return .answer(
            PSPReply(
                200,
                [
                    "id": .string(token), "object": "token", "card": card, "client_ip": nil,
                    "created": StripeDocument.seconds(SimulatorServer.systemClock()),
                    "livemode": false, "type": "card", "used": false,
                ]
            )
        )
    }

    /// `POST /v1/payment_methods` of a token.
    static func createPaymentMethod(_ request: PSPRequest) throws(Refusal) -> Ask {
        _ = try StripeRequester.account(of: request)
        let form = try StripeForm(
            request,
            knowing: ["type", "card", "billing_details", "metadata", "allow_redisplay", "expand"]
        )
        guard try form.required("type") == "card" else { throw .unsupported }
        let token = try StripeMethod.token(try form.required("card[token]"), prefix: "tok_")
        return .answer(
            PSPReply(
                200,
                [
                    "id": .string("pm_" + token.dropFirst(TokenScript.prefix.count)), "object": "payment_method",
                    "billing_details": StripeDocument.noBillingDetails, "card": card,
                    "created": StripeDocument.seconds(SimulatorServer.systemClock()), "customer": nil,
                    "livemode": false, "metadata": .object([]), "type": "card",
                ]
            )
        )
    }

    private static let card: JSON = ["brand": "visa", "last4": "4242", "tokenization_method": "apple_pay"]
}
