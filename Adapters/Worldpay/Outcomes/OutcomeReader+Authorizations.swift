import AdapterKit
import Domain
import StrictJSON

/// What became of a payment that was to be made.
extension OutcomeReader {
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
        guard let id = json["paymentId"]?.stringValue.flatMap(WorldpayRefusal.word) else {
            return unknown("Worldpay authorized a payment that it does not name.")
        }
        guard let amount = authorizedAmount(json) else {
            return unknown("Worldpay authorized another amount than was asked for.")
        }
        let card = json["paymentInstrument"]
        let state = PaymentState(links: links.links(json), captures: isCaptured ? 1 : 0)
        return .succeeded(
            Success(
                reference: id,
                amount: amount,
                capturedAmount: isCaptured ? amount : 0,
                network: card?["cardBrand"]?.stringValue.flatMap(WorldpayRefusal.word),
                last4: card?["lastFour"]?.stringValue.flatMap(WorldpayRefusal.word),
                state: state.text
            )
        )
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
