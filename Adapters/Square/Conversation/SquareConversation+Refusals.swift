import AdapterKit
import Domain

/// What a refused request means for the call.
extension SquareConversation {
    /// Reads a refusal of a payment whose state does not explain it.
    ///
    /// A payment in the reply that went on contradicts a refused creation.
    func refused(_ refusal: SquareRefusal) -> Outcome {
        if refusal.concernsToken { return Self.rejected(.configuration, refusal.code, refusal.sentence) }
        guard refusal.paymentReference ?? call.attempt.text == call.attempt.text else {
            return .unknown(reason: "Square refused another payment. \(refusal.sentence)")
        }
        if refusal.isClash { return .unknown(reason: refusal.sentence) }
        switch call.kind {
        case .authorize:
            if let status = refusal.paymentStatus, status != "FAILED" {
                return .unknown(reason: "Square refused, but its payment went on. \(refusal.sentence)")
            }
            if let decline = refusal.decline { return .declined(decline) }
        case .capture:
            // No card is asked for more: the amount that is to be completed is above what is held.
            if refusal.code == "AMOUNT_TOO_HIGH" {
                return Self.rejected(.amountTooLarge, refusal.code, refusal.sentence)
            }
            if let decline = refusal.decline { return .declined(decline) }
        case .void, .refund: break
        }
        guard let reason = SquareRefusals.reason(for: refusal.code, asking: isFirst) else {
            return .unknown(reason: "Square refused because of a state that it does not show. \(refusal.sentence)")
        }
        return Self.rejected(reason, refusal.code, refusal.sentence)
    }

    /// Whether the call makes the payment rather than changing it.
    private var isFirst: Bool { if case .authorize = call.kind { true } else { false } }
}
