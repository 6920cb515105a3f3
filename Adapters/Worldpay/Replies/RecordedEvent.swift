import StrictJSON

/// One event in the record of a payment.
struct RecordedEvent {
    /// For example `settlementRequested`.
    var name: String
    /// Worldpay's name of the request that led to it; the events of one request share it.
    var command: String
    /// Our reference of a partial settlement or a partial refund.
    var reference: String?
    /// What was asked for, in minor units.
    var amount: Int64?
    var currency: String?
    /// The issuer's code of a refusal.
    var code: String?
    /// Why a request failed.
    var error: String?

    /// Reads the object; nil if it is no event as Worldpay documents it.
    init?(_ json: JSON) {
        guard let name = json["eventName"]?.stringValue.flatMap(WorldpayRefusal.word),
            let command = json["commandId"]?.stringValue, !command.isEmpty
        else { return nil }
        self.name = name
        self.command = command
        reference = (json["settlementReference"] ?? json["refundReference"])?.stringValue
        amount = json["value"]?["amount"]?.integerValue
        currency = json["value"]?["currency"]?.stringValue
        code = json["code"]?.stringValue.flatMap(WorldpayRefusal.word)
        error = json["error"]?["name"]?.stringValue.flatMap(WorldpayRefusal.word)
    }
}
