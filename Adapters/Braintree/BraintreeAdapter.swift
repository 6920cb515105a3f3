package import AdapterKit
package import Domain

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
        payees: Payees(toMarketplace: .merchant, toMerchant: .merchant),
        // A scheme's reference is only for cards that another vault holds, never for Braintree's own tokens.
        agreements: AgreementSupport(
            storesCredentials: [.pspToken, .networkToken],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read]
        )
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

    /// By the host: `payments.sandbox.braintree-api.com` is the test world, `payments.braintree-api.com` the live one.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        settings.mode(test: "payments.sandbox.braintree-api.com", live: "payments.braintree-api.com")
    }

    /// The class of the errors says it, behind HTTP 200 as everything else.
    package func objection(in reply: WireReply) -> CredentialObjection? { BraintreeReply.objection(in: reply) }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        guard let unit = BraintreeUnit(call.money.currency) else {
            return .outcome(.unsupported("currency", "Braintree does not take \(call.money.currency)."))
        }
        // A void names no amount, so none can be in its way.
        guard call.kind == .void || unit.text(call.money) != nil else {
            let message = "Braintree cannot express this amount of \(call.money.currency)."
            return .outcome(.unsupported("amount", message))
        }
        let reader = BraintreeOutcomeReader(call: call)
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

    /// Refuses a commission that Braintree cannot keep, rather than forget it; nil if there is none.
    static func refusal(ofFee fee: Int64?) -> Step? {
        guard let fee, fee > 0 else { return nil }
        return .outcome(.unsupported("application_fee", "Braintree cannot keep a commission for the marketplace."))
    }
}

/// Authorizing or charging a payment method, after making one of a device or network token.
extension BraintreeAdapter {
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: BraintreeOutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        if let kind = authorization.credential?.kind, kind != .pspToken, case .merchant = authorization.initiation {
            return .outcome(Self.unsupportedCredential)
        }
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        case .pspToken(let method, let customer)
        where authorization.initiation.isStoring && (customer != nil || Self.isVaulted(method.reveal())):
            return .outcome(Self.othersMethod)
        case .pspToken(let method, let customer):
            return create(method.reveal(), of: customer, authorization, reader, unit, replies)
        case .networkToken(let token):
            guard let first = replies.first else { return .send(requests.tokenize(token, for: reader.call)) }
            return switch reader.token(BraintreeReply(first, to: reader.call)) {
            case .paymentMethod(let id): create(id, of: nil, authorization, reader, unit, replies.dropFirst())
            case .outcome(let outcome): .outcome(outcome)
            }
        case .storedNetworkToken: return .outcome(Self.unsupportedCredential)
        case .encryptedApplePay:
            let message = "Braintree takes an encrypted Apple Pay token from its own client library only."
            return .outcome(.unsupported("encrypted_apple_pay", message))
        }
    }

    /// The creation, or what became of it; `replies` is empty if it is yet to be sent.
    private func create(
        _ paymentMethod: String,
        of customer: Secret?,
        _ authorization: Call.Authorization,
        _ reader: BraintreeOutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        let call = reader.call
        if let reply = replies.first {
            return .outcome(reader.authorization(BraintreeReply(reply, to: call)))
        }
        if let refusal = Self.refusal(ofFee: authorization.applicationFee) { return refusal }
        guard let account = call.merchantAccount ?? ownAccounts.account(for: call.money.currency) else {
            let message = "There is no merchant account of the marketplace's for \(call.money.currency)."
            return .outcome(.unsupported("merchant_account", message))
        }
        guard let amount = unit.text(call.money) else {
            return .outcome(.unsupported("amount", "Braintree cannot express this amount."))
        }
        let mutation = authorization.capture ? Document.charge : Document.authorize
        let isSingleUse: Bool = if case .networkToken = authorization.credential { true } else { false }
        return .send(
            requests.create(
                mutation,
                paymentMethod,
                of: customer,
                amount: amount,
                account: account,
                terms: BraintreeTerms(authorization.initiation),
                buyer: BraintreeBuyer(of: authorization, isSingleUse: isSingleUse, in: unit, call.money.currency),
                for: call
            )
        )
    }

    /// Whether a payment method's name is that of one in the vault: a node of GraphQL, "paymentmethod_…" in base 64.
    private static func isVaulted(_ name: String) -> Bool { name.hasPrefix("cGF5bWVudG1ldGhvZF") }

    /// The agreement's end would delete it, and others may use it.
    private static let othersMethod = Outcome.unsupported(
        "payment_method_id",
        "An agreement does not begin with a payment method that is in Braintree's vault already."
    )

    private static let unsupportedCredential = Outcome.unsupported(
        "payment_initiator",
        "A payment that the merchant initiates is paid with a payment method in Braintree's vault only."
    )
}

/// What is done to, or asked about, a transaction that is known by its GraphQL identifier.
extension BraintreeAdapter {
    /// The next step; `replies` is what was answered since the transaction was known.
    func act(
        on transaction: String,
        _ reader: BraintreeOutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        switch reader.call.purpose {
        case .perform: return perform(on: transaction, reader, unit, replies)
        case .inquire:
            guard let reply = replies.first else { return .send(requests.read(transaction, for: reader.call)) }
            return .outcome(reader.inquiry(BraintreeReply(reply, to: reader.call), of: transaction))
        }
    }

    private func perform(
        on transaction: String,
        _ reader: BraintreeOutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        let call = reader.call
        let amount = unit.text(call.money) ?? ""
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to a transaction that exists."))
        case .capture(let applicationFee, let isFinal):
            guard isFinal else { return .outcome(Self.unsupportedCapture) }
            if let refusal = Self.refusal(ofFee: applicationFee) { return refusal }
            guard let reply = replies.first else {
                return .send(requests.capture(transaction, amount: amount, for: call))
            }
            return finish(BraintreeReply(reply, to: call), transaction, reader, replies)
        case .void:
            guard let reply = replies.first else { return .send(requests.void(transaction, for: call)) }
            return finish(BraintreeReply(reply, to: call), transaction, reader, replies)
        case .refund(let applicationFee):
            if let refusal = Self.refusal(ofFee: applicationFee) { return refusal }
            guard let reply = replies.first else {
                return .send(requests.refund(transaction, amount: amount, for: call))
            }
            return finish(BraintreeReply(reply, to: call), transaction, reader, replies)
        }
    }

    /// What became of it.
    ///
    /// Where it was refused because the transaction's state does not allow it, Braintree does not say which state that
    /// is, so the transaction is read.
    private func finish(
        _ reply: BraintreeReply,
        _ transaction: String,
        _ reader: BraintreeOutcomeReader,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        guard case .refusal(let refusal) = reply, reader.concernsState(refusal) else {
            return .outcome(reader.modification(reply, of: transaction))
        }
        guard let state = replies.dropFirst().first else { return .send(requests.read(transaction, for: reader.call)) }
        let read = BraintreeReply(state, to: reader.call)
        return .outcome(reader.standing(read, of: transaction, after: refusal))
    }

    /// Only PayPal and Venmo transactions are captured in parts, so a capture that leaves the rest held is never sent.
    private static let unsupportedCapture = Outcome.unsupported(
        "final_capture",
        "Braintree captures a card payment once."
    )
}
