import AdapterKit
import Domain
import StrictJSON

/// What the Payment Queries API answers.
extension OutcomeReader {
    /// Reads the reply to the search by our attempt.
    func located(_ reply: WorldpayReply) -> Found<String> {
        guard case .object(let json, status: 200) = reply, let payments = json["_embedded"]?["payments"]?.arrayValue
        else { return .outcome(queryFailure(reply)) }
        let ours = payments.filter { $0["transactionReference"]?.stringValue == call.attempt.text }
        guard ours.count == payments.count else { return .outcome(doubt("Worldpay found other payments.")) }
        guard let first = ours.first else { return .outcome(absent) }
        guard ours.count == 1 else { return .outcome(doubt("Several payments carry this attempt.")) }
        guard let id = first["paymentId"]?.stringValue.flatMap(WorldpayRefusal.word) else {
            return .outcome(doubt("Worldpay found a payment that it does not name."))
        }
        return .found(id)
    }

    /// Reads the reply to retrieving the payment's record.
    func record(_ reply: WorldpayReply, of id: String) -> Found<PaymentRecord> {
        if case .refusal(let refusal) = reply, refusal.status == 404 { return .outcome(absent) }
        guard case .object(let json, status: 200) = reply else { return .outcome(queryFailure(reply)) }
        guard let record = PaymentRecord(json, links), record.id == id, record.reference == call.attempt.text,
            record.currency == call.money.currency.code
        else { return .outcome(doubt("Worldpay answered something else than the payment asked after.")) }
        return .found(record)
    }

    /// Worldpay does not show the payment: up to 15 minutes late, so that what had to look first was not sent.
    private var absent: Outcome {
        call.purpose == .perform ? .notSent(reason: "Worldpay does not show the payment yet.") : notFound("payment")
    }

    /// Worldpay has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome { rejected(.notFound, "notFound", "Worldpay has no such \(thing).") }

    /// An inquiry learned nothing; an operation that had to look first was not sent.
    private func queryFailure(_ reply: WorldpayReply) -> Outcome {
        switch reply {
        case .object: doubt("Worldpay answered something else than the payment asked after.")
        case .refusal(let refusal) where call.purpose == .perform:
            rejected(.configuration, refusal.code, refusal.sentence)
        case .refusal(let refusal): doubt("The inquiry was refused. \(refusal.sentence)")
        case .doubt(let reason): doubt(reason)
        }
    }

    private func doubt(_ reason: String) -> Outcome {
        call.purpose == .perform ? .notSent(reason: reason) : .unknown(reason: reason)
    }
}
