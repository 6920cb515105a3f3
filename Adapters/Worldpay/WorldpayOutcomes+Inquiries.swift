import AdapterKit
import Domain

/// What an inquiry learns from the record of a payment.
///
/// Worldpay's records end with what was submitted for processing, and so does an operation: `Settled` and `Refunded`
/// come days later, if at all, and a failure after submission comes as an event.
extension WorldpayOutcomeReader {
    /// What became of the call.
    func inquiry(_ record: PaymentRecord) -> Outcome {
        switch call.kind {
        case .authorize(let authorization): self.authorization(record, capture: authorization.capture)
        case .capture: part("settlement", record)
        case .void: void(record)
        case .refund: part("refund", record)
        }
    }

    private func authorization(_ record: PaymentRecord, capture: Bool) -> Outcome {
        guard record.amount == call.money.minorUnits else { return unknown("The payment is over another amount.") }
        guard let event = record.authorization else { return .pending(progress(record)) }
        switch event.name {
        case "authorizationSucceeded", "saleSucceeded": return approved(record, capture: capture)
        case "authorizationRefused", "saleRefused":
            return .declined(WorldpayRefusalCodes.decline(code: event.code, advice: nil))
        case "authorizationFailed", "saleFailed":
            return event.error.flatMap(WorldpayFailures.outcome) ?? unknown("The payment failed without a reason.")
        default: return unknown("Worldpay does not know itself what became of the payment (\(event.name)).")
        }
    }

    /// An approved payment; one that was to be captured in the same call is done once that shows.
    ///
    /// An account may be set up so that it captures what was only to be held: nothing but the record tells where the reply is
    /// lost, and only once the settlement is sent.
    private func approved(_ record: PaymentRecord, capture: Bool) -> Outcome {
        if record.isReversed || (record.isVoided && !record.isCaptured) {
            return rejected(.alreadyVoided, "cancelled", "The payment is cancelled.")
        }
        let isFailed = record.has("settlementRequestSubmissionFailed")
        if capture && !record.isCaptured && !isFailed { return .pending(progress(record)) }
        let captures = capture && record.isCaptured ? [record.amount] : record.capturedUnasked
        guard let captures else { return .pending(progress(record)) }
        var success = Success(
            reference: record.id,
            amount: record.amount,
            capturedAmount: captures.reduce(0, +),
            network: record.network,
            last4: record.last4,
            state: record.state.text
        )
        success.captures = captures.count > 1 ? captures : []
        return .succeeded(success)
    }

    /// A capture or a refund, which carries our reference.
    private func part(_ action: String, _ record: PaymentRecord) -> Outcome {
        guard let request = record.request(action, reference: reference) else {
            return action == "settlement" && record.isVoided ? alreadyCancelled(record) : notFound(action)
        }
        guard request.amount == call.money.minorUnits, request.currency == call.money.currency.code else {
            return unknown("Worldpay was asked for another amount under this reference.")
        }
        guard let answer = record.answer(to: request) else {
            return .pending(Progress(reference: reference, state: record.state.text))
        }
        let amount = call.money.minorUnits
        switch answer.name {
        case action + "RequestSubmitted":
            let captured = action == "settlement" ? amount : 0
            return .succeeded(
                Success(
                    reference: reference,
                    amount: amount,
                    capturedAmount: captured,
                    state: record.state.text
                )
            )
        case action + "RequestSubmissionFailed": return rejected(.unsupported, answer.name, "The \(action) failed.")
        default: return unknown("Worldpay does not know itself what became of the \(action) (\(answer.name)).")
        }
    }

    /// A void, which has no reference: whatever cancels the payment is it.
    ///
    /// It is done once it is known what others' settlements took before it, which nothing else may tell.
    private func void(_ record: PaymentRecord) -> Outcome {
        if record.isVoided {
            guard record.capturedUnasked != nil else { return .pending(progress(record)) }
            let (amount, captured) = (call.money.minorUnits, record.capturedEver)
            return .succeeded(
                Success(reference: record.id, amount: amount, capturedAmount: captured, state: record.state.text)
            )
        }
        let isTaken = record.isCaptured && record.links.void == nil
        switch record.events.last(where: { $0.name.hasPrefix("cancellation") })?.name {
        case "cancellationRequested": return .pending(progress(record))
        case nil where isTaken, "cancellationRequestSubmissionFailed" where isTaken:
            return alreadySettled(record, "The payment is sent for settlement.")
        case "cancellationRequestSubmissionFailed":
            return rejected(.unsupported, "cancellationFailed", "The cancellation failed.")
        case .some(let name): return unknown("Worldpay does not know itself what became of the void (\(name)).")
        case nil: return notFound("cancellation")
        }
    }

    private func progress(_ record: PaymentRecord) -> Progress {
        Progress(reference: record.id, state: record.state.text)
    }
}
