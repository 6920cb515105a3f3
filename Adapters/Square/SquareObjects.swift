import AdapterKit
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
        network = details?["card"]?["card_brand"]?.stringValue.flatMap(ProtocolText.word)
        last4 = details?["card"]?["last_4"]?.stringValue.flatMap(ProtocolText.word)
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

/// What an event needs of a dispute.
struct SquareDispute {
    var id: String
    /// In minor units.
    var amount: Int64
    var currency: String
    /// The disputed payment.
    var payment: String?
    var state: String
    /// Why, as a word.
    var reason: String?
    /// Until when evidence may be sent.
    var respondBy: Timestamp?
    var location: String?

    /// Reads the object; nil if it is no dispute as Square documents it.
    ///
    /// Older versions call its identifier `dispute_id`.
    init?(_ json: JSON) {
        guard let id = json["id"]?.stringValue ?? json["dispute_id"]?.stringValue, !id.isEmpty,
            let money = json["amount_money"].flatMap(SquareMoney.init), money.amount > 0,
            let state = json["state"]?.stringValue
        else { return nil }
        self.id = id
        self.state = state
        amount = money.amount
        currency = money.currency
        payment = json["disputed_payment"]?["payment_id"]?.stringValue
        reason = json["reason"]?.stringValue.flatMap(ProtocolText.word)
        respondBy = json["due_at"]?.stringValue.flatMap(SquareTime.timestamp)
        location = json["location_id"]?.stringValue
    }
}

/// An amount as Square writes it, in minor units.
struct SquareMoney {
    var amount: Int64
    /// The alphabetic code of ISO 4217.
    var currency: String

    /// Reads the object; nil if it lacks one of the two or the amount is negative.
    init?(_ json: JSON) {
        guard let amount = json["amount"]?.integerValue, amount >= 0, let currency = json["currency"]?.stringValue
        else { return nil }
        self.amount = amount
        self.currency = currency
    }
}

/// Times as Square writes them (RFC 3339): `2026-11-28T07:33:17.191Z`, with or without a fraction or an offset.
enum SquareTime {
    /// The moment, to the microsecond; nil for anything else than a time after 1970.
    static func timestamp(_ text: String) -> Timestamp? {
        RFC3339.timestamp(text).flatMap { $0.microseconds < 0 ? nil : $0 }
    }
}
