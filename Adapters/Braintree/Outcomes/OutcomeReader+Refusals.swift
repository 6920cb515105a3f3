import AdapterKit
import Domain

/// What a refused request means for the call.
extension OutcomeReader {
    /// Reads a refusal.
    ///
    /// A payment method that was used already may have been used by this very request, sent twice on its way; then the
    /// first has made a transaction, which an inquiry finds.
    func refusal(_ refusal: BraintreeRefusal) -> Outcome {
        if case .authorize = call.kind, refusal.codes.contains(where: Self.consumedCodes.contains) {
            return unknown("The payment method was used already. \(refusal.sentence)")
        }
        return rejected(reason(refusal), refusal.code, refusal.sentence)
    }

    /// Whether the transaction's state is what the request was refused for.
    func concernsState(_ refusal: BraintreeRefusal) -> Bool {
        let codes: Set<String> =
            switch call.kind {
            case .authorize: []
            case .capture: ["91507"]
            case .void: ["91504", "91506"]
            // All of it is refunded already: perhaps by the reversal that this refund follows.
            case .refund: ["91506", "91512"]
            }
        return !refusal.codes.isEmpty && refusal.codes.allSatisfy(codes.contains)
    }

    /// Reads the transaction after its state did not allow what was asked.
    ///
    /// A state that does allow it contradicts the refusal.
    func standing(_ reply: BraintreeReply, of id: String, after refusal: BraintreeRefusal) -> Outcome {
        guard case .result(let json) = reply, let transaction = Transaction(json), transaction.id == id,
            isOurs(transaction)
        else { return unknown("The transaction's state did not allow it, and could not be read. \(refusal.sentence)") }
        if refusal.codes.contains("91512") {
            return reversal(among: transaction.refunds).map(self.refund)
                ?? rejected(.amountTooLarge, refusal.code, refusal.sentence)
        }
        guard let reason = reason(for: transaction.status) else {
            return unknown("The transaction's state would allow what was refused. \(refusal.sentence)")
        }
        return rejected(reason, refusal.code, "\(refusal.sentence) It is \(transaction.status?.rawValue ?? "").")
    }

    private func reason(for status: PaymentStatus?) -> Rejection.Reason? {
        switch (call.kind, status) {
        case (_, .voided): .alreadyVoided
        case (_, .authorizationExpired): .expired
        case (.capture, .submittedForSettlement), (.capture, .settlementPending), (.capture, .settling),
            (.capture, .settled), (.void, .settlementPending), (.void, .settling), (.void, .settled):
            .alreadyCaptured
        case (.refund, .authorized), (.refund, .submittedForSettlement), (.refund, .settlementPending),
            (.refund, .settling), (.refund, .settled):
            // Settling and settled can be refunded: it has got there since, and the next try will do.
            .notSettledYet
        case (.void, .processorDeclined), (.void, .gatewayRejected), (.void, .failed), (.void, .settlementDeclined):
            .alreadyVoided
        case (.capture, .processorDeclined), (.capture, .gatewayRejected), (.capture, .failed),
            (.capture, .settlementDeclined), (.refund, .processorDeclined), (.refund, .gatewayRejected),
            (.refund, .failed), (.refund, .settlementDeclined):
            .unsupported
        default: nil
        }
    }

    private func reason(_ refusal: BraintreeRefusal) -> Rejection.Reason {
        if refusal.contains(.authentication) || refusal.contains(.authorization)
            || refusal.contains(.unsupportedClient)
        {
            return .configuration
        }
        if refusal.contains(.notFound) {
            if case .authorize = call.kind { return .configuration }
            return .notFound
        }
        if refusal.contains(.notImplemented) { return .unsupported }
        // What cannot be reversed because it is refunded, whole or in part, was captured.
        if call.kind == .void, refusal.codes.contains(where: ["91512", "91521"].contains) { return .alreadyCaptured }
        if case .refund = call.kind, refusal.codes.contains("91574") { return .notSettledYet }
        if refusal.codes.contains(where: amountCodes.contains) { return .amountTooLarge }
        return refusal.codes.contains(where: Self.unsupportedCodes.contains) ? .unsupported : .configuration
    }

    /// More than is authorized; more than is left to refund, or all of it refunded already.
    private var amountCodes: Set<String> {
        switch call.kind {
        case .capture: ["91522"]
        case .refund: ["91521"]
        case .authorize, .void: []
        }
    }

    /// A single-use payment method was used before, or is in use.
    private static let consumedCodes: Set<String> = ["91564", "91566", "91731", "91733", "93107", "93504", "93506"]

    /// Codes that refuse this payment or this card rather than the account or the request.
    private static let unsupportedCodes: Set<String> = [
        "81509", "81528", "81531", "81703", "81710", "81711", "81712", "81713", "81715", "81716", "81750", "83501",
        "83518", "91505", "91512", "91517", "91521", "91522", "91546", "91547", "91567", "91577", "91734", "91760",
        "95601", "815193", "915101", "915102", "915104", "915200", "915201", "915214",
    ]
}
