import Domain
import StrictJSON

/// What an outcome needs of a payment.
struct SquarePayment {
    var id: String
    var status: String
    /// What the payment is over now, in minor units; a smaller capture lowers it.
    var amount: Int64
    var currency: String
    /// What was approved, in minor units, if the payment says so.
    var approved: Int64?
    /// What the marketplace keeps, in minor units; 0 for nothing.
    var fee: Int64
    /// Names this version of the payment.
    var version: String?
    /// Our attempt, if it is ours.
    var reference: String?
    var location: String?
    /// When Square cancels the payment by itself if nobody completes it.
    var delayedUntil: Timestamp?
    /// When the hold was released.
    var voidedAt: Timestamp?
    var network: String?
    var last4: String?
    private var sourceType: String?
    private var error: SquareError?

    /// Reads the object; nil if it is no payment as Square documents it, or mixes currencies.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue, !id.isEmpty, let status = json["status"]?.stringValue,
            let money = json["amount_money"].flatMap(SquareMoney.init)
        else { return nil }
        let approved = json["approved_money"].flatMap(SquareMoney.init)
        let fee = json["app_fee_money"].flatMap(SquareMoney.init)
        guard [approved, fee].allSatisfy({ $0 == nil || $0?.currency == money.currency }) else { return nil }
        self.id = id
        self.status = status
        amount = money.amount
        currency = money.currency
        self.approved = approved?.amount
        self.fee = fee?.amount ?? 0
        version = json["version_token"]?.stringValue
        reference = json["reference_id"]?.stringValue
        location = json["location_id"]?.stringValue
        delayedUntil = json["delayed_until"]?.stringValue.flatMap(SquareTime.timestamp)
        sourceType = json["source_type"]?.stringValue
        let details = json["card_details"]
        voidedAt = details?["card_payment_timeline"]?["voided_at"]?.stringValue.flatMap(SquareTime.timestamp)
        error = details?["errors"]?.arrayValue?.first.flatMap(SquareError.init)
        network = details?["card"]?["card_brand"]?.stringValue.flatMap(SquareError.word)
        last4 = details?["card"]?["last_4"]?.stringValue.flatMap(SquareError.word)
    }

    /// What later operations need of it.
    var state: SquareState { SquareState(amount: amount, fee: fee, version: version) }

    /// Whether it records a payment that Square had no part in.
    var isRecordOnly: Bool { sourceType.map(Self.isRecordOnly) ?? false }

    /// Whether a source records a payment that was taken elsewhere: such a payment is completed without any money.
    static func isRecordOnly(_ source: String) -> Bool {
        ["CASH", "EXTERNAL"].contains(source.filter { !$0.isWhitespace }.uppercased())
    }

    /// Why a failed payment failed.
    var decline: Decline {
        let code = error?.code ?? "FAILED"
        let category = SquareDeclines.category(code) ?? .generic
        return Decline(code: code, category: category, message: "The payment has failed (\(code)).")
    }

    /// Why a canceled payment holds nothing: it was voided, or Square canceled it when its time ran out.
    var cancellation: Rejection {
        if let voidedAt, let delayedUntil, voidedAt >= delayedUntil {
            return Rejection(.expired, code: "CANCELED", message: "Square canceled the payment when its time ran out.")
        }
        return Rejection(.alreadyVoided, code: "CANCELED", message: "The payment is canceled.")
    }
}
