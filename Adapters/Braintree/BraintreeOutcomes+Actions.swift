import AdapterKit
import Domain
import StrictJSON

/// What became of a capture or a void.
extension BraintreeOutcomeReader {
    /// Reads the reply to a capture, a void or a refund of the transaction with that GraphQL identifier.
    func modification(_ reply: BraintreeReply, of id: String) -> Outcome {
        switch reply {
        case .result(let payload):
            if case .refund = call.kind { return refund(payload, of: id) }
            if call.kind == .void { return reversal(payload, of: id) }
            guard let transaction = transaction(payload), transaction.id == id else {
                return unknown("Braintree answered something else than the transaction.")
            }
            return capture(transaction)
        case .refusal(let refusal): return self.refusal(refusal)
        case .doubt(let reason): return unknown(reason)
        }
    }

    /// The reversal of a transaction: the transaction, voided, or a refund of all of it if it had settled.
    ///
    /// The refund carries the attempt's name and not the operation's: the next refund of the whole, which "captured
    /// already" leads to, finds it and is done by it.
    private func reversal(_ payload: JSON, of id: String) -> Outcome {
        guard answersCall(payload), let reversal = payload["reversal"] else {
            return unknown("Braintree answered something else than the reversal.")
        }
        switch reversal["__typename"]?.stringValue {
        case "Transaction":
            guard let transaction = Transaction(reversal), isOurs(transaction), transaction.id == id else {
                return unknown("Braintree answered something else than the transaction.")
            }
            return void(transaction)
        case "Refund":
            guard let refund = RefundObject(reversal), refund.transaction == id,
                refund.amount.currency == call.money.currency
            else { return unknown("Braintree answered something else than a refund of the transaction.") }
            let message = "The transaction had settled, and was refunded in full (refund \(refund.legacyID))."
            return rejected(.alreadyCaptured, "REFUNDED", message, captured: refund.amount.minorUnits)
        default: return unknown("Braintree reversed the transaction into something that the schema does not have.")
        }
    }

    /// The capture of a transaction; a card's is captured once.
    func capture(_ transaction: Transaction) -> Outcome {
        switch transaction.status {
        case .submittedForSettlement, .settling, .settled:
            guard transaction.amount == call.money else {
                return unknown("The transaction is captured over another amount.")
            }
            let amount = transaction.amount.minorUnits
            return .succeeded(
                Success(reference: transaction.legacyID, amount: amount, capturedAmount: amount, state: transaction.id)
            )
        case .settlementPending: return .pending(progress(transaction))
        case .settlementDeclined: return .declined(transaction.decline)
        case .voided: return rejected(.alreadyVoided, "VOIDED", "The transaction is voided.")
        case .authorizationExpired:
            return rejected(.expired, "AUTHORIZATION_EXPIRED", "The authorization has lapsed.")
        case .authorized, .authorizing: return absent("capture")
        case .processorDeclined, .gatewayRejected, .failed: return neverAuthorized(transaction)
        case .settlementConfirmed, nil: return unknown("The transaction is in a state that says nothing of a capture.")
        }
    }

    /// The void of a transaction.
    ///
    /// It releases whatever was held, so it has no amount of its own at Braintree; it is given as the call's.
    func void(_ transaction: Transaction) -> Outcome {
        switch transaction.status {
        case .voided:
            return .succeeded(
                Success(reference: transaction.legacyID, amount: call.money.minorUnits, state: transaction.id)
            )
        case .authorized, .authorizing, .submittedForSettlement: return absent("void")
        case .settling, .settled, .settlementPending:
            let captured = transaction.amount.minorUnits
            return rejected(.alreadyCaptured, "CAPTURED", "The transaction is captured.", captured: captured)
        case .authorizationExpired:
            return rejected(.expired, "AUTHORIZATION_EXPIRED", "The authorization has lapsed.")
        case .processorDeclined, .gatewayRejected, .failed, .settlementDeclined:
            return rejected(.alreadyVoided, transaction.status?.rawValue ?? "", "The transaction holds nothing.")
        case .settlementConfirmed, nil: return unknown("The transaction is in a state that says nothing of a void.")
        }
    }

    /// A transaction to which it has not been done: no trace of it when asked after, a contradiction when just accepted.
    private func absent(_ thing: String) -> Outcome {
        call.purpose == .inquire
            ? notFound(thing) : unknown("Braintree accepted the \(thing), but the transaction does not show it.")
    }

    private func neverAuthorized(_ transaction: Transaction) -> Outcome {
        let code = transaction.status?.rawValue ?? ""
        return call.purpose == .inquire
            ? rejected(.unsupported, code, "The transaction was never authorized.")
            : unknown("Braintree accepted a capture of a transaction that was never authorized.")
    }
}

/// What became of a refund.
extension BraintreeOutcomeReader {
    /// Reads the payload of a refund of the transaction with that GraphQL identifier.
    func refund(_ payload: JSON, of id: String) -> Outcome {
        guard answersCall(payload), let refund = payload["refund"].flatMap(RefundObject.init),
            refund.orderID == call.operation.text, refund.transaction == id
        else { return unknown("Braintree answered something else than the refund asked for.") }
        return self.refund(refund)
    }

    /// The refund that a reversal made of the whole transaction, under the attempt's name; nil if there is none.
    func reversal(among refunds: [RefundObject]?) -> RefundObject? {
        let made = (refunds ?? []).filter { $0.orderID == call.attempt.text && $0.amount == call.money }
        return made.count == 1 ? made[0] : nil
    }

    /// Our refund among those of the transaction.
    func refund(among refunds: [RefundObject]?) -> Outcome {
        guard let refunds else { return unknown("Braintree did not list the transaction's refunds.") }
        let ours = refunds.filter { $0.orderID == call.operation.text }
        guard let refund = ours.first else { return notFound("refund") }
        guard ours.count == 1 else { return unknown("Several refunds carry this operation.") }
        return self.refund(refund)
    }

    func refund(_ refund: RefundObject) -> Outcome {
        guard refund.amount == call.money else { return unknown("The refund is over another amount or currency.") }
        switch refund.status {
        case .submittedForSettlement, .settling, .settled:
            return .succeeded(Success(reference: refund.legacyID, amount: call.money.minorUnits))
        case .settlementPending, .authorizing: return .pending(Progress(reference: refund.legacyID))
        case .processorDeclined, .gatewayRejected, .failed, .settlementDeclined, .voided:
            let word = refund.status?.rawValue ?? ""
            let code = refund.processorCode ?? word
            let message = "The refund came to nothing: Braintree answered \(word) (\(code))."
            return .rejected(Rejection(.unsupported, code: code, message: message, object: refund.legacyID))
        case .authorized, .authorizationExpired, .settlementConfirmed, nil:
            return unknown("The refund is in a state that Braintree does not document for refunds.")
        }
    }
}
