package import AdapterKit
package import Domain

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
        // An application fee is refunded where a refund asks for that (`refund_application_fee`), and not otherwise; then
        // "in an amount proportional to the amount of the charge refunded".
        keepsCommissionOfRefunds: true,
        returnsFeeInProportion: true,
        // With a merchant account everything is a direct charge on it.
        payees: Payees(toMarketplace: .merchant, toMerchant: .merchant),
        // A later payment's scheme reference is a field that Stripe opens to accounts on request, so none is written.
        agreements: AgreementSupport(
            storesCredentials: [.pspToken, .networkToken, .encryptedApplePay],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        )
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

    /// By the secret key: both worlds are at one address.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        (try? settings.credential("secret_key")).flatMap(isLive).map { $0 ? .live : .test }
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard let unit = StripeUnit(call.money.currency) else {
            return .outcome(.unsupported("currency_not_supported", "Stripe does not take \(call.money.currency)."))
        }
        // A void names no amount, so none can be in its way.
        guard let asked = call.kind == .void ? 0 : unit.amount(call.money.minorUnits) else {
            let message = "Stripe cannot express this amount of \(call.money.currency)."
            return .outcome(.unsupported("invalid_charge_amount", message))
        }
        let reader = StripeOutcomeReader(call: call, unit: unit, asked: asked)
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
}

/// Creating and confirming a PaymentIntent, after making a token of an encrypted one, and a Customer where the payment
/// method is kept.
extension StripeAdapter {
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: StripeOutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        case .pspToken(_, customer: .some) where authorization.initiation.isStoring:
            return .outcome(Self.othersMethod)
        case .pspToken(let token, let customer):
            let source = NewPaymentIntent.Source.pspToken(token.reveal(), customer: customer?.reveal())
            return prepare(source, authorization, reader, replies)
        case .networkToken(let token):
            if case .merchant = authorization.initiation { return .outcome(Self.unsupportedCredential) }
            return prepare(.networkToken(token, customer: nil), authorization, reader, replies)
        case .storedNetworkToken: return .outcome(Self.unsupportedCredential)
        case .encryptedApplePay(let token):
            if case .merchant = authorization.initiation { return .outcome(Self.unsupportedCredential) }
            guard let first = replies.first else { return .send(requests.token(token, for: reader.call)) }
            switch reader.token(first) {
            case .token(let id):
                return prepare(.pspToken(id, customer: nil), authorization, reader, replies.dropFirst())
            case .outcome(let outcome): return .outcome(outcome)
            }
        }
    }

    /// Makes the Customer that a payment method is kept for.
    private func prepare(
        _ source: NewPaymentIntent.Source,
        _ authorization: Call.Authorization,
        _ reader: StripeOutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        guard case .buyerStoring(let first) = authorization.initiation else {
            return create(source, authorization, reader, replies)
        }
        guard let reply = replies.first else {
            return .send(requests.customer(of: first.agreement, for: reader.call, exchange: replies.startIndex))
        }
        switch reader.customer(reply) {
        case .token(let id):
            return create(source.belonging(to: id), authorization, reader, replies.dropFirst())
        case .outcome(let outcome): return .outcome(outcome)
        }
    }

    /// The creation, or what became of it; `replies` is empty if it is yet to be sent.
    private func create(
        _ source: NewPaymentIntent.Source,
        _ authorization: Call.Authorization,
        _ reader: StripeOutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        if let reply = replies.first {
            return .outcome(reader.authorization(reply, capture: authorization.capture))
        }
        guard let fee = reader.fee(authorization.applicationFee) else { return .outcome(Self.unsupportedFee) }
        let intent = NewPaymentIntent(
            source: source,
            unit: reader.unit,
            amount: reader.asked,
            applicationFee: fee.amount,
            authorization: authorization
        )
        return .send(requests.authorize(intent, for: reader.call, exchange: replies.startIndex))
    }

    private static let unsupportedCredential = Outcome.unsupported(
        "off_session",
        "A payment that the merchant initiates is paid with a payment method of Stripe's only."
    )

    /// The agreement's end would detach it, and others may use it.
    private static let othersMethod = Outcome.unsupported(
        "customer",
        "An agreement does not begin with a payment method that a Customer has already."
    )
}

/// What is done to, or asked about, a PaymentIntent that is known by its identifier.
extension StripeAdapter {
    /// The next step; `replies` is what was answered since the intent was known.
    func act(on intent: String, _ reader: StripeOutcomeReader, _ replies: ArraySlice<StripeReply>) -> Step {
        switch reader.call.purpose {
        case .perform: perform(on: intent, reader, replies)
        case .inquire: inquire(after: intent, reader, replies)
        }
    }

    private func perform(on intent: String, _ reader: StripeOutcomeReader, _ replies: ArraySlice<StripeReply>) -> Step {
        let call = reader.call
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to an intent that exists."))
        case .capture(let applicationFee, let isFinal):
            guard isFinal else { return .outcome(Self.unsupportedCapture) }
            if let reply = replies.first { return .outcome(reader.capture(reply, of: intent)) }
            guard let fee = reader.fee(applicationFee) else { return .outcome(Self.unsupportedFee) }
            return .send(requests.capture(intent, amount: reader.asked, applicationFee: fee.amount, for: call))
        case .void:
            if let reply = replies.first { return .outcome(reader.void(reply, of: intent)) }
            return .send(requests.cancel(intent, for: call))
        case .refund(let applicationFee):
            if let reply = replies.first { return .outcome(reader.refund(reply, of: intent)) }
            return .send(requests.refund(intent, amount: reader.asked, applicationFee: applicationFee, for: call))
        }
    }

    private func inquire(
        after intent: String,
        _ reader: StripeOutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        if case .refund = reader.call.kind { return inquireRefund(of: intent, reader, replies) }
        guard let reply = replies.first else { return .send(requests.retrieve(intent, for: reader.call)) }
        return .outcome(reader.inquiry(reply, of: intent))
    }

    /// Reads page after page of the intent's refunds until ours is found or there are no more.
    private func inquireRefund(
        of intent: String,
        _ reader: StripeOutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        guard let last = replies.last else { return .send(requests.refunds(of: intent, after: nil, for: reader.call)) }
        switch reader.refundPage(last, of: intent) {
        case .outcome(let outcome): return .outcome(outcome)
        case .next(let refund):
            guard replies.count < Self.refundPageLimit else {
                return .outcome(.unknown(reason: "The intent has more refunds than an inquiry reads."))
            }
            return .send(requests.refunds(of: intent, after: refund, for: reader.call))
        }
    }

    private static let refundPageLimit = 20

    /// Captures that leave the rest held are offered to some accounts and cards only, so none is ever sent.
    private static let unsupportedCapture = Outcome.unsupported(
        "final_capture",
        "Stripe is asked for one capture only."
    )

    static let unsupportedFee = Outcome.unsupported(
        "application_fee_amount",
        "Stripe cannot express this application fee in this currency."
    )
}
