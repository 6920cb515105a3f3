/// What is done to a payment: create, confirm, capture, cancel.
struct StripePayments: Sendable {
    let drafts: StripeDrafts

    /// `POST /v1/payment_intents`.
    func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: Self.creation)
        let wish = try StripeWish(form, by: requester)
        if try form.bool("confirm") == true { return try attempt(wish, form, requester, request, identifier: nil) }
        let draft = try drafts.create(form, by: requester)
        return .answer(PSPReply(200, StripeDocument.payment(draft, try StripeWish(draft.form, by: requester))))
    }

    /// `POST /v1/payment_intents/{intent}/confirm`.
    func confirm(_ request: PSPRequest) throws(Refusal) -> Ask {
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
        let wish = try StripeWish(whole, by: requester)
        return try attempt(wish, whole, requester, request, identifier: id)
    }

    /// `POST /v1/payment_intents/{intent}/capture`.
    func capture(_ request: PSPRequest) throws(Refusal) -> Ask {
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
    func cancel(_ request: PSPRequest) throws(Refusal) -> Ask {
        let requester = try StripeRequester.requester(request)
        let form = try StripeForm(request, knowing: ["cancellation_reason", "expand"])
        let reasons = ["duplicate", "fraudulent", "requested_by_customer", "abandoned"]
        let reason = form.fields.value("cancellation_reason")
        guard reason.map(reasons.contains) ?? true else { throw .invalid("Invalid cancellation_reason.") }
        let id = request.parameter("intent")
        if let draft = drafts.cancel(id, of: requester.account) {
            let wish = try StripeWish(draft.form, by: requester)
            let answer = PSPReply(200, StripeDocument.payment(draft, wish))
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

    private func attempt(
        _ wish: StripeWish,
        _ form: StripeForm,
        _ requester: Requester,
        _ request: PSPRequest,
        identifier: String?
    ) throws(Refusal) -> Ask {
        var command = try wish.command()
        command.identifier = identifier
        return .authorize(command, by: requester) { authorization in
            let expansions = form.expansions
            guard authorization.status == .declined, let code = authorization.decline else {
                return PSPReply(200, StripeDocument.payment(authorization, request.origin, expanding: expansions))
            }
            return StripeError.reply(declining: code, authorization, request.origin)
        }
    }

    /// A capture or a cancellation, which answer with the payment.
    private static func payment(
        after change: ChangeCommand,
        _ requester: Requester,
        _ form: StripeForm,
        _ request: PSPRequest
    ) -> Ask {
        .change(change, by: requester) { operation, authorization in
            if operation.status == .failed, let code = operation.decline {
                return StripeError.reply(declining: code, authorization, request.origin)
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
