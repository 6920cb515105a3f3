import Domain
import StrictJSON

/// What an inquiry needs of a transaction.
struct TransactionDetails {
    var id: String
    var status: TransactionStatus?
    /// The reason of a decline or an error.
    var reasonCode: String?
    var invoiceNumber: String?
    /// What was authorized, in minor units.
    var authorized: Int64?
    /// What was, or will be, settled, in minor units.
    var settled: Int64?
    /// The card network, as Authorize.Net names it.
    var network: String?
    var last4: String?

    /// Reads the reply; nil if it is no transaction as Authorize.Net documents it.
    init?(_ json: JSON, in currency: Currency) {
        guard let json = json["transaction"], let id = CardDigits.transaction(json["transId"]),
            let status = json["transactionStatus"]?.stringValue
        else { return nil }
        self.id = id
        self.status = TransactionStatus(rawValue: status)
        reasonCode = AuthorizeNetReply.code(json["responseReasonCode"])
        invoiceNumber = json["order"]?["invoiceNumber"]?.stringValue
        authorized = AccountCurrency.minorUnits(json["authAmount"], in: currency)
        settled = AccountCurrency.minorUnits(json["settleAmount"], in: currency)
        let card = json["payment"]?["creditCard"]
        network = card?["cardType"]?.stringValue.flatMap(TransactionResponse.network)
        last4 = CardDigits.last4(
            card?["cardNumber"]?.stringValue ?? json["payment"]?["tokenInformation"]?["tokenNumber"]?.stringValue
        )
    }
}
