package import AdapterKit
import Domain
import WireFormats

/// Worldpay through the Access Payments API: cards by Worldpay's own tokens, by device and network tokens, and by
/// encrypted Apple Pay tokens.
///
/// What comes after an authorization follows the links in Worldpay's replies, which are kept as provider state; what
/// became of anything is told by the Payment Queries API. See README.md beside this file.
package struct WorldpayAdapter: PaymentAdapter {
    /// `worldpay`.
    package static let name = "worldpay"

    /// What Worldpay's documents promise, and where they are silent our caution.
    package static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken, .encryptedApplePay],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .none,
        inquiry: .byReference(visibilityDelayMilliseconds: 30 * minute),
        pendingPollMilliseconds: 15 * minute,
        expectedWithinMilliseconds: 24 * 60 * minute,
        authorizationLifeMilliseconds: 7 * 24 * 60 * minute,
        applicationFee: false,
        exponents: WorldpayCurrencies.exponents,
        multipleCapture: true,
        partialRefund: true,
        refundBeforeSettlement: true,
        asynchronous: [.capture, .void, .refund],
        // An entity is paid as its contract says.
        payees: Payees(toMarketplace: .byContract, toMerchant: .byContract)
    )

    private static let minute: Int64 = 60_000

    let requests: WorldpayRequests
    /// What Worldpay signs events with; several during a rotation.
    let webhookKeys: [SigningKey]

    /// Makes an adapter for one account.
    ///
    /// Its credentials are `username`, `password`, `entity` (the merchant entity that payments are made under) and
    /// `narrative` (what the buyer's statement calls the merchant), and `webhook_secret` for events.
    ///
    /// - Throws: ``SettingsError`` if a credential is missing or is nothing that Worldpay takes, or if the base URL is
    ///   neither https nor loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        let username = try settings.credential("username")
        let password = try settings.credential("password")
        let entity = try settings.credential("entity").reveal()
        guard MerchantEntity.isValid(entity) else { throw .missingCredential("entity") }
        guard let narrative = Narrative.line(try settings.credential("narrative").reveal()) else {
            throw .missingCredential("narrative")
        }
        requests = WorldpayRequests(
            baseURL: settings.baseURL,
            authorization: Secret("Basic " + Base64.encode(Array("\(username.reveal()):\(password.reveal())".utf8))),
            entity: entity,
            narrative: narrative
        )
        webhookKeys = settings.webhookSecrets.flatMap(EventSignature.keys)
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard WorldpayCurrencies.takes(call.money.currency) else {
            return .outcome(Self.unsupported("currencyIsNotSupported", "\(call.money.currency) is not taken."))
        }
        // A void names no amount, so none can be in its way.
        guard call.kind == .void || WorldpayCurrencies.canExpress(call.money.minorUnits) else {
            return .outcome(Self.unsupported("amount", "Worldpay cannot express this amount."))
        }
        let reader = OutcomeReader(call: call, links: LinkReader(baseURL: requests.baseURL))
        let replies = exchanges.map { WorldpayReply($0.reply) }[...]
        switch (call.purpose, call.kind) {
        case (.inquire, _): return inquire(reader, replies)
        case (.perform, .authorize(let authorization)): return authorize(authorization, reader, replies)
        case (.perform, _): return act(reader, replies)
        }
    }

    static func unsupported(_ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(.unsupported, code: code, message: message))
    }
}
