package import AdapterKit
import Domain
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
        payees: Payees(toMarketplace: .marketplace, toMerchant: .merchant)
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

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard call.purpose == .perform else {
            return .outcome(.unknown(reason: "Adyen has no call that tells a payment's state; its webhooks do."))
        }
        guard let unit = AdyenUnit(call.money.currency) else {
            return .outcome(Self.unsupported("currency", "Adyen does not take \(call.money.currency)."))
        }
        // A void names no amount, so none can be in its way.
        guard let asked = call.kind == .void ? 0 : unit.amount(call.money.minorUnits) else {
            return .outcome(Self.unsupported("amount", "Adyen cannot express this amount of \(call.money.currency)."))
        }
        if let account = call.merchantAccount, Submerchant(account) == nil {
            let message = "The merchant account is not a balance account's identifier, with a store or without."
            return .outcome(.rejected(Rejection(.configuration, code: "merchant_account", message: message)))
        }
        return perform(OutcomeReader(call: call, unit: unit, asked: asked), exchanges.first?.reply)
    }

    static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }
}
