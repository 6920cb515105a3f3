package import AdapterKit
import Domain

/// Stripe through PaymentIntents: cards by Stripe's own tokens, by device tokens, and by encrypted Apple Pay tokens.
///
/// A merchant's account makes everything a direct charge on that account. See README.md beside this file.
package struct StripeAdapter: PaymentAdapter {
    /// `stripe`.
    package static let name = "stripe"

    /// What Stripe's documents promise.
    package static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken, .encryptedApplePay],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .key(retentionMilliseconds: 24 * hour, keeps: .all),
        inquiry: .byReference(visibilityDelayMilliseconds: hour),
        pendingPollMilliseconds: 5 * 60_000,
        expectedWithinMilliseconds: 24 * hour,
        authorizationLifeMilliseconds: 7 * 24 * hour,
        applicationFee: true,
        exponents: StripeUnit.exponents,
        multipleCapture: false,
        partialRefund: true,
        refundBeforeSettlement: true,
        // With a merchant account everything is a direct charge on it.
        payees: Payees(toMarketplace: .merchant, toMerchant: .merchant)
    )

    private static let hour: Int64 = 3_600_000

    let requests: StripeRequests
    /// What Stripe signs webhooks with; several during a rotation, or one for each endpoint.
    let webhookKeys: [SigningKey]
    /// Whether the account's key is a live one; nil if it does not say.
    let isLive: Bool?

    /// Makes an adapter for one account; its credential is `secret_key`, and `webhook_secret` for webhooks.
    ///
    /// - Throws: ``SettingsError`` if the key is missing or the base URL is neither https nor loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        let secretKey = try settings.credential("secret_key")
        requests = StripeRequests(baseURL: settings.baseURL, secretKey: secretKey)
        webhookKeys = settings.webhookSecrets.compactMap { SigningKey(bytes: Array($0.reveal().utf8)) }
        isLive = Self.isLive(secretKey)
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard let unit = StripeUnit(call.money.currency) else {
            return .outcome(Self.unsupported("currency_not_supported", "Stripe does not take \(call.money.currency)."))
        }
        // A void names no amount, so none can be in its way.
        guard let asked = call.kind == .void ? 0 : unit.amount(call.money.minorUnits) else {
            let message = "Stripe cannot express this amount of \(call.money.currency)."
            return .outcome(Self.unsupported("invalid_charge_amount", message))
        }
        let reader = OutcomeReader(call: call, unit: unit, asked: asked)
        let replies = exchanges.enumerated().map { StripeReply($1.reply, to: Self.key(of: call, exchange: $0)) }[...]
        if case .authorize(let authorization) = call.kind, call.purpose == .perform {
            return authorize(authorization, reader, replies)
        }
        if let intent = call.pspReference { return act(on: intent, reader, replies) }
        guard let found = replies.first else { return .send(requests.search(for: call)) }
        return switch reader.located(found) {
        case .intent(let intent): act(on: intent, reader, replies.dropFirst())
        case .outcome(let outcome): .outcome(outcome)
        }
    }

    /// The key of the request of that number; nil for one that only reads, as all of an inquiry and a search do.
    private static func key(of call: Call, exchange: Int) -> String? {
        guard call.purpose == .perform else { return nil }
        if case .authorize = call.kind { return call.key(exchange: exchange) }
        let searches = call.pspReference == nil ? 1 : 0
        return exchange < searches ? nil : call.key(exchange: exchange - searches)
    }

    /// Keys are `sk_live_…`, `rk_live_…`, and the same with `test`.
    private static func isLive(_ key: Secret) -> Bool? {
        switch key.reveal().split(separator: "_").dropFirst().first {
        case "live": true
        case "test": false
        default: nil
        }
    }

    static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }
}
