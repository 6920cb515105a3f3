import Domain
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
    /// Whether the buyer's confirmation captures, as far as the object says.
    var capturesAutomatically: Bool
    var attempt: String?
    /// The operation that made the intent.
    var operation: String?
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
        capturesAutomatically = json["capture_method"]?.stringValue.map { $0 != "manual" } ?? false
        attempt = json["metadata"]?["attempt"]?.stringValue
        operation = json["metadata"]?["operation"]?.stringValue
        clientSecret = json["client_secret"]?.stringValue
        hasNextAction = json["next_action"]?["type"]?.stringValue != nil
        redirectURL = json["next_action"]?["redirect_to_url"]?["url"]?.stringValue
        charge = json["latest_charge"].flatMap(LatestCharge.init)
        chargeID = charge?.id ?? json["latest_charge"]?.stringValue
        lastError = json["last_payment_error"]
    }

    /// The error of the last attempt, if it failed.
    var lastPaymentError: StripeError? { lastError.flatMap(StripeError.init) }

    /// What the buyer has to do: go to a page, or act within Stripe's client library, which wants the secret.
    ///
    /// Nil if the intent does not name it.
    var nextAction: NextAction? {
        if let url = redirectURL, url.hasPrefix("https://") { return NextAction(kind: .redirect, url: url) }
        guard hasNextAction, let secret = clientSecret else { return nil }
        return NextAction(kind: .client, data: secret)
    }

    /// Why a canceled intent holds nothing: it was voided, or Stripe let it lapse.
    var cancellation: Rejection {
        let hasLapsed = cancellationReason == "automatic" || cancellationReason == "expired"
        return hasLapsed
            ? Rejection(
                .expired,
                code: "canceled",
                message: "Stripe canceled the PaymentIntent because its time ran out."
            )
            : Rejection(.alreadyVoided, code: "canceled", message: "The PaymentIntent is canceled.")
    }
}
