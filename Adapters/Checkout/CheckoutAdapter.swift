package import AdapterKit
package import Domain

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
        payees: Payees(toMarketplace: .marketplace, toMerchant: .merchant),
        // A later payment names the first one by Checkout.com's own identifier, not by the scheme's.
        agreements: AgreementSupport(
            storesCredentials: [.pspToken, .networkToken, .encryptedApplePay],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        )
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

    /// 401 alone: 403 is what actions are answered that a payment's state does not allow.
    package func objection(in reply: WireReply) -> CredentialObjection? {
        reply.status == 401 ? .unauthenticated : nil
    }

    /// By the host: `api.sandbox.checkout.com` is the test world, `api.checkout.com` the live one.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        settings.mode(test: "api.sandbox.checkout.com", live: "api.checkout.com")
    }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard let unit = CheckoutUnit(call.money.currency) else {
            let message = "Checkout.com does not take \(call.money.currency)."
            return .outcome(.unsupported("currency_invalid", message))
        }
        // A void names no amount, so none can be in its way.
        guard let asked = call.kind == .void ? 0 : unit.amount(call.money.minorUnits) else {
            let message = "Checkout.com cannot express this amount of \(call.money.currency)."
            return .outcome(.unsupported("amount_invalid", message))
        }
        var reader = CheckoutOutcomeReader(call: call, unit: unit, asked: asked)
        let replies = exchanges.map { CheckoutReply($0.reply) }[...]
        if case .authorize(let authorization) = call.kind, call.purpose == .perform {
            return authorize(authorization, reader, replies)
        }
        if let payment = call.pspReference { return act(on: payment, reader, replies) }
        guard let found = replies.first else { return .send(requests.search(for: call)) }
        switch reader.located(found) {
        case .payment(let payment, let surplus):
            reader.surplus = surplus
            return act(on: payment, reader, replies.dropFirst())
        case .outcome(let outcome): return .outcome(outcome)
        }
    }
}

/// Requesting a payment, after making a token of an encrypted one.
extension CheckoutAdapter {
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: CheckoutOutcomeReader,
        _ replies: ArraySlice<CheckoutReply>
    ) -> Step {
        if let kind = authorization.credential?.kind, kind != .pspToken, case .merchant = authorization.initiation {
            return .outcome(Self.unsupportedCredential)
        }
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        case .pspToken(let token, let customer)
        where authorization.initiation.isStoring && (customer != nil || token.reveal().hasPrefix("src_")):
            return .outcome(Self.othersSource)
        case .pspToken(let token, let customer):
            return request(CheckoutPaymentSource(pspToken: token, of: customer), authorization, reader, replies)
        case .networkToken(let token):
            guard let source = CheckoutPaymentSource(networkToken: token) else {
                return .outcome(Self.unsupportedNetwork)
            }
            return request(source, authorization, reader, replies)
        case .storedNetworkToken: return .outcome(Self.unsupportedCredential)
        case .encryptedApplePay(let token):
            guard let first = replies.first else { return exchange(token) }
            switch reader.token(first) {
            case .token(let made):
                return request(CheckoutPaymentSource(walletToken: made), authorization, reader, replies.dropFirst())
            case .outcome(let outcome): return .outcome(outcome)
            }
        }
    }

    private func exchange(_ token: EncryptedApplePay) -> Step {
        guard let publicKey = account.publicKey else {
            let message = "Encrypted tokens need the account's public_key."
            return .outcome(.rejected(Rejection(.configuration, code: "public_key", message: message)))
        }
        return requests.token(token, publicKey: publicKey).map(Step.send)
            ?? .outcome(.notSent(reason: "The Apple Pay token is no JSON object."))
    }

    /// The payment request, or what became of it; `replies` is empty if it is yet to be sent.
    private func request(
        _ source: CheckoutPaymentSource,
        _ authorization: Call.Authorization,
        _ reader: CheckoutOutcomeReader,
        _ replies: ArraySlice<CheckoutReply>
    ) -> Step {
        if let reply = replies.first {
            return .outcome(reader.authorization(reply, capture: authorization.capture))
        }
        if account.isLite, reader.call.merchantAccount != nil, reader.call.settlesToMerchant {
            return .outcome(Self.litePaysPlatform)
        }
        guard let commission = reader.commission(authorization.applicationFee) else {
            return .outcome(Self.unsupportedFee)
        }
        let payment = CheckoutNewPayment(
            source: source,
            unit: reader.unit,
            amount: reader.asked,
            commission: commission.amount,
            authorization: authorization
        )
        return .send(requests.authorize(payment, for: reader.call, exchange: replies.startIndex))
    }

    static let unsupportedFee = Outcome.unsupported(
        "commission_invalid",
        "Checkout.com cannot express this commission in this currency."
    )

    private static let unsupportedNetwork = Outcome.unsupported(
        "token_type_invalid",
        "Checkout.com takes tokens of Visa's and Mastercard's token services only."
    )

    private static let unsupportedCredential = Outcome.unsupported(
        "merchant_initiated",
        "A payment that the merchant initiates is paid with a stored source of Checkout.com's only."
    )

    /// The agreement's end would delete it, and others may use it.
    private static let othersSource = Outcome.unsupported(
        "source_id",
        "An agreement does not begin with a source that Checkout.com has stored already."
    )

    private static let litePaysPlatform = Outcome.unsupported(
        "account_type",
        "A lite account is settled to the platform, but the route settles to the merchant."
    )
}

/// What is done to, or asked about, a payment that is known by its identifier.
extension CheckoutAdapter {
    /// The next step; `replies` is what was answered since the payment was known.
    func act(on payment: String, _ reader: CheckoutOutcomeReader, _ replies: ArraySlice<CheckoutReply>) -> Step {
        switch reader.call.purpose {
        case .perform: perform(on: payment, reader, replies)
        case .inquire: inquire(after: payment, reader, replies)
        }
    }

    /// A refusal does not say what is in the way, so the payment is read to find out.
    private func perform(
        on payment: String,
        _ reader: CheckoutOutcomeReader,
        _ replies: ArraySlice<CheckoutReply>
    ) -> Step {
        guard let first = replies.first else { return request(on: payment, reader) }
        switch reader.action(first) {
        case .outcome(let outcome): return .outcome(outcome)
        case .refused(let refusal):
            guard let second = replies.dropFirst().first else { return .send(requests.retrieve(payment)) }
            return .outcome(reader.explanation(of: refusal, by: second, of: payment))
        }
    }

    private func request(on payment: String, _ reader: CheckoutOutcomeReader) -> Step {
        let call = reader.call
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to a payment that exists."))
        case .capture(let applicationFee, let isFinal):
            guard let commission = reader.commission(applicationFee) else { return .outcome(Self.unsupportedFee) }
            return .send(
                requests.capture(
                    payment,
                    amount: reader.asked,
                    commission: commission.amount,
                    isFinal: isFinal,
                    for: call
                )
            )
        case .void: return .send(requests.void(payment, for: call))
        case .refund(let applicationFee):
            guard let commission = reader.commission(applicationFee) else { return .outcome(Self.unsupportedFee) }
            return .send(requests.refund(payment, amount: reader.asked, commission: commission.amount, for: call))
        }
    }

    /// An authorization is read from the payment, and its decline's code from the actions; all else from the actions.
    private func inquire(
        after payment: String,
        _ reader: CheckoutOutcomeReader,
        _ replies: ArraySlice<CheckoutReply>
    ) -> Step {
        guard case .authorize(let authorization) = reader.call.kind else {
            guard let reply = replies.first else { return .send(requests.actions(of: payment)) }
            return .outcome(reader.foundAction(reply))
        }
        guard let first = replies.first else { return .send(requests.retrieve(payment)) }
        switch reader.inquiry(first, of: payment, capture: authorization.capture) {
        case .outcome(let outcome): return .outcome(outcome)
        case .declined:
            guard let second = replies.dropFirst().first else { return .send(requests.actions(of: payment)) }
            return .outcome(reader.decline(second))
        }
    }
}

/// What one account at Checkout.com is called, and what it may do.
struct CheckoutAccount: Sendable {
    let secretKey: Secret
    /// What `POST /tokens` is asked with; nil if no encrypted tokens are taken.
    let publicKey: Secret?
    /// `pc_…`; nil if the account has only one.
    let processingChannel: String?
    /// The platform's own entity, `ent_…`, whose disputes are no sub-entity's; nil if there are no sub-entities.
    let ownEntity: String?
    /// Whether sub-entities only label payments, all of which are settled to the platform.
    let isLite: Bool

    /// Reads the credentials.
    init(_ settings: AdapterSettings) throws(SettingsError) {
        secretKey = try settings.credential("secret_key")
        publicKey = Self.text("public_key", settings).map { Secret($0) }
        processingChannel = Self.text("processing_channel_id", settings)
        ownEntity = Self.text("entity_id", settings)
        switch Self.text("account_type", settings) {
        case nil, "full": isLite = false
        case "lite": isLite = true
        default: throw .missingCredential("account_type")
        }
    }

    private static func text(_ name: String, _ settings: AdapterSettings) -> String? {
        let text = settings.credentials[name]?.reveal() ?? ""
        return text.isEmpty ? nil : text
    }
}
