import StrictJSON

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
