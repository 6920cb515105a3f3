package import AdapterKit
import Domain

/// Checkout.com's Payments API: cards by its own tokens, by device and network tokens, and by encrypted Apple Pay
/// tokens; merchants as sub-entities of a platform.
///
/// See README.md beside this file.
package struct CheckoutAdapter: PaymentAdapter {
    /// `checkout`.
    package static let name = "checkout"

    /// What Checkout.com's documents promise.
    ///
    /// It has a sale in one call, but answers it `Authorized` and captures later by itself: an authorization and a
    /// capture of our own say the same sooner, so the sale is not offered.
    package static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken, .encryptedApplePay],
        saleInOneCall: false,
        partialCapture: true,
        idempotency: .key(retentionMilliseconds: 24 * hour, keeps: .successes),
        inquiry: .byReference(visibilityDelayMilliseconds: hour),
        pendingPollMilliseconds: 5 * 60_000,
        expectedWithinMilliseconds: 48 * hour,
        authorizationLifeMilliseconds: 7 * 24 * hour,
        applicationFee: true,
        exponents: CheckoutUnit.exponents,
        multipleCapture: true,
        partialRefund: true,
        refundBeforeSettlement: true,
        asynchronous: [.capture, .void, .refund],
        releaseAfterCapture: true,
        // An allocation is left out where the platform is to be paid; a lite account pays nobody else.
        payees: Payees(toMarketplace: .marketplace, toMerchant: .merchant)
    )

    private static let hour: Int64 = 3_600_000

    let account: CheckoutAccount
    let requests: CheckoutRequests
    /// What Checkout.com signs webhooks with; several during a rotation, or one for each workflow.
    let webhookKeys: [SigningKey]

    /// Makes an adapter for one account; README.md lists its credentials by name.
    ///
    /// - Throws: ``SettingsError`` if the secret key is missing, `account_type` is neither `full` nor `lite`, or the
    ///   base URL is neither https nor loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        account = try CheckoutAccount(settings)
        requests = CheckoutRequests(baseURL: settings.baseURL, account: account)
        webhookKeys = settings.webhookSecrets.compactMap { SigningKey(bytes: Array($0.reveal().utf8)) }
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard let unit = CheckoutUnit(call.money.currency) else {
            let message = "Checkout.com does not take \(call.money.currency)."
            return .outcome(Self.unsupported("currency_invalid", message))
        }
        // A void names no amount, so none can be in its way.
        guard let asked = call.kind == .void ? 0 : unit.amount(call.money.minorUnits) else {
            let message = "Checkout.com cannot express this amount of \(call.money.currency)."
            return .outcome(Self.unsupported("amount_invalid", message))
        }
        let reader = OutcomeReader(call: call, unit: unit, asked: asked)
        let replies = exchanges.map { CheckoutReply($0.reply) }[...]
        if case .authorize(let authorization) = call.kind, call.purpose == .perform {
            return authorize(authorization, reader, replies)
        }
        if let payment = call.pspReference { return act(on: payment, reader, replies) }
        guard let found = replies.first else { return .send(requests.search(for: call)) }
        return switch reader.located(found) {
        case .payment(let payment): act(on: payment, reader, replies.dropFirst())
        case .outcome(let outcome): .outcome(outcome)
        }
    }

    static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }
}
