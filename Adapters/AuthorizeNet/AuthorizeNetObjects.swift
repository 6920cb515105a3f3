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

/// The states of a transaction that say something of a card payment.
///
/// Source: `transactionStatusEnum` of Authorize.Net's schema. The states of bank payments, of disputes, and those in
/// which an error left it open what happened are left out, so that they stay doubt.
enum TransactionStatus: String {
    /// Held, to be captured.
    case authorizedPendingCapture
    /// Captured, to be settled with the day's batch; it can be voided.
    case capturedPendingSettlement
    /// Settled; it can be refunded.
    case settledSuccessfully
    /// Held for review, not authorized yet.
    case pendingReview = "FDSPendingReview"
    /// Authorized, and held for review.
    case authorizedPendingReview = "FDSAuthorizedPendingReview"
    /// Held for review by Authorize.Net itself.
    case underReview
    /// Approved after a review, to be sent on.
    case approvedReview
    /// Refused by the issuer or a filter.
    case declined
    /// Refused after a review, and voided.
    case failedReview
    /// Canceled.
    case voided
    /// Lapsed, 30 days after it was authorized.
    case expired
    /// Refused with an error, whose code says why.
    case generalError
    /// A refund, to be settled.
    case refundPendingSettlement
    /// A refund that has settled.
    case refundSettledSuccessfully

    /// Whether the transaction gives money back.
    var isRefund: Bool { self == .refundPendingSettlement || self == .refundSettledSuccessfully }

    /// Whether a person has to look at it first.
    var isReview: Bool {
        switch self {
        case .pendingReview, .authorizedPendingReview, .underReview, .approvedReview: true
        default: false
        }
    }
}

/// A batch of settled transactions as lists show it.
struct AuthorizeNetBatch {
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
    static func list(_ json: JSON) -> [AuthorizeNetBatch]? {
        guard let list = json["batchList"]?.arrayValue else { return TransactionSummary.isEmpty(json) ? [] : nil }
        let batches = list.compactMap(AuthorizeNetBatch.init)
        guard batches.count == list.count else { return nil }
        return batches.filter(\.isOfCards).sorted { ($0.settledAt, $0.id) < ($1.settledAt, $1.id) }
    }
}
