import StrictJSON

/// What an outcome needs of a PaymentIntent.
struct PaymentIntent {
    var id: String
    var status: String
    /// What was asked for, in Stripe's unit.
    var amount: Int64
    var amountCapturable: Int64?
    var amountReceived: Int64?
    /// The currency in lower case.
    var currency: String
    var cancellationReason: String?
    var attempt: String?
    var clientSecret: String?
    var redirectURL: String?
    var hasNextAction: Bool
    /// The identifier of the latest charge, whether it was expanded or not.
    var chargeID: String?
    /// The latest charge, if it was expanded.
    var charge: LatestCharge?
    /// The parts of the error of the last attempt; kept as JSON because an error may hold an intent.
    private var lastError: JSON?

    /// Reads the object; nil if it is no PaymentIntent as Stripe documents it.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "payment_intent",
            let id = json["id"]?.stringValue, !id.isEmpty,
            let status = json["status"]?.stringValue,
            let amount = json["amount"]?.integerValue,
            let currency = json["currency"]?.stringValue
        else { return nil }
        self.id = id
        self.status = status
        self.amount = amount
        self.currency = currency
        amountCapturable = json["amount_capturable"]?.integerValue
        amountReceived = json["amount_received"]?.integerValue
        cancellationReason = json["cancellation_reason"]?.stringValue
        attempt = json["metadata"]?["attempt"]?.stringValue
        clientSecret = json["client_secret"]?.stringValue
        hasNextAction = json["next_action"]?["type"]?.stringValue != nil
        redirectURL = json["next_action"]?["redirect_to_url"]?["url"]?.stringValue
        charge = json["latest_charge"].flatMap(LatestCharge.init)
        chargeID = charge?.id ?? json["latest_charge"]?.stringValue
        lastError = json["last_payment_error"]
    }

    /// The error of the last attempt, if it failed.
    var lastPaymentError: StripeError? { lastError.flatMap(StripeError.init) }
}
