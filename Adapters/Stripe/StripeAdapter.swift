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
        idempotency: .key(retentionMilliseconds: 24 * hour),
        inquiry: .byReference(visibilityDelayMilliseconds: hour),
        pendingPollMilliseconds: 5 * 60_000,
        expectedWithinMilliseconds: 24 * hour,
        authorizationLifeMilliseconds: 7 * 24 * hour,
        applicationFee: true,
        exponents: StripeUnit.exponents
    )

    private static let hour: Int64 = 3_600_000

    let requests: StripeRequests

    /// Makes an adapter for one account; its credential is `secret_key`.
    ///
    /// - Throws: ``SettingsError`` if the key is missing or the base URL is neither https nor loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        requests = StripeRequests(baseURL: settings.baseURL, secretKey: try settings.credential("secret_key"))
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
        let replies = exchanges.map { StripeReply($0.reply) }[...]
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

    static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }
}
