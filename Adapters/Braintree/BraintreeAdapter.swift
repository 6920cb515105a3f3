package import AdapterKit
import Domain

/// Braintree through its GraphQL API: cards by Braintree's own payment methods, and by device and network tokens.
///
/// The merchant account of the route takes the payment, else the marketplace's own for the currency. See README.md
/// beside this file.
package struct BraintreeAdapter: PaymentAdapter {
    /// `braintree`.
    package static let name = "braintree"

    /// What Braintree's documents promise to every account.
    package static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .none,
        inquiry: .byReference(visibilityDelayMilliseconds: 15 * 60_000),
        pendingPollMilliseconds: 15 * 60_000,
        expectedWithinMilliseconds: 72 * hour,
        authorizationLifeMilliseconds: 7 * 24 * hour,
        applicationFee: false,
        exponents: BraintreeUnit.exponents,
        multipleCapture: false,
        partialRefund: true,
        refundBeforeSettlement: false,
        // Braintree pays each merchant account out on its own; the marketplace's own are in the account's settings.
        payees: Payees(toMarketplace: .merchant, toMerchant: .merchant)
    )

    private static let hour: Int64 = 3_600_000

    let requests: BraintreeRequests
    /// The marketplace's own merchant accounts.
    let ownAccounts: MerchantAccounts
    /// What Braintree signs webhooks with; several during a rotation.
    let webhookKeys: [WebhookKey]

    /// Makes an adapter for one account.
    ///
    /// Its credentials are `public_key`, `private_key` and `merchant_accounts` (``MerchantAccounts``), and
    /// `webhook_secret` (``WebhookKey``) for webhooks.
    ///
    /// - Throws: ``SettingsError`` if a credential is missing or not in its form, or the base URL is neither https nor
    ///   loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        requests = BraintreeRequests(
            baseURL: settings.baseURL,
            publicKey: try settings.credential("public_key"),
            privateKey: try settings.credential("private_key")
        )
        guard let accounts = MerchantAccounts(try settings.credential("merchant_accounts").reveal()) else {
            throw .missingCredential("merchant_accounts")
        }
        ownAccounts = accounts
        let secrets = settings.webhookSecrets
        webhookKeys = secrets.compactMap { WebhookKey($0) }
        guard webhookKeys.count == secrets.count else { throw .missingCredential(AdapterSettings.webhookSecret) }
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard let unit = BraintreeUnit(call.money.currency) else {
            return .outcome(Self.unsupported("currency", "Braintree does not take \(call.money.currency)."))
        }
        // A void names no amount, so none can be in its way.
        guard call.kind == .void || unit.text(call.money) != nil else {
            let message = "Braintree cannot express this amount of \(call.money.currency)."
            return .outcome(Self.unsupported("amount", message))
        }
        let reader = OutcomeReader(call: call)
        let replies = exchanges.map(\.reply)[...]
        if case .authorize(let authorization) = call.kind, call.purpose == .perform {
            return authorize(authorization, reader, unit, replies)
        }
        if let transaction = call.pspState { return act(on: transaction, reader, unit, replies) }
        guard let found = replies.first else { return .send(requests.search(for: call)) }
        return switch reader.located(BraintreeReply(found, to: call)) {
        case .transaction(let id): act(on: id, reader, unit, replies.dropFirst())
        case .outcome(let outcome): .outcome(outcome)
        }
    }

    static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }

    /// Refuses a commission that Braintree cannot keep, rather than forget it; nil if there is none.
    static func refusal(ofFee fee: Int64?) -> Step? {
        guard let fee, fee > 0 else { return nil }
        return .outcome(unsupported("application_fee", "Braintree cannot keep a commission for the marketplace."))
    }
}
