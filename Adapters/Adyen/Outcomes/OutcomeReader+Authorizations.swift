import AdapterKit
import Domain
import StrictJSON

/// What became of an authorization.
extension OutcomeReader {
    /// Reads the reply to a payment request.
    func authorization(_ reply: WireReply, capture: Bool) -> Outcome {
        switch AdyenReply(reply, status: 200, key: call.key(exchange: 0)) {
        case .object(let json, let repeatsKey): authorization(json, repeatsKey: repeatsKey, capture: capture)
        case .refusal(let error): refusal(error)
        case .transient(let reason): .notSent(reason: reason)
        case .doubt(let reason): unknown(reason)
        }
    }

    private func authorization(_ json: JSON, repeatsKey: Bool, capture: Bool) -> Outcome {
        let named = json["merchantReference"].map { $0.stringValue == MerchantReference.payment(call) }
        guard named ?? repeatsKey else {
            return unknown("Adyen answered about a payment with another reference.")
        }
        let reference = json["pspReference"]?.stringValue.flatMap(ServiceError.word)
        switch (json["resultCode"]?.stringValue, reference) {
        case ("Authorised", let reference?): return approved(json, reference, capture: capture)
        case ("PartiallyAuthorised", let reference?): return approvedInPart(json, reference, capture: capture)
        case ("Pending", let reference?), ("Received", let reference?):
            return .pending(Progress(reference: reference))
        case ("Refused", _?), ("Error", _?), ("Cancelled", _?): return declined(json)
        case ("RedirectShopper", let reference), ("IdentifyShopper", let reference),
            ("ChallengeShopper", let reference), ("PresentToShopper", let reference):
            return action(json["action"], Progress(reference: reference))
        default: return unknown("Adyen's result is none that it documents for a payment.")
        }
    }

    private func approved(_ json: JSON, _ reference: String, capture: Bool) -> Outcome {
        guard [.nothing, .value(asked)].contains(stated(json["amount"])),
            [.nothing, .value(asked)].contains(authorised(json))
        else { return unknown("Adyen approved another amount or currency than was asked for.") }
        return .succeeded(success(json, reference, amount: call.money.minorUnits, capture: capture))
    }

    /// An approval for less, which is asked for by nothing here but may be a setting of the account.
    private func approvedInPart(_ json: JSON, _ reference: String, capture: Bool) -> Outcome {
        guard case .value(let value) = authorised(json), 0 < value, value < asked,
            let amount = unit.minorUnits(value),
            [.nothing, .value(value), .value(asked)].contains(stated(json["amount"]))
        else { return unknown("Adyen approved a part that it does not state.") }
        return .succeeded(success(json, reference, amount: amount, capture: capture))
    }

    /// The approved amount in `additionalData`, where numbers are text.
    private func authorised(_ json: JSON) -> Stated {
        let data = json["additionalData"]
        guard let text = data?["authorisedAmountValue"]?.stringValue else { return .nothing }
        guard data?["authorisedAmountCurrency"].map({ $0.stringValue == unit.code }) ?? true,
            let value = Int64(text)
        else { return .somethingElse }
        return .value(value)
    }

    private func success(_ json: JSON, _ reference: String, amount: Int64, capture: Bool) -> Success {
        let data = json["additionalData"]
        let network = json["paymentMethod"]?["brand"] ?? data?["cardPaymentMethod"] ?? data?["paymentMethod"]
        let summary = data?["cardSummary"]?.stringValue.flatMap(ServiceError.word)
        return Success(
            reference: reference,
            amount: amount,
            capturedAmount: capture ? amount : 0,
            network: network?.stringValue.flatMap(ServiceError.word),
            last4: summary.flatMap { $0.utf8.count == 4 ? $0 : nil }
        )
    }

    private func declined(_ json: JSON) -> Outcome {
        let code = json["refusalReasonCode"]?.stringValue.flatMap(ServiceError.word)
        let reason = json["refusalReason"]?.stringValue
        return .declined(RefusalReasons.decline(code: code, reason: reason))
    }

    /// What the buyer has to do: go to a page, or act within Adyen's client library, which wants the whole action.
    private func action(_ action: JSON?, _ progress: Progress) -> Outcome {
        guard let action, let type = action["type"]?.stringValue else {
            return unknown("Adyen asks for an action that it does not name.")
        }
        if type == "redirect", action["method"]?.stringValue == "GET", let url = action["url"]?.stringValue,
            url.hasPrefix("https://")
        {
            return .actionRequired(NextAction(kind: .redirect, url: url), progress)
        }
        return .actionRequired(NextAction(kind: .client, data: action.text), progress)
    }
}
