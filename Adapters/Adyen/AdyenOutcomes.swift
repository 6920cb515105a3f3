import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Adyen's reply.
struct AdyenOutcomeReader {
    let call: Call
    let unit: AdyenUnit
    /// The call's amount in Adyen's unit.
    let asked: Int64

    /// The call's amount as requests write it.
    var amount: JSON { ["value": .integer(asked), "currency": .string(unit.code)] }

    /// How the call's amount is booked, with a fee in ISO 4217's minor units; nil if that cannot be expressed.
    func shares(fee: Int64?) -> Shares? {
        unit.amount(fee ?? 0).flatMap { Shares(total: asked, fee: $0, call: call) }
    }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// What a refused request means for the call.
    ///
    /// What is wrong with the buyer's card is wrong with it everywhere: a decline, after which no other route is tried.
    func refusal(_ error: ServiceError) -> Outcome {
        if case .authorize = call.kind, let category = RefusalReasons.category(ofError: error.code) {
            return .declined(Decline(code: error.code, category: category, message: error.sentence))
        }
        return .rejected(Rejection(reason(for: error.code), code: error.code, message: error.sentence))
    }

    /// Source: Adyen's "Error codes".
    private func reason(for code: String) -> Rejection.Reason {
        switch (code, call.kind) {
        // Ours are well formed, so that only more than there is can be wrong with them.
        case ("137", .capture), ("137", .refund): .amountTooLarge
        case ("137", _), ("138", _): .unsupported
        case ("167", .capture), ("167", .void), ("167", .refund): .notFound
        default: .configuration
        }
    }

    /// Whether an amount in the reply, if there is one, is in the call's currency; and what it says.
    enum Stated: Equatable {
        case nothing
        case value(Int64)
        case somethingElse
    }

    func stated(_ amount: JSON?) -> Stated {
        guard let amount, !amount.isNull else { return .nothing }
        guard amount["currency"]?.stringValue == unit.code, let value = amount["value"]?.integerValue else {
            return .somethingElse
        }
        return .value(value)
    }
}

/// What became of an authorization.
extension AdyenOutcomeReader {
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
        let reference = json["pspReference"]?.stringValue.flatMap(ProtocolText.word)
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
        let summary = data?["cardSummary"]?.stringValue.flatMap(ProtocolText.word)
        var success = Success(
            reference: reference,
            amount: amount,
            capturedAmount: capture ? amount : 0,
            network: network?.stringValue.flatMap(ProtocolText.word),
            last4: summary.flatMap { $0.utf8.count == 4 ? $0 : nil }
        )
        guard case .authorize(let authorization) = call.kind, authorization.initiation != .buyer else { return success }
        let transaction = data?["networkTxReference"]?.stringValue
        success.networkTransactionIDs =
            [transaction.flatMap { NetworkTransactionID($0, network: success.network) }].compactMap { $0 }
        if case .buyerStoring(let first) = authorization.initiation {
            success.stored = stored(data, for: first.agreement.text, success)
        }
        return success
    }

    /// The payment method that was stored for the shopper; nil if Adyen does not tell one, or tells another shopper's.
    private func stored(_ data: JSON?, for shopper: String, _ success: Success) -> StoredMethod? {
        let told = data?["tokenization.shopperReference"] ?? data?["recurring.shopperReference"]
        let identifier = data?["tokenization.storedPaymentMethodId"] ?? data?["recurring.recurringDetailReference"]
        guard told.map({ $0.stringValue == shopper }) ?? true,
            let identifier = identifier?.stringValue.flatMap(ProtocolText.word), identifier.utf8.count <= 64
        else { return nil }
        let expiry = (data?["expiryDate"]?.stringValue ?? "").split(separator: "/").map { Int($0) }
        let isExpiry = expiry.count == 2 && 1...12 ~= expiry[0] ?? 0 && 2000...2999 ~= expiry[1] ?? 0
        return StoredMethod(
            token: Secret(identifier),
            customer: Secret(shopper),
            network: success.network,
            last4: success.last4,
            expiryMonth: isExpiry ? expiry[0] : nil,
            expiryYear: isExpiry ? expiry[1] : nil
        )
    }

    private func declined(_ json: JSON) -> Outcome {
        let code = json["refusalReasonCode"]?.stringValue.flatMap(ProtocolText.word)
        let reason = json["refusalReason"]?.stringValue
        let advice = json["additionalData"]?["merchantAdviceCode"]?.stringValue
        return .declined(RefusalReasons.decline(code: code, reason: reason, merchantAdvice: advice))
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

/// What became of a capture, a cancel or a refund: Adyen receives it, and tells its end by webhook.
extension AdyenOutcomeReader {
    /// Reads the reply; `payment` is Adyen's reference, nil if the request named ours.
    func modification(_ reply: WireReply, of payment: String?) -> Outcome {
        switch AdyenReply(reply, status: 201, key: call.key(exchange: 0)) {
        case .object(let json, let repeatsKey): received(json, of: payment, repeatsKey: repeatsKey)
        case .refusal(let error): refusal(error)
        case .transient(let reason): .notSent(reason: reason)
        case .doubt(let reason): unknown(reason)
        }
    }

    private func received(_ json: JSON, of payment: String?, repeatsKey: Bool) -> Outcome {
        guard json["status"]?.stringValue == "received",
            let reference = json["pspReference"]?.stringValue.flatMap(ProtocolText.word),
            json["reference"].map({ $0.stringValue == MerchantReference.modification(call) }) ?? repeatsKey,
            isAboutOurs(json, payment), isOfOurAmount(json)
        else { return unknown("Adyen answered something else than that it received the request.") }
        if PlantedBug.pendingTakenForDone.isPlanted, case .refund = call.kind {
            return .succeeded(Success(reference: reference, amount: call.money.minorUnits))
        }
        return .pending(Progress(reference: reference))
    }

    /// A cancel may have been sent by our reference first, whose answer Adyen repeats under the same key.
    private func isAboutOurs(_ json: JSON, _ payment: String?) -> Bool {
        if let payment, json["paymentPspReference"]?.stringValue == payment { return true }
        return call.kind == .void && json["paymentReference"]?.stringValue == MerchantReference.payment(call)
    }

    private func isOfOurAmount(_ json: JSON) -> Bool {
        call.kind == .void || stated(json["amount"]) == .value(asked)
    }
}
