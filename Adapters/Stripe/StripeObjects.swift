import AdapterKit
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
    /// The Customer.
    var customer: String?
    /// The payment method.
    var paymentMethod: String?
    /// Whether the payment method is kept for payments without the buyer.
    var isForFutureUse: Bool
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
        customer = json["customer"]?.stringValue.flatMap(ProtocolText.word)
        paymentMethod = json["payment_method"]?.stringValue.flatMap(ProtocolText.word)
        isForFutureUse = json["setup_future_usage"]?.stringValue == "off_session"
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

/// What an outcome needs of a PaymentIntent's expanded charge.
struct LatestCharge {
    var id: String
    /// What was authorized, in Stripe's unit.
    var amount: Int64
    /// When an uncaptured authorization lapses.
    var captureBefore: Timestamp?
    var network: String?
    var last4: String?
    /// The month and the year after which the card is no longer good.
    var expiryMonth: Int?
    var expiryYear: Int?
    /// What the card scheme calls the authorization.
    var networkTransactionID: String?

    /// Reads the object; nil if it is no charge.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "charge", let id = json["id"]?.stringValue, !id.isEmpty,
            let amount = json["amount"]?.integerValue
        else { return nil }
        self.id = id
        self.amount = amount
        let card = json["payment_method_details"]?["card"]
        captureBefore = card?["capture_before"]?.integerValue.flatMap(Self.timestamp)
        network = (card?["network"]?.stringValue ?? card?["brand"]?.stringValue).flatMap(ProtocolText.word)
        last4 = card?["last4"]?.stringValue.flatMap(ProtocolText.word)
        expiryMonth = card?["exp_month"]?.integerValue.flatMap { (1...12).contains($0) ? Int($0) : nil }
        expiryYear = card?["exp_year"]?.integerValue.flatMap { (2000...2999).contains($0) ? Int($0) : nil }
        networkTransactionID = card?["network_transaction_id"]?.stringValue
    }

    /// A moment that Stripe gives in seconds; nil if it is none.
    static func timestamp(seconds: Int64) -> Timestamp? {
        let (microseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflowed || seconds <= 0 ? nil : Timestamp(microseconds: microseconds)
    }
}

/// What an event needs of a refund.
struct StripeRefund {
    var id: String
    /// In Stripe's unit.
    var amount: Int64
    /// The currency in lower case.
    var currency: String
    /// The PaymentIntent; nil for a refund of a charge without one, which is never ours.
    var intent: String?
    var status: String
    /// Why it failed, as a word.
    var failureReason: String?
    var attempt: String?
    var operation: String?
    /// Whether money moved, or will.
    ///
    /// Stripe also writes a refund, without a balance transaction, for what a capture or a cancellation released.
    var movesMoney: Bool

    /// Reads the object; nil if it is no refund as Stripe documents it.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "refund", let id = json["id"]?.stringValue, !id.isEmpty,
            let amount = json["amount"]?.integerValue, let currency = json["currency"]?.stringValue,
            let status = json["status"]?.stringValue
        else { return nil }
        self.id = id
        self.amount = amount
        self.currency = currency
        self.status = status
        intent = json["payment_intent"]?.stringValue
        failureReason = json["failure_reason"]?.stringValue.flatMap(ProtocolText.word)
        attempt = json["metadata"]?["attempt"]?.stringValue
        operation = json["metadata"]?["operation"]?.stringValue
        let isRelease = json["reason"]?.stringValue == "expired_uncaptured_charge"
        movesMoney = !isRelease && json["balance_transaction"]?.stringValue?.isEmpty == false
    }

    /// What became of a refund that came to nothing.
    var failure: Rejection {
        let code = failureReason ?? "refund_\(ProtocolText.word(status) ?? "failed")"
        return Rejection(.unsupported, code: code, message: "The refund was accepted and then failed: \(code).")
    }
}

/// What an event needs of a dispute.
struct StripeDispute {
    var id: String
    /// In Stripe's unit.
    var amount: Int64
    /// The currency in lower case.
    var currency: String
    /// The PaymentIntent; nil for a dispute of a charge without one, which is never ours.
    var intent: String?
    var status: String
    /// Why, as a word.
    var reason: String?
    /// Until when evidence may be sent.
    var respondBy: Timestamp?
    /// What Stripe takes for it, in its unit; nil if no movement of money says so in the dispute's currency.
    var fee: Int64?

    /// Reads the object; nil if it is no dispute as Stripe documents it.
    init?(_ json: JSON) {
        guard json["object"]?.stringValue == "dispute", let id = json["id"]?.stringValue, !id.isEmpty,
            let amount = json["amount"]?.integerValue, let currency = json["currency"]?.stringValue,
            let status = json["status"]?.stringValue
        else { return nil }
        self.id = id
        self.amount = amount
        self.currency = currency
        self.status = status
        intent = json["payment_intent"]?.stringValue
        reason = json["reason"]?.stringValue.flatMap(ProtocolText.word)
        respondBy = json["evidence_details"]?["due_by"]?.integerValue.flatMap(LatestCharge.timestamp)
        fee = Self.fee(json["balance_transactions"], in: currency)
    }

    /// The fees of the withdrawal and, if there is one, of the reinstatement.
    private static func fee(_ movements: JSON?, in currency: String) -> Int64? {
        let movements = (movements?.arrayValue ?? []).filter { $0["currency"]?.stringValue == currency }
        let fees = movements.compactMap { $0["fee"]?.integerValue }.filter { abs($0) < 1 << 40 }
        guard !fees.isEmpty else { return nil }
        let sum = fees.prefix(20).reduce(0, +)
        return sum > 0 ? sum : nil
    }
}
