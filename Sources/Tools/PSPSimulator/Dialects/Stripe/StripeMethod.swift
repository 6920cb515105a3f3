import StrictJSON
import WireFormats

/// What pays, as Stripe's parameters say it.
enum StripeMethod {
    /// Stripe's own test cards by the names that follow `pm_card_` and `tok_`.
    ///
    /// From docs.stripe.com/testing, read 2026.
    private static let testCards: [String: String] = [
        "visa": "approve", "mastercard": "approve", "amex": "approve", "discover": "approve",
        "chargeDeclined": "decline_generic",
        "chargeDeclinedInsufficientFunds": "decline_insufficient_funds",
        "visa_chargeDeclinedInsufficientFunds": "decline_insufficient_funds",
        "chargeDeclinedExpiredCard": "decline_expired_card",
        "visa_chargeDeclinedLostCard": "decline_lost_or_stolen",
        "visa_chargeDeclinedStolenCard": "decline_lost_or_stolen",
        "chargeDeclinedFraudulent": "decline_suspected_fraud",
        "chargeDeclinedProcessingError": "decline_temporary",
        "visa_chargeDeclinedVelocityLimitExceeded": "decline_limit_exceeded",
        "authenticationRequired": "action",
    ]

    /// The method of a payment that is confirmed; nil if it has none.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in form: StripeForm) throws(Refusal) -> PaymentMethod? {
        if let id = form.fields.value("payment_method") { return .token(try token(id, prefix: "pm_")) }
        guard form.fields.contains("payment_method_data") else { return nil }
        let type = try form.required("payment_method_data[type]")
        guard type == "card" else { throw .unsupported }
        let card = "payment_method_data[card]"
        if let token = form.fields.value("\(card)[token]") { return .token(try self.token(token, prefix: "tok_")) }
        guard form.fields.contains("\(card)[network_token]") else {
            throw Refusal(400, "parameter_missing", "Missing required param: \(card)[token].")
        }
        return .networkToken(try networkToken(form, "\(card)[network_token]"))
    }

    /// The simulator's token for the name of a token or a payment method.
    ///
    /// - Throws: ``Refusal`` if it is no such name.
    static func token(_ id: String, prefix: String) throws(Refusal) -> String {
        guard id.hasPrefix(prefix) else { throw .token(.notAToken) }
        var name = String(id.dropFirst(prefix.count))
        if name.hasPrefix("card_") { name = String(name.dropFirst("card_".count)) }
        let card = String(name.prefix { $0 != "+" })
        return TokenScript.prefix + (testCards[card] ?? card) + name.dropFirst(card.count)
    }

    private static func networkToken(_ form: StripeForm, _ path: String) throws(Refusal) -> NetworkTokenDigest {
        let number = try form.required("\(path)[number]")
        guard let month = try form.integer("\(path)[exp_month]"), 1...12 ~= month else {
            throw Refusal(400, "invalid_expiry_month", "Your card's expiration month is invalid.")
        }
        guard let year = try form.integer("\(path)[exp_year]"), 2000...2100 ~= year else {
            throw Refusal(400, "invalid_expiry_year", "Your card's expiration year is invalid.")
        }
        let options = "payment_method_options[card][network_token]"
        let cryptogram = try form.required("\(options)[cryptogram]")
        guard Base64.decode(cryptogram)?.isEmpty == false else { throw .invalid("Invalid \(options)[cryptogram].") }
        if let eci = form.fields.value("\(options)[electronic_commerce_indicator]") {
            guard eci.utf8.count == 2, eci.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .invalid("Invalid \(options)[electronic_commerce_indicator]: must be two digits.")
            }
        }
        guard let digest = NetworkTokenDigest(number: number, expiryMonth: month, expiryYear: year) else {
            throw Refusal(400, "incorrect_number", "The network token's number is incorrect.")
        }
        return digest
    }
}

/// Tokens and payment methods, which are made for a payment that follows.
///
/// They are not kept: their names say what they stand for.
enum StripeTokens {
    /// `POST /v1/tokens` with the encrypted data of Apple Pay, as Stripe's own SDK for iOS sends it.
    static func createToken(_ request: PSPRequest) throws(Refusal) -> Reply {
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
                    "id": .string(token), "object": "token", "card": card, "client_ip": .null,
                    "created": StripeDocument.seconds(SimulatorClock.system()),
                    "livemode": false, "type": "card", "used": false,
                ]
            )
        )
    }

    /// `POST /v1/payment_methods` of a token.
    static func createPaymentMethod(_ request: PSPRequest) throws(Refusal) -> Reply {
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
                    "created": StripeDocument.seconds(SimulatorClock.system()), "customer": .null,
                    "livemode": false, "metadata": .object([]), "type": "card",
                ]
            )
        )
    }

    private static let card: JSON = ["brand": "visa", "last4": "4242", "tokenization_method": "apple_pay"]
}
