import Domain
import StrictJSON

/// What an outcome needs of a refund.
struct Refund {
    /// The gateway's identifier, which webhooks and reports name.
    var legacyID: String
    /// Our operation.
    var orderID: String?
    /// Nil if it is none that the schema has.
    var status: PaymentStatus?
    var amount: Money
    /// The processor's code, as a word.
    var processorCode: String?
    /// The GraphQL identifier of what it refunds.
    var transaction: String?

    /// Reads the object; nil if it is no refund as the schema has it.
    init?(_ json: JSON) {
        guard let legacyID = json["legacyId"]?.stringValue, Word.isIdentifier(legacyID),
            let status = json["status"]?.stringValue, let amount = json["amount"].flatMap(Money.init(braintree:))
        else { return nil }
        self.legacyID = legacyID
        self.status = PaymentStatus(rawValue: status)
        self.amount = amount
        orderID = json["orderId"]?.stringValue
        let known = self.status
        processorCode = StatusEvent.history(json["statusHistory"]).first { $0.status == known }?.processorCode
        transaction = json["refundedTransaction"]?["id"]?.stringValue
    }
}
