import AdapterKit
import Domain
import StrictJSON

/// What became of an authorization.
extension OutcomeReader {
    /// A payment method made of a token, or what the operation ends with instead.
    enum Tokenized {
        case paymentMethod(String)
        case outcome(Outcome)
    }

    /// Reads the reply to making a payment method.
    ///
    /// Whatever it says, nothing that can move money has been sent.
    func token(_ reply: BraintreeReply) -> Tokenized {
        switch reply {
        case .result(let payload):
            guard answersCall(payload), let id = payload["paymentMethod"]?["id"]?.stringValue,
                Word.isIdentifier(id)
            else {
                return .outcome(.notSent(reason: "Braintree answered something else than the payment method."))
            }
            return .paymentMethod(id)
        case .refusal(let refusal): return .outcome(self.refusal(refusal))
        case .doubt(let reason): return .outcome(.notSent(reason: reason))
        }
    }

    /// Reads the reply to creating the transaction.
    func authorization(_ reply: BraintreeReply) -> Outcome {
        switch reply {
        case .result(let payload):
            transaction(payload).map(authorization)
                ?? unknown("Braintree answered something else than the transaction.")
        case .refusal(let refusal): self.refusal(refusal)
        case .doubt(let reason): unknown(reason)
        }
    }

    /// What a transaction's status says of its authorization.
    func authorization(_ transaction: Transaction) -> Outcome {
        switch transaction.status {
        case .authorized: held(transaction)
        case .submittedForSettlement, .settling, .settled: taken(transaction)
        case .settlementPending: isSale ? .pending(progress(transaction)) : taken(transaction)
        case .authorizing: .pending(progress(transaction))
        case .processorDeclined, .settlementDeclined: .declined(transaction.decline)
        case .failed: failed(transaction)
        case .gatewayRejected: rejection(transaction)
        case .voided: rejected(.alreadyVoided, "VOIDED", "The transaction is voided.")
        case .authorizationExpired: rejected(.expired, "AUTHORIZATION_EXPIRED", "The authorization has lapsed.")
        case .settlementConfirmed, nil:
            unknown("The transaction is in a state that says nothing of its authorization.")
        }
    }

    private var isSale: Bool {
        if case .authorize(let authorization) = call.kind { authorization.capture } else { false }
    }

    /// What is known of a transaction that is not finished.
    func progress(_ transaction: Transaction) -> Progress {
        Progress(reference: transaction.legacyID, state: transaction.id)
    }

    private func held(_ transaction: Transaction) -> Outcome {
        let amount = transaction.amount.minorUnits
        guard (1...call.money.minorUnits).contains(amount) else {
            return unknown("The transaction holds an amount that was not asked for.")
        }
        return .succeeded(success(transaction, amount: amount, captured: 0))
    }

    /// A captured transaction.
    ///
    /// Its amount is what was captured; if the capture was an operation of its own that may be less than was held, which
    /// the history knows.
    private func taken(_ transaction: Transaction) -> Outcome {
        let captured = transaction.amount.minorUnits
        let hold = transaction.authorization?.amount
        let amount = hold?.minorUnits ?? captured
        guard captured > 0, captured <= amount, amount <= call.money.minorUnits,
            hold.map({ $0.currency == call.money.currency }) ?? true
        else { return unknown("The transaction took an amount that was not asked for.") }
        return .succeeded(success(transaction, amount: amount, captured: captured))
    }

    /// The processor could not be reached, or refused the message.
    ///
    /// Where the transaction had been authorized before, it is something else that failed.
    private func failed(_ transaction: Transaction) -> Outcome {
        transaction.authorization == nil
            ? .declined(transaction.decline) : unknown("The transaction failed after it was authorized.")
    }

    /// The gateway itself said no.
    ///
    /// A duplicate is the second of two that have our attempt on them, so that the first may well be ours and hold money.
    private func rejection(_ transaction: Transaction) -> Outcome {
        guard let reason = transaction.latest?.rejectionReason, reason != "DUPLICATE" else {
            return unknown("Braintree rejected the transaction as a duplicate, or did not say why.")
        }
        let message = "Braintree's gateway rejected the transaction (\(reason))."
        guard !BraintreeDeclines.configurationReasons.contains(reason) else {
            return rejected(.configuration, reason, message)
        }
        let category = BraintreeDeclines.category(rejectedFor: reason) ?? .generic
        return .declined(Decline(code: reason, category: category, message: message))
    }

    private func success(_ transaction: Transaction, amount: Int64, captured: Int64) -> Success {
        Success(
            reference: transaction.legacyID,
            amount: amount,
            capturedAmount: captured,
            expiresAt: captured == 0 ? transaction.authorization?.authorizationExpiresAt : nil,
            network: transaction.network,
            last4: transaction.last4,
            state: transaction.id
        )
    }
}
