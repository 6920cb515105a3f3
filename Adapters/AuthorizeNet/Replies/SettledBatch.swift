import Domain
import StrictJSON

/// A batch of settled transactions as lists show it.
struct SettledBatch {
    var id: String
    var settledAt: Timestamp
    private var isOfCards: Bool

    private init?(_ json: JSON) {
        guard let id = CardDigits.transaction(json["batchId"]),
            let time = json["settlementTimeUTC"]?.stringValue.flatMap(UTCTime.timestamp)
        else { return nil }
        self.id = id
        settledAt = time
        isOfCards = json["paymentMethod"]?.stringValue != "eCheck"
    }

    /// The card batches of a reply, the earliest first; nil if it is no list, or one of them cannot be read.
    static func list(_ json: JSON) -> [SettledBatch]? {
        guard let list = json["batchList"]?.arrayValue else { return TransactionSummary.isEmpty(json) ? [] : nil }
        let batches = list.compactMap(SettledBatch.init)
        guard batches.count == list.count else { return nil }
        return batches.filter(\.isOfCards).sorted { ($0.settledAt, $0.id) < ($1.settledAt, $1.id) }
    }
}
