import StrictJSON

/// What `processing` advises after a decline.
struct CheckoutAdvice {
    /// `01` more information needed, `02` try again later, `03` do not try again.
    var recommendation: String?
    /// Mastercard's merchant advice code.
    var merchantAdvice: String?

    /// Reads the member `processing`.
    init(_ processing: JSON?) {
        recommendation = processing?["recommendation_code"]?.stringValue.flatMap(CheckoutRefusal.word)
        merchantAdvice = processing?["partner_merchant_advice_code"]?.stringValue.flatMap(CheckoutRefusal.word)
    }
}
