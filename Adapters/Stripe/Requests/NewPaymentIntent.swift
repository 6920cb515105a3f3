import AdapterKit
import Domain
import WireFormats

/// A PaymentIntent to be created and confirmed in one request.
struct NewPaymentIntent {
    /// What pays, in a form that a PaymentIntent takes.
    enum Source {
        /// A token made in an exchange before, or a token or payment method of Stripe's that the caller had, and the
        /// Customer that it belongs to.
        case pspToken(String, customer: String?)
        /// A device or network token with its cryptogram.
        case networkToken(NetworkToken)
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
        if let returnURL = authorization.returnURL {
            fields.append("return_url", returnURL)
        } else {
            fields.append("error_on_requires_action", true)
        }
        if call.merchantAccount != nil, let applicationFee, applicationFee > 0 {
            fields.append("application_fee_amount", applicationFee)
        }
        fields.append("description", authorization.description.map(Self.description))
        fields.appendMetadata(of: call)
        fields.append("expand[0]", "latest_charge")
        return fields
    }

    private func appendSource(to fields: inout FormFields) {
        switch source {
        case .pspToken(let token, _) where token.hasPrefix("tok_"):
            fields.append("payment_method_data[type]", "card")
            fields.append("payment_method_data[card][token]", token)
        case .pspToken(let token, _) where token.hasPrefix("ctoken_"):
            fields.append("confirmation_token", token)
        case .pspToken(let token, _):
            fields.append("payment_method", token)
        case .networkToken(let token):
            append(token, to: &fields)
        }
        if case .pspToken(_, let customer?) = source { fields.append("customer", customer) }
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
