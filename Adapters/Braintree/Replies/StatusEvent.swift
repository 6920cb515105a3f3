import Domain
import StrictJSON

/// One entry of `statusHistory`: a status that a transaction or a refund passed through, and why.
struct StatusEvent {
    var status: PaymentStatus?
    /// The amount it was about.
    var amount: Money?
    /// When a hold lapses.
    var authorizationExpiresAt: Timestamp?
    /// The processor's code, as a word.
    var processorCode: String?
    /// `HARD` or `SOFT`.
    var declineType: String?
    /// Why the gateway itself rejected it, as a word.
    var rejectionReason: String?

    /// Reads the object; what is missing or of another form is nil.
    init(_ json: JSON) {
        status = json["status"]?.stringValue.flatMap(PaymentStatus.init(rawValue:))
        amount = json["amount"].flatMap(Money.init(braintree:))
        authorizationExpiresAt = json["authorizationExpiresAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
        processorCode = json["processorResponse"]?["legacyCode"]?.stringValue.flatMap(Word.init)?.text
        declineType = json["declineType"]?.stringValue.flatMap(Word.init)?.text
        rejectionReason = json["gatewayRejectionReason"]?.stringValue.flatMap(Word.init)?.text
    }

    /// Reads a history, newest first; empty if there is none.
    static func history(_ json: JSON?) -> [StatusEvent] { (json?.arrayValue ?? []).map(StatusEvent.init) }
}
