import Synchronization

/// What is done to a payment: create, confirm, capture, cancel.
struct StripePayments: Sendable {
    let drafts: StripeDrafts
    let methods: StoredMethods

    /// `POST /v1/payment_intents`.
    func create(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: Self.creation)
        let intent = try StripePaymentRequest(form, by: requester)
        if try form.bool("confirm") == true { return try attempt(intent, form, requester, request, identifier: nil) }
        guard !form.isOffSession else {
            throw .invalid(
                "The parameter `off_session` cannot be passed when creating a PaymentIntent unless `confirm` is true."
            )
        }
        let draft = try drafts.create(form, by: requester)
        return .answer(
            PSPReply(200, StripeDocument.payment(draft, try StripePaymentRequest(draft.form, by: requester)))
        )
    }

    /// `POST /v1/payment_intents/{intent}/confirm`.
    func confirm(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: Self.confirmation)
        let id = request.parameter("intent")
        guard let draft = drafts.draft(id, of: requester.account) else {
            return .inquire(account: requester.account) { view throws(Refusal) in
                guard view.authorization(StripeDocument.bookName(payment: id)) != nil else { throw .notFound }
                throw .alreadyNamed
            }
        }
        guard !draft.isCanceled else { throw .alreadyVoided }
        let whole = StripeForm(draft.form.fields.overridden(by: form.fields))
        let intent = try StripePaymentRequest(whole, by: requester)
        return try attempt(intent, whole, requester, request, identifier: id)
    }

    /// `POST /v1/payment_intents/{intent}/capture`.
    func capture(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: Self.capturing)
        let metadata = try form.metadata()
        var change = ChangeCommand(
            .capture,
            of: .id(StripeDocument.bookName(payment: request.parameter("intent"))),
            reference: StripeForm.reference(in: metadata, words: ["operation", "reference"], else: requester.key),
            amount: try form.integer("amount_to_capture", atLeast: 1),
            applicationFee: try form.integer("application_fee_amount"),
            isFinal: try form.bool("final_capture") ?? true
        )
        change.metadata = metadata
        return Self.payment(after: change, requester, form, request)
    }

    /// `POST /v1/payment_intents/{intent}/cancel`.
    func cancel(_ request: PSPRequest) throws(Refusal) -> Reply {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: ["cancellation_reason", "expand"])
        let reasons = ["duplicate", "fraudulent", "requested_by_customer", "abandoned"]
        let reason = form.fields.value("cancellation_reason")
        guard reason.map(reasons.contains) ?? true else { throw .invalid("Invalid cancellation_reason.") }
        let id = request.parameter("intent")
        if let draft = drafts.cancel(id, of: requester.account) {
            let intent = try StripePaymentRequest(draft.form, by: requester)
            let answer = PSPReply(200, StripeDocument.payment(draft, intent))
            return .inquire(account: requester.account) { view throws(Refusal) in
                guard view.authorization(id) == nil else { throw .alreadyCaptured }
                return answer
            }
        }
        var change = ChangeCommand(
            .void,
            of: .id(StripeDocument.bookName(payment: id)),
            reference: requester.key ?? ""
        )
        change.details["cancellation_reason"] = reason
        return Self.payment(after: change, requester, form, request)
    }

    /// Confirms a payment, with a payment method that is kept if the name is of one.
    private func attempt(
        _ intent: StripePaymentRequest,
        _ form: StripeForm,
        _ requester: Requester,
        _ request: PSPRequest,
        identifier: String?
    ) throws(Refusal) -> Reply {
        try StripeVault.check(form)
        guard let first = form.fields.value("payment_method").flatMap(StripeVault.firstPayment) else {
            let command = try intent.command(identifier: identifier)
            return Self.authorize(command, form, requester, request)
        }
        return .given(first, account: requester.account) { [methods] payment throws(Refusal) in
            try StripeVault.check(payment, for: form, by: requester, methods)
            let command = try intent.command(identifier: identifier, paying: StoredMethods.method)
            return Self.authorize(command, form, requester, request)
        }
    }

    private static func authorize(
        _ command: AuthorizeCommand,
        _ form: StripeForm,
        _ requester: Requester,
        _ request: PSPRequest
    ) -> Reply {
        .authorize(command, by: requester) { authorization in
            let expansions = form.expansions
            guard authorization.status == .declined, let code = authorization.decline else {
                return PSPReply(200, StripeDocument.payment(authorization, request.origin, expanding: expansions))
            }
            return StripeErrorDocument.reply(declining: code, authorization, request.origin)
        }
    }

    /// A capture or a cancellation, which answer with the payment.
    private static func payment(
        after change: ChangeCommand,
        _ requester: Requester,
        _ form: StripeForm,
        _ request: PSPRequest
    ) -> Reply {
        .change(change, by: requester) { operation, authorization in
            if operation.status == .failed, let code = operation.decline {
                return StripeErrorDocument.reply(declining: code, authorization, request.origin)
            }
            return PSPReply(200, StripeDocument.payment(authorization, request.origin, expanding: form.expansions))
        }
    }

    /// The parameters of the creation, from the OpenAPI description of 2026-05-27.
    private static let creation: Set<String> = [
        "amount", "amount_details", "application_fee_amount", "automatic_payment_methods", "capture_method", "confirm",
        "confirmation_method", "confirmation_token", "currency", "customer", "customer_account", "description",
        "error_on_requires_action", "excluded_payment_method_types", "expand", "hooks", "mandate", "mandate_data",
        "metadata", "off_session", "on_behalf_of", "payment_details", "payment_method",
        "payment_method_configuration", "payment_method_data", "payment_method_options", "payment_method_types",
        "radar_options", "receipt_email", "return_url", "setup_future_usage", "shipping", "statement_descriptor",
        "statement_descriptor_suffix", "transfer_data", "transfer_group", "use_stripe_sdk",
    ]
    private static let confirmation: Set<String> = [
        "amount_details", "amount_to_confirm", "capture_method", "client_secret", "confirmation_token",
        "error_on_requires_action", "excluded_payment_method_types", "expand", "hooks", "mandate", "mandate_data",
        "off_session", "payment_details", "payment_method", "payment_method_data", "payment_method_options",
        "payment_method_types", "radar_options", "receipt_email", "return_url", "setup_future_usage", "shipping",
        "use_stripe_sdk",
    ]
    private static let capturing: Set<String> = [
        "amount_details", "amount_to_capture", "application_fee_amount", "expand", "final_capture", "hooks",
        "metadata", "payment_details", "statement_descriptor", "statement_descriptor_suffix", "transfer_data",
    ]
}

/// The payment that a creation, or a creation and its confirmation, ask for.
struct StripePaymentRequest: Sendable {
    let amount: Int64
    /// The currency's code, in upper case.
    let currency: String
    let capture: Bool
    let applicationFee: Int64?
    let metadata: [String: String]
    let reference: String
    private let form: StripeForm

    /// Parameters that stand in the answer as they came.
    private static let kept = [
        "description", "on_behalf_of", "transfer_group", "statement_descriptor_suffix", "transfer_data[destination]",
        "transfer_data[amount]",
    ]

    /// Reads what every payment needs.
    ///
    /// - Throws: ``Refusal``.
    init(_ form: StripeForm, by requester: Requester) throws(Refusal) {
        self.form = form
        guard let amount = try form.integer("amount", atLeast: 1) else {
            throw Refusal(400, "parameter_missing", "Missing required param: amount.")
        }
        self.amount = amount
        let currency = try form.required("currency")
        guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            throw .invalid("Invalid currency: must be three lower-case letters.")
        }
        self.currency = currency.uppercased()
        switch form.fields.value("capture_method") {
        case nil, "automatic", "automatic_async": capture = true
        case "manual": capture = false
        default: throw .invalid("Invalid capture_method.")
        }
        applicationFee = try form.integer("application_fee_amount")
        let isForAnother = requester.account.contains(":") || form.fields.contains("transfer_data[destination]")
        guard applicationFee == nil || isForAnother else {
            throw .invalid(
                "Can only apply an application_fee when the PaymentIntent is attempting a direct payment (using an "
                    + "OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`)."
            )
        }
        guard applicationFee ?? 0 <= amount else {
            throw .invalid("Your application fee amount must not be greater than the amount of the charge.")
        }
        metadata = try form.metadata()
        reference = StripeForm.reference(
            in: metadata,
            words: ["attempt", "reference"],
            else: requester.key
        )
    }

    /// Whether something is there to pay with.
    var hasMethod: Bool { form.fields.contains("payment_method") || form.fields.contains("payment_method_data") }

    /// What the books are to do.
    ///
    /// - Parameters:
    ///   - identifier: Stripe's name for the payment, if it has one already.
    ///   - kept: what pays, if it is a payment method that is kept.
    /// - Returns: the command.
    /// - Throws: ``Refusal`` if the payment cannot be confirmed.
    func command(identifier: String?, paying kept: PaymentMethod? = nil) throws(Refusal) -> AuthorizeCommand {
        let named = kept == nil ? try StripeMethod.method(in: form) : kept
        guard let method = named else {
            throw Refusal(
                400,
                "payment_intent_unexpected_state",
                "You cannot confirm this PaymentIntent because it's missing a payment method."
            )
        }
        let returnURL = form.fields.value("return_url")
        let refusesAction = try form.bool("error_on_requires_action") == true
        let staysHere =
            form.fields.contains("payment_method_types")
            || form.fields.value("automatic_payment_methods[allow_redirects]") == "never"
        guard returnURL != nil || refusesAction || staysHere || form.fields.contains("off_session") else {
            throw .invalid(
                "This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of "
                    + "these payment methods might redirect your customer off of your page, you must provide a "
                    + "`return_url`."
            )
        }
        var details: [String: String] = [:]
        for name in Self.kept { details[name] = form.fields.value(name) }
        let multicapture = form.fields.value("payment_method_options[card][request_multicapture]")
        if multicapture == "if_available" { details["multicapture"] = "available" }
        details["setup_future_usage"] = form.fields.value("setup_future_usage")
        details["customer"] = form.fields.value("customer")
        details["payment_method"] = kept == nil ? nil : form.fields.value("payment_method")
        if details["setup_future_usage"] != nil { details[StoredMethods.ownerDetail] = details["customer"] }
        return AuthorizeCommand(
            reference: reference,
            amount: amount,
            currency: currency,
            method: try refusesAction ? Self.withoutAction(method, amount) : method,
            capture: capture,
            applicationFee: applicationFee,
            returnURL: returnURL,
            metadata: metadata,
            details: details,
            identifier: identifier
        )
    }

    /// A step of the buyer's that the caller does not take is a decline.
    private static func withoutAction(_ method: PaymentMethod, _ amount: Int64) throws(Refusal) -> PaymentMethod {
        do throws(TokenScriptError) {
            guard case .requireAction = try method.script(amount: amount).effect(of: .authorize) else { return method }
            return .token(TokenScript.prefix + "decline_authentication_required")
        } catch {
            throw .token(error)
        }
    }
}

/// Payments that have been created and not confirmed.
final class StripeDrafts: Sendable {
    /// A payment before its confirmation.
    struct Draft: Sendable {
        /// Stripe's name for it, which it keeps.
        let id: String
        /// The account it belongs to.
        let account: String
        /// The parameters it was created with.
        let form: StripeForm
        /// When, in milliseconds since 1970.
        let createdAt = SimulatorClock.system()
        /// Whether it was canceled.
        var isCanceled = false
    }

    /// How many are kept; the oldest are forgotten.
    private static let limit = 10_000

    private struct State {
        var drafts: [String: Draft] = [:]
        var order: [String] = []
        var keys: [Requester: String] = [:]
    }

    private let state = Mutex(State())

    /// Keeps a new payment, or finds the one that the same idempotency key made.
    ///
    /// - Throws: ``Refusal/keyMismatch`` if the key made another one.
    func create(_ form: StripeForm, by requester: Requester) throws(Refusal) -> Draft {
        try state.withLock { state throws(Refusal) in
            if requester.key != nil, let id = state.keys[requester], let draft = state.drafts[id] {
                guard draft.form == form else { throw .keyMismatch }
                return draft
            }
            let id = "pi_" + String(NameDraw.number(UInt64.self), radix: 36)
            let draft = Draft(id: id, account: requester.account, form: form)
            state.drafts[id] = draft
            state.order.append(id)
            if requester.key != nil { state.keys[requester] = id }
            if state.order.count > Self.limit { state.drafts[state.order.removeFirst()] = nil }
            return draft
        }
    }

    /// The account's payment of that name.
    func draft(_ id: String, of account: String) -> Draft? {
        state.withLock { $0.drafts[id].flatMap { $0.account == account ? $0 : nil } }
    }

    /// Cancels the account's payment of that name; nil if there is none.
    func cancel(_ id: String, of account: String) -> Draft? {
        state.withLock { state in
            guard state.drafts[id]?.account == account else { return nil }
            state.drafts[id]?.isCanceled = true
            return state.drafts[id]
        }
    }
}
