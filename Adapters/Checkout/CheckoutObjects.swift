import AdapterKit
import Domain
import StrictJSON

/// What an outcome needs of a payment, as `POST /payments` and `GET /payments/{id}` show it.
struct CheckoutPayment {
    /// `pay_…`.
    var id: String
    var status: String
    /// What was approved, or asked for, in Checkout.com's unit.
    var amount: Int64?
    /// What was asked for, if that is not the same.
    var amountRequested: Int64?
    /// The alphabetic code in capitals.
    var currency: String?
    var isApproved: Bool?
    var responseCode: String?
    var advice: CheckoutAdvice
    /// Ours: the attempt.
    var reference: String?
    /// When an uncaptured authorization lapses.
    var expiresAt: Timestamp?
    var network: String?
    var last4: String?
    /// `src_…`: the source, by which it can pay again.
    var source: String?
    /// `cus_…`: the customer that the source belongs to.
    var customer: String?
    /// The month and the year after which the card is no longer good.
    var expiryMonth: Int?
    var expiryYear: Int?
    /// What the card scheme calls the authorization.
    var schemeID: String?
    /// Where the buyer goes to authenticate.
    var redirectURL: String?
    var balances: Balances?

    /// What the payment has come to, in Checkout.com's unit.
    struct Balances {
        var authorized: Int64
        var captured: Int64
        /// What was released.
        var voided: Int64?
        var availableToVoid: Int64?
        var availableToCapture: Int64?
        var availableToRefund: Int64?

        init?(_ json: JSON) {
            guard let authorized = json["total_authorized"]?.integerValue,
                let captured = json["total_captured"]?.integerValue
            else { return nil }
            self.authorized = authorized
            self.captured = captured
            voided = json["total_voided"]?.integerValue
            availableToVoid = json["available_to_void"]?.integerValue
            availableToCapture = json["available_to_capture"]?.integerValue
            availableToRefund = json["available_to_refund"]?.integerValue
        }
    }

    /// Reads the object; nil if it is no payment as Checkout.com documents it.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, id.hasPrefix("pay_"), let status = json["status"]?.stringValue else {
            return nil
        }
        self.id = id
        self.status = status
        amount = json["amount"]?.integerValue
        amountRequested = json["amount_requested"]?.integerValue
        currency = json["currency"]?.stringValue
        isApproved = json["approved"]?.boolValue
        responseCode = json["response_code"]?.stringValue
        advice = CheckoutAdvice(json["processing"])
        reference = json["reference"]?.stringValue
        let end = json["expires_on"]?.stringValue.flatMap { RFC3339.timestamp($0) }
        expiresAt = PlantedBug.expiryInOtherZone.isPlanted ? end?.adding(milliseconds: 7_200_000) : end
        let source = json["source"]
        network = source?["scheme"]?.stringValue.flatMap(Self.name)
        last4 = source?["last4"]?.stringValue.flatMap(ProtocolText.word)
        self.source = source?["id"]?.stringValue.flatMap(ProtocolText.word).flatMap {
            $0.hasPrefix("src_") ? $0 : nil
        }
        customer = json["customer"]?["id"]?.stringValue.flatMap(ProtocolText.word)
        expiryMonth = source?["expiry_month"]?.integerValue.flatMap { 1...12 ~= $0 ? Int($0) : nil }
        expiryYear = source?["expiry_year"]?.integerValue.flatMap { 2000...2999 ~= $0 ? Int($0) : nil }
        schemeID = json["scheme_id"]?.stringValue
        let redirect = json["_links"]?["redirect"]?["href"]?.stringValue
        redirectURL = redirect.flatMap { $0.hasPrefix("https://") ? $0 : nil }
        balances = json["balances"].flatMap(Balances.init)
    }

    /// What was approved: the amount, or what the balances say if that is less.
    var approvedAmount: Int64? { amount.map { min($0, balances?.authorized ?? $0) } }

    /// Whether it ended without ever holding anything, or holds nothing any more because its time ran out.
    var isOver: Bool { ["Declined", "Canceled", "Expired"].contains(status) }

    /// A card scheme's name, which may have blanks: `American Express`.
    private static func name(_ text: String) -> String? {
        text.split(separator: " ").allSatisfy { ProtocolText.word(String($0)) != nil } && !text.isEmpty
            && text.utf8.count <= 40 ? text : nil
    }
}

/// What an outcome needs of one of a payment's actions, as `GET /payments/{id}/actions` shows it.
struct CheckoutAction {
    /// `act_…`.
    var id: String
    /// What was done: `Authorization`, `Capture`, `Void`, `Refund`, or something that is not ours.
    var type: String
    /// In Checkout.com's unit.
    var amount: Int64?
    var isApproved: Bool?
    var responseCode: String?
    var advice: CheckoutAdvice
    /// Ours: the operation, or the attempt for an authorization.
    var reference: String?
    /// The attempt in the metadata.
    var attempt: String?
    /// The operation in the metadata.
    var operation: String?

    /// Reads the object; nil if it is no action as Checkout.com documents it.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, id.hasPrefix("act_"), let type = json["type"]?.stringValue else {
            return nil
        }
        self.id = id
        self.type = type
        amount = json["amount"]?.integerValue
        isApproved = json["approved"]?.boolValue
        responseCode = json["response_code"]?.stringValue
        advice = CheckoutAdvice(json["processing"])
        reference = json["reference"]?.stringValue
        attempt = json["metadata"]?["attempt"]?.stringValue
        operation = json["metadata"]?["operation"]?.stringValue
    }
}
