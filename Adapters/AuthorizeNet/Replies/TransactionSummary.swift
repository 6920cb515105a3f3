import Domain
import StrictJSON

/// A transaction as lists show it.
struct TransactionSummary {
    var id: String
    /// Nil for a state that says nothing.
    var status: TransactionStatus?
    var invoiceNumber: String?
    /// What was, or will be, settled.
    var settled: JSON?
    var submittedAt: Timestamp

    /// Reads the object; nil if it is none.
    init?(_ json: JSON) {
        guard let id = CardDigits.transaction(json["transId"]), let status = json["transactionStatus"]?.stringValue,
            let time = json["submitTimeUTC"]?.stringValue.flatMap(UTCTime.timestamp)
        else { return nil }
        self.id = id
        self.status = TransactionStatus(rawValue: status)
        invoiceNumber = json["invoiceNumber"]?.stringValue
        settled = json["settleAmount"]
        submittedAt = time
    }

    /// The transactions of a reply; nil if it is no list, or one of them cannot be read.
    static func list(_ json: JSON) -> [TransactionSummary]? {
        guard let list = json["transactions"]?.arrayValue else { return isEmpty(json) ? [] : nil }
        let transactions = list.compactMap(TransactionSummary.init)
        return transactions.count == list.count ? transactions : nil
    }

    /// Whether the reply says that there is nothing to list (I00004).
    static func isEmpty(_ json: JSON) -> Bool {
        json["messages"]?["message"]?[0]?["code"]?.stringValue == "I00004"
    }
}
