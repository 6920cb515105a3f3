/// The payment that a creation, or a creation and its confirmation, ask for.
struct StripeWish: Sendable {
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
    /// - Throws: ``Refusal`` if the payment cannot be confirmed.
    func command() throws(Refusal) -> AuthorizeCommand {
        guard let method = try StripeMethod.method(in: form) else {
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
        return AuthorizeCommand(
            reference: reference,
            amount: amount,
            currency: currency,
            method: try refusesAction ? Self.withoutAction(method, amount) : method,
            capture: capture,
            applicationFee: applicationFee,
            returnURL: returnURL,
            metadata: metadata,
            details: details
        )
    }

    /// A step of the buyer's that the caller does not take is a decline.
    private static func withoutAction(_ method: PaymentMethod, _ amount: Int64) throws(Refusal) -> PaymentMethod {
        do throws(TokenRefusal) {
            guard case .requireAction = try method.script(amount: amount).effect(of: .authorize) else { return method }
            return .token(TokenScript.prefix + "decline_authentication_required")
        } catch {
            throw .token(error)
        }
    }
}
