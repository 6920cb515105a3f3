import Domain
import StrictJSON

/// What an outcome needs of a refund.
struct SquareRefund {
    var id: String
    var status: String
    /// In minor units.
    var amount: Int64
    var currency: String
    /// The payment; nil for a refund that belongs to none, which is never ours.
    var payment: String?
    /// The operation that made it, if it is ours: its reason.
    var operation: OperationID?
    var location: String?

    /// Reads the object; nil if it is no refund as Square documents it.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, !id.isEmpty, let status = json["status"]?.stringValue,
            let money = json["amount_money"].flatMap(SquareMoney.init), money.amount > 0
        else { return nil }
        self.id = id
        self.status = status
        amount = money.amount
        currency = money.currency
        payment = json["payment_id"]?.stringValue
        operation = json["reason"]?.stringValue.flatMap { OperationID($0) }
        location = json["location_id"]?.stringValue
    }

    /// What a rejected or failed refund means: it was accepted, and nothing was given back.
    var failure: Rejection {
        Rejection(.unsupported, code: status, message: "The refund was accepted and then failed: \(status).")
    }
}
