import AdapterKit
import Domain
import WireFormats

/// Writes the requests of one Stripe account.
///
/// Source: Stripe's OpenAPI description of the API version below, which the tests hold these requests against.
struct StripeRequests: Sendable {
    /// The API version every request pins.
    static let version = "2026-05-27.dahlia"

    let baseURL: String
    let secretKey: Secret

    /// Makes an encrypted Apple Pay token into a token of Stripe's.
    ///
    /// These fields are what Stripe's own iOS library sends; its description does not publish them.
    func token(_ token: EncryptedApplePay, for call: Call) -> WireRequest {
        var fields = FormFields()
        fields.append("pk_token", token.paymentData.reveal())
        fields.append("pk_token_instrument_name", token.displayName)
        fields.append("pk_token_payment_network", token.network)
        fields.append("pk_token_transaction_id", token.transactionIdentifier)
        return post("/v1/tokens", fields, for: call, canMoveMoney: false)
    }

    /// Makes the Customer that a payment method is kept for; it knows nothing of the buyer but the agreement.
    func customer(of agreement: AgreementID, for call: Call, exchange: Int) -> WireRequest {
        var fields = FormFields()
        fields.append("metadata[agreement]", agreement.text)
        return post("/v1/customers", fields, for: call, exchange: exchange, canMoveMoney: false)
    }

    /// Reads a payment method.
    func paymentMethod(_ id: String, on merchantAccount: String?) -> WireRequest {
        let url = "\(baseURL)/v1/payment_methods/\(FormFields.percentEncoded(id))"
        return WireRequest(.get, url, headers: headers(of: merchantAccount), canMoveMoney: false)
    }

    /// Takes a payment method from its Customer, after which it can never be used again.
    ///
    /// It has no key: what is detached stays so, and a key would only repeat a failure.
    func detach(_ id: String, on merchantAccount: String?) -> WireRequest {
        WireRequest(
            .post,
            "\(baseURL)/v1/payment_methods/\(FormFields.percentEncoded(id))/detach",
            headers: headers(of: merchantAccount) + [Header("Content-Type", FormFields.contentType)],
            canMoveMoney: false
        )
    }

    /// Creates and confirms the PaymentIntent.
    func authorize(_ intent: NewPaymentIntent, for call: Call, exchange: Int) -> WireRequest {
        post("/v1/payment_intents", intent.fields(for: call), for: call, exchange: exchange)
    }

    /// Captures `amount`; what is left of the authorization is released at once.
    ///
    /// The application fee is stated again, because a smaller capture usually earns a smaller one.
    func capture(_ intent: String, amount: Int64, applicationFee: Int64?, for call: Call) -> WireRequest {
        var fields = FormFields()
        if !PlantedBug.captureAmountUnsaid.isPlanted { fields.append("amount_to_capture", amount) }
        if call.merchantAccount != nil { fields.append("application_fee_amount", applicationFee) }
        return post(path(intent, "/capture"), fields, for: call)
    }

    /// Cancels the PaymentIntent, which releases what it holds.
    func cancel(_ intent: String, for call: Call) -> WireRequest {
        post(path(intent, "/cancel"), FormFields(), for: call)
    }

    /// Gives back `amount`.
    ///
    /// Stripe gives back the application fee in the same proportion or not at all.
    func refund(_ intent: String, amount: Int64, applicationFee: Int64?, for call: Call) -> WireRequest {
        var fields = FormFields()
        fields.append("payment_intent", intent)
        fields.append("amount", amount)
        if call.merchantAccount != nil, let applicationFee, applicationFee > 0 {
            fields.append("refund_application_fee", true)
        }
        fields.appendMetadata(of: call)
        return post("/v1/refunds", fields, for: call)
    }

    /// Reads the PaymentIntent with its latest charge.
    func retrieve(_ intent: String, for call: Call) -> WireRequest {
        var query = FormFields()
        query.append("expand[0]", "latest_charge")
        return get(path(intent), query, for: call)
    }

    /// Looks for the PaymentIntent by the attempt in its metadata.
    ///
    /// The index may be an hour behind.
    func search(for call: Call) -> WireRequest {
        var query = FormFields()
        query.append("query", "metadata['attempt']:'\(call.attempt.text)'")
        query.append("limit", 10)
        return get("/v1/payment_intents/search", query, for: call)
    }

    /// Lists the refunds of the PaymentIntent, newest first, from the one after `refund` on.
    func refunds(of intent: String, after refund: String?, for call: Call) -> WireRequest {
        var query = FormFields()
        query.append("payment_intent", intent)
        query.append("limit", 100)
        query.append("starting_after", refund)
        return get("/v1/refunds", query, for: call)
    }

    /// Lists what happened at an account, newest first, from the event behind the cursor on.
    func events(_ query: ActivityQuery) -> WireRequest {
        var fields = FormFields()
        fields.append("created[gte]", query.since.microseconds / 1_000_000)
        fields.append("limit", 100)
        fields.append("starting_after", query.cursor)
        return WireRequest(
            .get,
            "\(baseURL)/v1/events?\(fields.encoded)",
            headers: headers(of: query.merchantAccount),
            canMoveMoney: false
        )
    }

    private func path(_ intent: String, _ action: String = "") -> String {
        "/v1/payment_intents/\(FormFields.percentEncoded(intent))\(action)"
    }

    private func get(_ path: String, _ query: FormFields, for call: Call) -> WireRequest {
        WireRequest(.get, "\(baseURL)\(path)?\(query.encoded)", headers: headers(for: call), canMoveMoney: false)
    }

    /// A request with the operation's key.
    ///
    /// A search before it has no key and does not count, so that the key is the same whether or not the intent has
    /// become known in between.
    private func post(
        _ path: String,
        _ fields: FormFields,
        for call: Call,
        exchange: Int = 0,
        canMoveMoney: Bool = true
    ) -> WireRequest {
        let own = [
            Header("Idempotency-Key", call.key(exchange: exchange)), Header("Content-Type", FormFields.contentType),
        ]
        return WireRequest(
            .post,
            baseURL + path,
            headers: headers(for: call) + own,
            body: fields.bytes,
            canMoveMoney: canMoveMoney
        )
    }

    /// With a merchant's account, everything happens on that account (direct charges).
    private func headers(for call: Call) -> [Header] { headers(of: call.merchantAccount) }

    private func headers(of merchantAccount: String?) -> [Header] {
        var headers = [
            Header("Authorization", "Bearer \(secretKey.reveal())"), Header("Stripe-Version", Self.version),
        ]
        if let merchantAccount { headers.append(Header("Stripe-Account", merchantAccount)) }
        return headers
    }
}

/// A PaymentIntent to be created and confirmed in one request.
struct NewPaymentIntent {
    /// What pays, in a form that a PaymentIntent takes.
    enum Source {
        /// A token made in an exchange before, or a token or payment method of Stripe's that the caller had, and the
        /// Customer that it belongs to.
        case pspToken(String, customer: String?)
        /// A device or network token with its cryptogram, and the Customer that it is kept for.
        case networkToken(NetworkToken, customer: String?)

        /// The Customer that it belongs to, or is kept for.
        var customer: String? {
            switch self {
            case .pspToken(_, let customer), .networkToken(_, let customer): customer
            }
        }

        /// The same of a Customer.
        func belonging(to customer: String) -> Source {
            switch self {
            case .pspToken(let token, _): .pspToken(token, customer: customer)
            case .networkToken(let token, _): .networkToken(token, customer: customer)
            }
        }
    }

    var source: Source
    var unit: StripeUnit
    /// In Stripe's unit.
    var amount: Int64
    /// In Stripe's unit; nil or 0 takes none.
    var applicationFee: Int64?
    var authorization: Call.Authorization

    /// The fields in the order they are sent.
    ///
    /// Only cards are allowed, so that no payment method of the account's settings asks for a redirect. Without a
    /// return URL nobody could come back from a step, so Stripe is asked to decline instead.
    func fields(for call: Call) -> FormFields {
        var fields = FormFields()
        fields.append("amount", amount)
        fields.append("currency", unit.code)
        fields.append("confirm", true)
        fields.append("capture_method", authorization.capture ? "automatic" : "manual")
        fields.append("payment_method_types[0]", "card")
        appendSource(to: &fields)
        appendInitiation(to: &fields)
        if call.merchantAccount != nil, let applicationFee, applicationFee > 0 {
            fields.append("application_fee_amount", applicationFee)
        }
        fields.append("description", authorization.description.map(Self.description))
        fields.appendShipping(of: authorization.buyer)
        fields.appendSuffix(authorization.statementDescriptor)
        fields.appendAmountDetails(authorization, in: unit)
        fields.appendMetadata(of: call)
        fields.append("expand[0]", "latest_charge")
        return fields
    }

    /// Who starts the payment, and where the buyer comes back to.
    ///
    /// A buyer who is away takes no step, so that Stripe declines instead of asking for one.
    private func appendInitiation(to fields: inout FormFields) {
        if case .merchant = authorization.initiation {
            fields.append("off_session", true)
            fields.append("error_on_requires_action", true)
            return
        }
        if case .buyerStoring = authorization.initiation { fields.append("setup_future_usage", "off_session") }
        if let returnURL = authorization.returnURL {
            fields.append("return_url", returnURL)
        } else {
            fields.append("error_on_requires_action", true)
        }
    }

    private func appendSource(to fields: inout FormFields) {
        switch source {
        case .pspToken(let token, _) where token.hasPrefix("tok_"):
            fields.append("payment_method_data[type]", "card")
            fields.append("payment_method_data[card][token]", token)
            fields.appendBilling(of: authorization.buyer)
        case .pspToken(let token, _) where token.hasPrefix("ctoken_"):
            fields.append("confirmation_token", token)
        case .pspToken(let token, _):
            fields.append("payment_method", token)
        case .networkToken(let token, _):
            append(token, to: &fields)
            fields.appendBilling(of: authorization.buyer)
        }
        fields.append("customer", source.customer)
    }

    /// The fields of a device or network token, which Stripe's description does not publish.
    private func append(_ token: NetworkToken, to fields: inout FormFields) {
        let month = Int64(token.expiryMonth)
        let year = Int64(token.expiryYear)
        fields.append("payment_method_data[type]", "card")
        fields.append("payment_method_data[card][exp_month]", month)
        fields.append("payment_method_data[card][exp_year]", year)
        fields.append("payment_method_data[card][network_token][number]", token.number.reveal())
        fields.append("payment_method_data[card][network_token][exp_month]", month)
        fields.append("payment_method_data[card][network_token][exp_year]", year)
        fields.append("payment_method_data[card][network_token][tokenization_method]", Self.method(token.source))
        let options = "payment_method_options[card][network_token]"
        fields.append("\(options)[cryptogram]", token.cryptogram.reveal())
        fields.append("\(options)[electronic_commerce_indicator]", token.eci.map(Self.twoDigits))
    }

    private static func method(_ source: NetworkToken.Source) -> String? {
        switch source {
        case .applePay: "apple_pay"
        case .googlePay: "google_pay_dpan"
        case .network: nil
        }
    }

    /// Apple gives one digit for some networks; Stripe wants two.
    private static func twoDigits(_ eci: String) -> String { eci.utf8.count == 1 ? "0" + eci : eci }

    /// Stripe takes 1,000 characters.
    private static func description(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(1000)))
    }
}

/// What we write on every object at Stripe.
extension FormFields {
    /// Our identifiers, by which an inquiry, a webhook or a settlement line finds its way back.
    ///
    /// Never free text.
    mutating func appendMetadata(of call: Call) {
        append("metadata[order]", call.order.text)
        append("metadata[payment]", call.payment.text)
        append("metadata[attempt]", call.attempt.text)
        append("metadata[operation]", call.operation.text)
    }
}
