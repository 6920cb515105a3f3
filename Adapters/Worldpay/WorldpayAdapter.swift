package import AdapterKit
package import Domain
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
        payees: Payees(toMarketplace: .byContract, toMerchant: .byContract),
        // A wallet's payment leaves no token of Worldpay's, so that the number is sent again.
        agreements: AgreementSupport(merchantInitiated: [.storedNetworkToken], networkTransactionID: [.read, .write])
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

    /// By the host: `try.access.worldpay.com` is the test world, `access.worldpay.com` the live one.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        settings.mode(test: "try.access.worldpay.com", live: "access.worldpay.com")
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard WorldpayCurrencies.takes(call.money.currency) else {
            return .outcome(.unsupported("currencyIsNotSupported", "\(call.money.currency) is not taken."))
        }
        // A void names no amount, so none can be in its way.
        guard call.kind == .void || WorldpayCurrencies.canExpress(call.money.minorUnits) else {
            return .outcome(.unsupported("amount", "Worldpay cannot express this amount."))
        }
        let reader = WorldpayOutcomeReader(call: call, links: LinkReader(baseURL: requests.baseURL))
        let replies = exchanges.map { WorldpayReply($0.reply) }[...]
        switch (call.purpose, call.kind) {
        case (.inquire, _): return inquire(reader, replies)
        case (.perform, .authorize(let authorization)): return authorize(authorization, reader, replies)
        case (.perform, _): return act(reader, replies)
        }
    }
}

/// Making a payment.
extension WorldpayAdapter {
    /// The creation, or what became of it.
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: WorldpayOutcomeReader,
        _ replies: ArraySlice<WorldpayReply>
    ) -> Step {
        if let reply = replies.first { return .outcome(reader.authorization(reply)) }
        guard let credential = authorization.credential else {
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        }
        guard authorization.initiation.takes(credential) else {
            let message = "What the merchant initiates is paid with the number of a network token that has paid before."
            return .outcome(.unsupported("customerAgreement", message))
        }
        if case .pspToken(_, .some) = credential {
            return .outcome(.unsupported("customer", "Worldpay's tokens belong to no customer."))
        }
        guard let instrument = PaymentInstrument(credential) else {
            return .outcome(.unsupported("paymentInstrumentIsNotSupported", "The token is none of Worldpay's."))
        }
        let call = reader.call
        guard let entity = MerchantEntity(of: call, otherwise: requests.entity) else {
            let message = "The merchant account is no entity of Worldpay's."
            return .outcome(.rejected(Rejection(.configuration, code: "entity", message: message)))
        }
        if let refused = Self.refusedFee(authorization.applicationFee, call) { return .outcome(refused) }
        let payment = WorldpayNewPayment(
            instrument: instrument,
            entity: entity,
            narrative: requests.narrative,
            authorization: authorization
        )
        return .send(requests.create(payment, for: call))
    }

    /// Why a commission that Worldpay would have to keep cannot be taken; nil if there is none.
    ///
    /// Nothing in a payment says it; see README.md for what Split Payments would take.
    static func refusedFee(_ fee: Int64?, _ call: Call) -> Outcome? {
        guard call.merchantAccount != nil, let fee, fee > 0 else { return nil }
        return .unsupported("applicationFee", "Worldpay keeps no commission for the marketplace.")
    }
}

/// What is done to a payment, by following a link that Worldpay gave for it.
extension WorldpayAdapter {
    /// The next step of a capture, a void or a refund.
    ///
    /// The link is in the provider state; if not, the payment is looked up, which tells the links that fit its state.
    func act(_ reader: WorldpayOutcomeReader, _ replies: ArraySlice<WorldpayReply>) -> Step {
        if case .capture(let fee, _) = reader.call.kind, let refused = Self.refusedFee(fee, reader.call) {
            return .outcome(refused)
        }
        if let state = reader.call.pspState.flatMap(WorldpayPaymentState.init),
            let link = state.link(for: reader.call.kind)
        {
            return follow(link, of: state, reader.call.pspReference, reader, replies)
        }
        return look(reader, replies) { record, rest in
            guard let link = record.state.link(for: reader.call.kind) else {
                return .outcome(reader.withoutLink(record))
            }
            return follow(link, of: record.state, record.id, reader, rest)
        }
    }

    /// The next step of an inquiry.
    func inquire(_ reader: WorldpayOutcomeReader, _ replies: ArraySlice<WorldpayReply>) -> Step {
        look(reader, replies) { record, _ in .outcome(reader.inquiry(record)) }
    }

    /// Follows a link of the payment with that identifier, if it is known.
    private func follow(
        _ link: String,
        of state: WorldpayPaymentState,
        _ payment: String?,
        _ reader: WorldpayOutcomeReader,
        _ replies: ArraySlice<WorldpayReply>
    ) -> Step {
        if let reply = replies.first { return .outcome(reader.acceptance(reply, of: link, state, payment)) }
        return .send(requests.follow(link, captures: state.captures, for: reader.call))
    }

    /// Reads the payment's record, after finding its identifier by our reference if that is not known.
    private func look(
        _ reader: WorldpayOutcomeReader,
        _ replies: ArraySlice<WorldpayReply>,
        _ found: (PaymentRecord, ArraySlice<WorldpayReply>) -> Step
    ) -> Step {
        var rest = replies
        var payment = reader.call.pspReference
        if payment == nil {
            guard let reply = rest.popFirst() else { return .send(requests.search(for: reader.call)) }
            switch reader.located(reply) {
            case .found(let id): payment = id
            case .outcome(let outcome): return .outcome(outcome)
            }
        }
        guard let payment else { return .outcome(.unknown(reason: "The payment has no name.")) }
        guard let reply = rest.popFirst() else { return .send(requests.retrieve(payment)) }
        switch reader.record(reply, of: payment) {
        case .found(let record): return found(record, rest)
        case .outcome(let outcome): return .outcome(outcome)
        }
    }
}
