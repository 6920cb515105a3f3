import AdapterKit
import Domain

/// What an inquiry learns. A refused inquiry says nothing of the operation it asks after.
extension AuthorizeNetOutcomeReader {
    /// Reads the transaction for what became of the call.
    func inquiry(_ reply: AuthorizeNetReply, of payment: String) -> Outcome {
        if case .error(CallErrors.notFound, _) = reply { return notFound("transaction") }
        guard let details = details(reply, of: payment) else { return doubt(reply) }
        guard let status = details.status else { return unknown("The transaction's state says nothing.") }
        return switch call.kind {
        case .authorize: authorization(details, status)
        case .capture: capture(details, status)
        case .void: void(details, status)
        case .refund: unknown("A refund is not read from its payment.")
        }
    }

    private func authorization(_ details: TransactionDetails, _ status: TransactionStatus) -> Outcome {
        switch status {
        case .authorizedPendingCapture: return authorized(details, captured: 0)
        case .capturedPendingSettlement, .settledSuccessfully: return authorized(details, captured: details.settled)
        case .pendingReview, .authorizedPendingReview, .underReview, .approvedReview:
            return .pending(Progress(reference: details.id, state: details.last4))
        case .declined:
            let code = details.reasonCode ?? "none"
            let category: Decline.Category =
                if case .decline(let category) = ReasonCodes.meaning(code) { category } else { .generic }
            return .declined(Decline(code: code, category: category, message: "The transaction was declined."))
        case .failedReview:
            let message = "The transaction was refused after a review."
            return .declined(Decline(code: status.rawValue, category: .suspectedFraud, message: message))
        case .generalError: return failed(details)
        case .voided, .expired: return ended(status)
        case .refundPendingSettlement, .refundSettledSuccessfully: return unknown("The transaction is a refund.")
        }
    }

    private func authorized(_ details: TransactionDetails, captured: Int64?) -> Outcome {
        guard let authorized = details.authorized, let captured, (1...asked).contains(authorized),
            (0...authorized).contains(captured)
        else { return unknown("The transaction is over another amount.") }
        return .succeeded(
            Success(
                reference: details.id,
                amount: authorized,
                capturedAmount: captured,
                network: details.network,
                last4: details.last4,
                state: details.last4
            )
        )
    }

    private func failed(_ details: TransactionDetails) -> Outcome {
        guard let code = details.reasonCode, case .decline(let category) = ReasonCodes.meaning(code) else {
            return unknown("The transaction ended in an error.")
        }
        return .declined(Decline(code: code, category: category, message: "The transaction ended in an error."))
    }

    private func capture(_ details: TransactionDetails, _ status: TransactionStatus) -> Outcome {
        switch status {
        case .capturedPendingSettlement, .settledSuccessfully:
            guard let settled = details.settled else { return unknown("The transaction is over another amount.") }
            guard settled == asked else { return capturedOtherwise(settled, status) }
            return .succeeded(Success(reference: details.id, amount: asked, capturedAmount: asked))
        case .authorizedPendingCapture: return notFound("capture")
        case .voided, .expired: return ended(status)
        default:
            return status.isReview
                ? .pending(Progress(reference: details.id)) : unknown("The transaction cannot be captured.")
        }
    }

    /// Another amount was captured than asked for: a transaction is captured once, so that ours was not, and nothing is left.
    private func capturedOtherwise(_ captured: Int64, _ status: TransactionStatus) -> Outcome {
        let message = "Another amount than asked for is captured, and the rest is released."
        return .rejected(Rejection(.alreadyVoided, code: status.rawValue, message: message, captured: captured))
    }

    private func void(_ details: TransactionDetails, _ status: TransactionStatus) -> Outcome {
        switch status {
        case .voided: .succeeded(Success(reference: details.id, amount: asked))
        case .expired, .declined, .failedReview: ended(status)
        case .settledSuccessfully:
            rejected(.alreadyCaptured, Refusal(code: status.rawValue), captured: details.settled)
        case .authorizedPendingCapture, .capturedPendingSettlement, .pendingReview, .authorizedPendingReview,
            .underReview, .approvedReview:
            notFound("void")
        case .generalError, .refundPendingSettlement, .refundSettledSuccessfully:
            unknown("The transaction's state says nothing of a void.")
        }
    }

    /// Reads the refund that carries the operation's name.
    func refund(_ transaction: TransactionSummary) -> Outcome {
        guard AccountCurrency.minorUnits(transaction.settled, in: currency) == asked else {
            return unknown("The refund is over another amount.")
        }
        guard let status = transaction.status else { return unknown("The refund's state says nothing.") }
        switch status {
        case .refundPendingSettlement, .refundSettledSuccessfully:
            return .succeeded(Success(reference: transaction.id, amount: asked))
        case .declined:
            return .declined(Decline(code: status.rawValue, category: .generic, message: "The refund was declined."))
        case .voided, .failedReview:
            let message = "The refund was accepted and then canceled."
            return .rejected(
                Rejection(.unsupported, code: status.rawValue, message: message, object: transaction.id)
            )
        default:
            return status.isReview
                ? .pending(Progress(reference: transaction.id)) : unknown("The refund's state says nothing.")
        }
    }

    /// A transaction that holds nothing any more.
    private func ended(_ status: TransactionStatus) -> Outcome {
        rejected(status == .expired ? .expired : .alreadyVoided, Refusal(code: status.rawValue))
    }
}

/// What is looked up on the way to an operation, or after it was refused.
extension AuthorizeNetOutcomeReader {
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
        guard let details = details(reply, of: payment), let status = details.status else {
            return unknown(refusal.sentence)
        }
        switch (status, call.kind) {
        case (.voided, _): return rejected(.alreadyVoided, refusal)
        case (.expired, _): return rejected(.expired, refusal)
        case (.declined, .void), (.failedReview, .void): return rejected(.alreadyVoided, refusal)
        case (.settledSuccessfully, .void), (.settledSuccessfully, .capture), (.capturedPendingSettlement, .capture):
            return rejected(.alreadyCaptured, refusal, captured: details.settled)
        case (.authorizedPendingCapture, .refund), (.capturedPendingSettlement, .refund):
            return rejected(.notSettledYet, refusal)
        case (.declined, _), (.failedReview, _), (.settledSuccessfully, .refund):
            return rejected(.unsupported, refusal)
        default: return unknown(refusal.sentence)
        }
    }
}
