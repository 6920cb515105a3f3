import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Worldpay's replies.
struct WorldpayOutcomeReader {
    let call: Call
    let links: LinkReader

    /// Something a reply was asked for, or what the operation ends with instead.
    enum Found<Value> {
        case found(Value)
        case outcome(Outcome)
    }

    /// Our reference of the operation, by which Worldpay names captures and refunds.
    var reference: String { OperationReference.text(call.operation) }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// A refusal with that code, and with what was captured of the payment ever, in minor units, where its record was read.
    func rejected(_ reason: Rejection.Reason, _ code: String, _ message: String, captured: Int64? = nil) -> Outcome {
        .rejected(Rejection(reason, code: code, message: message, captured: captured))
    }

    /// What is refused because the payment is cancelled: what was settled before that stays captured.
    func alreadyCancelled(_ record: PaymentRecord) -> Outcome {
        rejected(.alreadyVoided, "cancelled", "The payment is cancelled.", captured: record.capturedEver)
    }

    /// What is refused because the payment is sent for settlement.
    func alreadySettled(_ record: PaymentRecord, _ message: String) -> Outcome {
        rejected(.alreadyCaptured, "settled", message, captured: record.capturedEver)
    }

    /// What a refused request means for the call.
    ///
    /// An authorization is refused because of the account or the request, and now and then because of the card; a
    /// link is refused with 404 if Worldpay does not know the payment behind it.
    func refusal(_ refusal: WorldpayRefusal) -> Outcome {
        if case .authorize = call.kind, refusal.status == 400, let failed = WorldpayFailures.outcome(of: refusal.code) {
            return failed
        }
        return rejected(reason(of: refusal), refusal.code, refusal.sentence)
    }

    /// What is asked for is a whole number in 32 bits, above 0, so that only more than there is can be wrong with it.
    private func reason(of refusal: WorldpayRefusal) -> Rejection.Reason {
        switch (call.kind, refusal.status, refusal.field) {
        case (.authorize, _, _): .configuration
        case (.capture, 400, "$.value.amount"), (.refund, 400, "$.value.amount"): .amountTooLarge
        case (_, 404, _): .notFound
        default: .configuration
        }
    }
}

/// What became of a payment that was to be made.
extension WorldpayOutcomeReader {
    /// Reads the reply to making the payment.
    func authorization(_ reply: WorldpayReply) -> Outcome {
        switch reply {
        case .object(let json, let status): authorization(json, status)
        case .refusal(let refusal): self.refusal(refusal)
        case .doubt(let reason): unknown(reason)
        }
    }

    private func authorization(_ json: JSON, _ status: Int) -> Outcome {
        guard json["transactionReference"]?.stringValue == call.attempt.text else {
            return unknown("Worldpay answered about something else than this payment.")
        }
        switch (status, json["outcome"]?.stringValue) {
        case (201, "authorized"): return approved(json, isCaptured: false)
        case (202, "sentForSettlement"): return approved(json, isCaptured: true)
        case (202, "sentForCancellation"):
            return rejected(.alreadyVoided, "sentForCancellation", "Worldpay authorized the payment and cancels it.")
        case (201, "refused"): return .declined(WorldpayRefusalCodes.decline(json))
        case (201, "fraudHighRisk"):
            return declined("fraudHighRisk", .suspectedFraud, "Worldpay's fraud assessment stopped the payment.")
        case (201, "3dsAuthenticationFailed"):
            return declined("3dsAuthenticationFailed", .authenticationRequired, "The buyer was not authenticated.")
        case (201, "3dsUnavailable"):
            return declined("3dsUnavailable", .temporary, "The buyer could not be authenticated now.")
        case (201, "3dsDeviceDataRequired"), (201, "3dsChallenged"):
            // Asked for by the account's set-up, not by us; without the step nothing is sent to the issuer.
            return rejected(.unsupported, "3ds", "Worldpay wants an authentication that was not asked for.")
        default: return unknown("Worldpay's answer is none that it documents.")
        }
    }

    private func approved(_ json: JSON, isCaptured: Bool) -> Outcome {
        guard let id = json["paymentId"]?.stringValue.flatMap(ProtocolText.word) else {
            return unknown("Worldpay authorized a payment that it does not name.")
        }
        guard let amount = authorizedAmount(json) else {
            return unknown("Worldpay authorized another amount than was asked for.")
        }
        let card = json["paymentInstrument"]
        let state = WorldpayPaymentState(links: links.links(json), captures: isCaptured ? 1 : 0)
        return .succeeded(
            Success(
                reference: id,
                amount: amount,
                capturedAmount: isCaptured ? amount : 0,
                network: card?["cardBrand"]?.stringValue.flatMap(ProtocolText.word),
                last4: card?["lastFour"]?.stringValue.flatMap(ProtocolText.word),
                state: state.text,
                networkTransactionIDs: networkTransactionIDs(json)
            )
        )
    }

    /// What the card scheme calls the payment, where it is one of an agreement.
    private func networkTransactionIDs(_ json: JSON) -> [NetworkTransactionID] {
        guard case .authorize(let authorization) = call.kind, authorization.initiation != .buyer,
            let text = json["schemeReference"]?.stringValue
        else { return [] }
        let network = json["paymentInstrument"]?["cardBrand"]?.stringValue.flatMap(ProtocolText.word)
        return [NetworkTransactionID(text, network: network)].compactMap { $0 }
    }

    /// What was authorized: what was asked for, unless the reply says that it was less; nil if it contradicts.
    private func authorizedAmount(_ json: JSON) -> Int64? {
        let asked = call.money.minorUnits
        guard let amounts = json["amounts"] else { return asked }
        guard amounts["currency"]?.stringValue == call.money.currency.code,
            amounts["requested"]?.integerValue == asked,
            let authorized = amounts["totalAuthorized"]?.integerValue, 1...asked ~= authorized
        else { return nil }
        return authorized
    }

    func declined(_ code: String, _ category: Decline.Category, _ message: String) -> Outcome {
        .declined(Decline(code: code, category: category, message: message))
    }
}

/// What the Payment Queries API answers.
extension WorldpayOutcomeReader {
    /// Reads the reply to the search by our attempt.
    func located(_ reply: WorldpayReply) -> Found<String> {
        guard case .object(let json, status: 200) = reply, let payments = json["_embedded"]?["payments"]?.arrayValue
        else { return .outcome(queryFailure(reply)) }
        let ours = payments.filter { $0["transactionReference"]?.stringValue == call.attempt.text }
        guard ours.count == payments.count else { return .outcome(call.doubt("Worldpay found other payments.")) }
        guard let first = ours.first else { return .outcome(absent) }
        guard ours.count == 1 else { return .outcome(call.doubt("Several payments carry this attempt.")) }
        guard let id = first["paymentId"]?.stringValue.flatMap(ProtocolText.word) else {
            return .outcome(call.doubt("Worldpay found a payment that it does not name."))
        }
        return .found(id)
    }

    /// Reads the reply to retrieving the payment's record.
    func record(_ reply: WorldpayReply, of id: String) -> Found<PaymentRecord> {
        if case .refusal(let refusal) = reply, refusal.status == 404 { return .outcome(absent) }
        guard case .object(let json, status: 200) = reply else { return .outcome(queryFailure(reply)) }
        guard let record = PaymentRecord(json, links), record.id == id, record.reference == call.attempt.text,
            record.currency == call.money.currency.code
        else { return .outcome(call.doubt("Worldpay answered something else than the payment asked after.")) }
        return .found(record)
    }

    /// Worldpay does not show the payment: up to 15 minutes late, so that what had to look first was not sent.
    private var absent: Outcome {
        call.unlisted("Worldpay does not show the payment yet.", answer: notFound("payment"))
    }

    /// Worldpay has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome { rejected(.notFound, "notFound", "Worldpay has no such \(thing).") }

    /// An inquiry learned nothing; an operation that had to look first was not sent.
    private func queryFailure(_ reply: WorldpayReply) -> Outcome {
        switch reply {
        case .object: call.doubt("Worldpay answered something else than the payment asked after.")
        case .refusal(let refusal) where call.purpose == .perform:
            rejected(.configuration, refusal.code, refusal.sentence)
        case .refusal(let refusal): call.doubt("The inquiry was refused. \(refusal.sentence)")
        case .doubt(let reason): call.doubt(reason)
        }
    }
}
