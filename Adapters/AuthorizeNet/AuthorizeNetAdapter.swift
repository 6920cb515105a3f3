package import AdapterKit
package import Domain

/// Authorize.Net through its JSON API: cards by Accept tokens, device and network tokens, and encrypted Apple Pay
/// tokens.
///
/// One account takes one currency and pays one merchant; there is no split. See README.md beside this file.
package struct AuthorizeNetAdapter: PaymentAdapter {
    /// `authorize-net`.
    package static let name = "authorize-net"

    /// What Authorize.Net's documents promise.
    ///
    /// There is no idempotency key, and the check for duplicates refuses a repetition without saying what became of
    /// the first request; so nothing is ever repeated before the transaction was looked for.
    package static let capabilities = Capabilities(
        credentials: [.pspToken, .networkToken, .encryptedApplePay],
        saleInOneCall: true,
        partialCapture: true,
        idempotency: .none,
        inquiry: .byReference(visibilityDelayMilliseconds: 15 * minute),
        pendingPollMilliseconds: 5 * minute,
        expectedWithinMilliseconds: 24 * 60 * minute,
        authorizationLifeMilliseconds: 30 * 24 * 60 * minute,
        applicationFee: false,
        exponents: AccountCurrency.exponents,
        multipleCapture: false,
        partialRefund: true,
        refundBeforeSettlement: false,
        // The owner of the account is paid, whatever a route names.
        payees: Payees(toMarketplace: .marketplace, toMerchant: .nobody),
        agreements: AgreementSupport(
            storesCredentials: [.pspToken],
            merchantInitiated: [.pspToken],
            networkTransactionID: [.read, .write]
        )
    )

    private static let minute: Int64 = 60_000

    let requests: AuthorizeNetRequests
    /// The account's currency, in which all its amounts are.
    let currency: Currency
    /// What webhooks are signed with, each secret as text and as the bytes its digits name.
    let webhookKeys: [SHA512SigningKey]

    /// Makes an adapter for one account.
    ///
    /// Its credentials are `api_login_id` and `transaction_key`, `webhook_secret` for webhooks, and `currency` unless
    /// the account is in USD.
    ///
    /// - Throws: ``SettingsError`` if a credential is missing, the currency is none that Authorize.Net takes, or the
    ///   base URL is neither https nor loopback.
    package init(settings: AdapterSettings) throws(SettingsError) {
        try settings.requireSecureBaseURL()
        requests = AuthorizeNetRequests(
            url: settings.baseURL + "/xml/v1/request.api",
            login: try settings.credential("api_login_id"),
            transactionKey: try settings.credential("transaction_key")
        )
        let code = settings.credentials["currency"]?.reveal() ?? "USD"
        guard let currency = AccountCurrency.currency(code) else { throw .missingCredential("currency") }
        self.currency = currency
        webhookKeys = settings.webhookSecrets.flatMap(AuthorizeNetSignature.keys(of:))
    }

    /// By the host: `apitest.authorize.net` is the test world, `api.authorize.net` and `api2.authorize.net`, which is the same
    /// behind another network, the live one.
    package static func mode(of settings: AdapterSettings) -> MarketplaceMode? {
        settings.mode(test: "apitest.authorize.net", live: "api.authorize.net", "api2.authorize.net")
    }

    /// The code of the first message says it, behind HTTP 200 as everything else.
    package func objection(in reply: WireReply) -> CredentialObjection? { AuthorizeNetReply.objection(in: reply) }

    /// The next request, or what became of the operation.
    package func next(for call: Call, after exchanges: [Exchange]) -> Step {
        if let objection = objection(to: call) { return .outcome(objection) }
        let reader = AuthorizeNetOutcomeReader(call: call, currency: currency)
        let replies = exchanges.map { AuthorizeNetReply($0.reply, to: call) }[...]
        switch (call.purpose, call.kind) {
        case (.perform, .authorize(let authorization)): return authorize(authorization, reader, replies)
        case (.inquire, .refund): return inquireRefund(reader, replies)
        default: break
        }
        if let payment = call.pspReference { return act(on: payment, reader, replies) }
        let search = TransactionSearch(forPaymentOf: call)
        switch search.result(of: replies) {
        case .ask(let page): return .send(requests.list(page, for: call))
        case .found(let transaction, let count): return act(on: transaction.id, reader, replies.dropFirst(count))
        case .absent:
            let answer = reader.notFound("transaction")
            return .outcome(call.unlisted("Authorize.Net does not list the transaction yet.", answer: answer))
        case .failed(let reply): return .outcome(reader.searchFailure(reply))
        case .unclear(let reason): return .outcome(call.doubt(reason))
        }
    }

    /// What is wrong with a call that cannot be asked of this account.
    private func objection(to call: Call) -> Outcome? {
        guard call.money.currency == currency || call.kind == .void else {
            let message = "The account takes \(currency), not \(call.money.currency)."
            return call.purpose == .inquire
                ? .unknown(reason: message) : .unsupported("currency_not_supported", message)
        }
        guard call.purpose == .perform, call.kind != .void else { return nil }
        if call.merchantAccount != nil, call.settlesToMerchant {
            return .unsupported("merchant_account", "Authorize.Net pays the owner of the account only.")
        }
        if let fee = call.kind.applicationFee, fee > 0 {
            return .unsupported("application_fee", "Authorize.Net keeps no fee for a marketplace.")
        }
        return nil
    }
}

extension Call.Kind {
    fileprivate var applicationFee: Int64? {
        switch self {
        case .authorize(let authorization): authorization.applicationFee
        case .capture(let fee, isFinal: _), .refund(let fee): fee
        case .void: nil
        }
    }
}

/// Authorizing, and what is done to or asked about a transaction that is known by its identifier.
extension AuthorizeNetAdapter {
    /// An authorization, with or without its capture, is one exchange.
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: AuthorizeNetOutcomeReader,
        _ replies: ArraySlice<AuthorizeNetReply>
    ) -> Step {
        if let reply = replies.first {
            return switch reader.transaction(reply, of: nil) {
            case .outcome(let outcome): .outcome(outcome)
            case .unexplained(let refusal): .outcome(reader.rejected(.configuration, refusal))
            }
        }
        guard let credential = authorization.credential else {
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        }
        guard authorization.initiation.takes(credential) else {
            let message =
                "Only a token of Accept leaves a payment profile, and only that pays what the merchant initiates."
            return .outcome(.unsupported("processing_options", message))
        }
        guard let payment = PaymentField(credential) else {
            if credential.kind == .pspToken {
                let message = "A payment profile is its number, with the number of its customer's profile as customer."
                return .outcome(.rejected(Rejection(.configuration, code: "customer", message: message)))
            }
            return .outcome(.unsupported("card_number", "Authorize.Net takes card numbers of 16 digits at most."))
        }
        return .send(requests.authorize(payment, authorization, for: reader.call))
    }

    /// The next step; `replies` is what was answered since the transaction was known.
    func act(on payment: String, _ reader: AuthorizeNetOutcomeReader, _ replies: ArraySlice<AuthorizeNetReply>) -> Step
    {
        let call = reader.call
        guard call.purpose == .perform else {
            guard let reply = replies.first else { return .send(requests.details(of: payment, for: call)) }
            return .outcome(reader.inquiry(reply, of: payment))
        }
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to a transaction that exists."))
        case .capture(applicationFee: _, let isFinal):
            guard isFinal else {
                return .outcome(.unsupported("final_capture", "Authorize.Net captures once."))
            }
            return submit(requests.capture(payment, for: call), payment, reader, replies)
        case .void: return submit(requests.void(payment, for: call), payment, reader, replies)
        case .refund:
            if let last4 = CardDigits.last4(call.pspState) {
                return submit(requests.refund(payment, last4: last4, for: call), payment, reader, replies)
            }
            guard let reply = replies.first else { return .send(requests.details(of: payment, for: call)) }
            return switch reader.cardDigits(reply, of: payment) {
            case .last4(let last4):
                submit(requests.refund(payment, last4: last4, for: call), payment, reader, replies.dropFirst())
            case .outcome(let outcome): .outcome(outcome)
            }
        }
    }

    /// Sends the request, reads the reply, and looks at the transaction where the refusal does not say what is wrong.
    private func submit(
        _ request: WireRequest,
        _ payment: String,
        _ reader: AuthorizeNetOutcomeReader,
        _ replies: ArraySlice<AuthorizeNetReply>
    ) -> Step {
        guard let reply = replies.first else { return .send(request) }
        switch reader.transaction(reply, of: payment) {
        case .outcome(let outcome): return .outcome(outcome)
        case .unexplained(let refusal):
            guard let details = replies.dropFirst().first else {
                return .send(requests.details(of: payment, for: reader.call))
            }
            return .outcome(reader.explanation(of: refusal, in: details, of: payment))
        }
    }

    /// A refund is a transaction of its own; only the operation in its invoice number tells which one is ours.
    func inquireRefund(_ reader: AuthorizeNetOutcomeReader, _ replies: ArraySlice<AuthorizeNetReply>) -> Step {
        let search = TransactionSearch(forRefundOf: reader.call)
        switch search.result(of: replies) {
        case .ask(let page): return .send(requests.list(page, for: reader.call))
        case .found(let transaction, count: _): return .outcome(reader.refund(transaction))
        case .absent: return .outcome(reader.notFound("refund"))
        case .failed(let reply): return .outcome(reader.searchFailure(reply))
        case .unclear(let reason): return .outcome(reader.call.doubt(reason))
        }
    }
}
