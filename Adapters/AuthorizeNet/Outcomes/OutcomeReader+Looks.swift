import AdapterKit
import Domain

/// What is looked up on the way to an operation, or after it was refused.
extension OutcomeReader {
    /// The digits that a refund must name, or what the operation ends with instead.
    enum Looked {
        case last4(String)
        case outcome(Outcome)
    }

    /// Reads the transaction before a refund; nothing that moves money has been sent.
    func cardDigits(_ reply: AuthorizeNetReply, of payment: String) -> Looked {
        if case .error(CallErrors.notFound, _) = reply { return .outcome(notFound("transaction")) }
        guard let last4 = details(reply, of: payment)?.last4 else { return .outcome(searchFailure(reply)) }
        return .last4(last4)
    }

    /// A search that cannot tell; the operation itself was not sent.
    func unclear(_ reason: String) -> Outcome {
        call.purpose == .inquire ? .unknown(reason: reason) : .notSent(reason: reason)
    }

    /// A search, or a look before the operation, failed; the operation itself was not sent.
    func searchFailure(_ reply: AuthorizeNetReply) -> Outcome {
        guard case .unknown(let reason) = doubt(reply) else { return doubt(reply) }
        guard call.purpose == .perform else { return unknown("The inquiry learned nothing. \(reason)") }
        if case .error(let code, _) = reply, let refused = CallErrors.reason(code) {
            return rejected(refused, Refusal(code: code))
        }
        return .notSent(reason: reason)
    }

    /// Why a capture, void or refund was refused, by the state of the transaction.
    func explanation(of refusal: Refusal, in reply: AuthorizeNetReply, of payment: String) -> Outcome {
        if case .error(CallErrors.notFound, _) = reply { return rejected(.notFound, refusal) }
        guard let status = details(reply, of: payment)?.status else { return unknown(refusal.sentence) }
        switch (status, call.kind) {
        case (.voided, _): return rejected(.alreadyVoided, refusal)
        case (.expired, _): return rejected(.expired, refusal)
        case (.declined, .void), (.failedReview, .void): return rejected(.alreadyVoided, refusal)
        case (.settledSuccessfully, .void), (.settledSuccessfully, .capture), (.capturedPendingSettlement, .capture):
            return rejected(.alreadyCaptured, refusal)
        case (.authorizedPendingCapture, .refund), (.capturedPendingSettlement, .refund):
            return rejected(.notSettledYet, refusal)
        case (.declined, _), (.failedReview, _), (.settledSuccessfully, .refund):
            return rejected(.unsupported, refusal)
        default: return unknown(refusal.sentence)
        }
    }
}
