package import AdapterKit
package import Domain
import WireFormats

/// Adyen through Checkout v72: encrypted Apple Pay tokens, device and network tokens, and stored payment methods.
///
/// A merchant's balance account gets its share through `splits` (Adyen for Platforms). Captures, cancels and refunds
/// are answered `received` and come to an end by webhook. See README.md beside this file.
package struct AdyenAdapter: PaymentAdapter {
    /// `adyen`.
    package static let name = "adyen"

    /// What Adyen's documents promise.
    package static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken, .encryptedApplePay],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .key(retentionMilliseconds: 7 * day, keeps: .all),
        inquiry: .none,
        pendingPollMilliseconds: day / 24,
        expectedWithinMilliseconds: day,
        authorizationLifeMilliseconds: 28 * day,
        applicationFee: true,
        exponents: AdyenUnit.exponents,
        multipleCapture: false,
        partialRefund: true,
        refundBeforeSettlement: true,
        asynchronous: [.capture, .void, .refund],
        undoByReference: true,
        // Shares are booked to the balance account only where the merchant is settled.
        payees: Payees(toMarketplace: .marketplace, toMerchant: .merchant),
        // A stored payment method has been stored for its own shopper, and is no agreement's.
        agreements: AgreementSupport(
            storesCredentials: [.networkToken, .encryptedApplePay],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        )
    )

    private static let day: Int64 = 86_400_000

    let requests: AdyenRequests
    /// What Adyen signs webhooks with; several during a rotation.
    let webhookKeys: [SigningKey]

    /// Makes an adapter for one merchant account.
    ///
    /// Its credentials are `api_key` and `merchant_account` (Adyen's account code), and `webhook_secret` (the HMAC key
    /// in hexadecimal) for webhooks.
    ///
    /// - Throws: ``SettingsError`` if one is missing or no hexadecimal key, or the base URL is neither https nor
    ///   loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        requests = AdyenRequests(
            baseURL: settings.baseURL,
            apiKey: try settings.credential("api_key"),
            merchantAccount: try settings.credential("merchant_account").reveal()
        )
        let secrets = settings.webhookSecrets
        webhookKeys = secrets.compactMap { Hexadecimal.decode($0.reveal()).flatMap(SigningKey.init(bytes:)) }
        guard webhookKeys.count == secrets.count else { throw .missingCredential(AdapterSettings.webhookSecret) }
    }

    /// By the host: `-test.adyen.com` is the test world, `-live.adyenpayments.com` the live one.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        settings.mode(test: "-test.adyen.com", live: "-live.adyenpayments.com")
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard call.purpose == .perform else {
            return .outcome(.unknown(reason: "Adyen has no call that tells a payment's state; its webhooks do."))
        }
        guard let unit = AdyenUnit(call.money.currency) else {
            return .outcome(.unsupported("currency", "Adyen does not take \(call.money.currency)."))
        }
        // A void names no amount, so none can be in its way.
        guard let asked = call.kind == .void ? 0 : unit.amount(call.money.minorUnits) else {
            return .outcome(.unsupported("amount", "Adyen cannot express this amount of \(call.money.currency)."))
        }
        if let account = call.merchantAccount, Submerchant(account) == nil {
            let message = "The merchant account is not a balance account's identifier, with a store or without."
            return .outcome(.rejected(Rejection(.configuration, code: "merchant_account", message: message)))
        }
        return perform(AdyenOutcomeReader(call: call, unit: unit, asked: asked), exchanges.first?.reply)
    }
}

/// Each operation is one exchange: the request, or what its reply says.
extension AdyenAdapter {
    func perform(_ reader: AdyenOutcomeReader, _ reply: WireReply?) -> Step {
        switch reader.call.kind {
        case .authorize(let authorization): authorize(authorization, reader, reply)
        case .capture(let fee, let isFinal): capture(fee, isFinal: isFinal, reader, reply)
        case .void: void(reader, reply)
        case .refund(let fee): refund(fee, reader, reply)
        }
    }

    private func authorize(
        _ authorization: Call.Authorization,
        _ reader: AdyenOutcomeReader,
        _ reply: WireReply?
    ) -> Step {
        if let reply { return .outcome(reader.authorization(reply, capture: authorization.capture)) }
        guard let credential = authorization.credential else {
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only a webhook can tell."))
        }
        guard authorization.initiation.takes(credential) else { return .outcome(Self.unsupportedCredential) }
        guard let source = AdyenPaymentSource(credential) else {
            let message =
                "A stored payment method is its identifier with the shopper reference as customer, or the two as one "
                + "text with a slash between."
            return .outcome(.rejected(Rejection(.configuration, code: "psp_token", message: message)))
        }
        guard let shares = reader.shares(fee: authorization.applicationFee) else {
            return .outcome(Self.unsupportedFee)
        }
        let payment = AdyenNewPayment(
            source: source,
            amount: reader.amount,
            shares: shares,
            authorization: authorization,
            buyer: AdyenBuyer(of: authorization, in: reader.unit)
        )
        return .send(requests.authorize(payment, for: reader.call))
    }

    private func capture(_ fee: Int64?, isFinal: Bool, _ reader: AdyenOutcomeReader, _ reply: WireReply?) -> Step {
        guard isFinal else { return .outcome(Self.unsupportedCapture) }
        guard let payment = reader.call.pspReference else { return .outcome(Self.unnamedPayment) }
        if let reply { return .outcome(reader.modification(reply, of: payment)) }
        guard let shares = reader.shares(fee: fee) else { return .outcome(Self.unsupportedFee) }
        return .send(requests.capture(payment, reader.amount, shares, for: reader.call))
    }

    private func void(_ reader: AdyenOutcomeReader, _ reply: WireReply?) -> Step {
        if let reply { return .outcome(reader.modification(reply, of: reader.call.pspReference)) }
        return .send(requests.cancel(reader.call.pspReference, for: reader.call))
    }

    private func refund(_ fee: Int64?, _ reader: AdyenOutcomeReader, _ reply: WireReply?) -> Step {
        guard let payment = reader.call.pspReference else { return .outcome(Self.unnamedPayment) }
        if let reply { return .outcome(reader.modification(reply, of: payment)) }
        guard let shares = reader.shares(fee: fee) else { return .outcome(Self.unsupportedFee) }
        return .send(requests.refund(payment, reader.amount, shares, for: reader.call))
    }

    private static let unsupportedCredential = Outcome.unsupported(
        "storedPaymentMethodId",
        "A stored payment method pays what the merchant initiates, and nothing else does."
    )

    /// Whether the rest stays held after a capture is a setting of the account, so only final captures are sent.
    private static let unsupportedCapture = Outcome.unsupported("final_capture", "Adyen is asked for one capture only.")

    private static let unsupportedFee = Outcome.unsupported(
        "splits",
        "The fee is more than the amount, or in no unit of Adyen's."
    )

    /// Captures and refunds are known by Adyen's reference only.
    private static let unnamedPayment = Outcome.notSent(reason: "Adyen's reference of the payment is not known yet.")
}
