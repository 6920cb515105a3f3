import AdapterKit
import Domain
import StrictJSON

/// What became of a capture, a cancel or a refund: Adyen receives it, and tells its end by webhook.
extension OutcomeReader {
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
            let reference = json["pspReference"]?.stringValue.flatMap(ServiceError.word),
            json["reference"].map({ $0.stringValue == MerchantReference.modification(call) }) ?? repeatsKey,
            isAboutOurs(json, payment), isOfOurAmount(json)
        else { return unknown("Adyen answered something else than that it received the request.") }
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
