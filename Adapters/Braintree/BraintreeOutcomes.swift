import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Braintree's replies.
struct BraintreeOutcomeReader {
    let call: Call

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// A refusal by the state of the transaction, with what was captured of it ever, in minor units, where that is known.
    func rejected(_ reason: Rejection.Reason, _ code: String, _ message: String, captured: Int64? = nil) -> Outcome {
        .rejected(Rejection(reason, code: code, message: message, captured: captured))
    }

    /// Whether the transaction is the attempt's, in its currency.
    func isOurs(_ transaction: Transaction) -> Bool {
        transaction.orderID == call.attempt.text && transaction.amount.currency == call.money.currency
            && (call.pspReference == nil || transaction.legacyID == call.pspReference)
    }

    /// Whether the payload answers this call's own request.
    func answersCall(_ payload: JSON) -> Bool { payload["clientMutationId"]?.stringValue == call.operation.text }

    /// The transaction in the payload of a mutation of this call, if it is ours.
    func transaction(_ payload: JSON) -> Transaction? {
        guard answersCall(payload), let transaction = payload["transaction"].flatMap(Transaction.init),
            isOurs(transaction)
        else { return nil }
        return transaction
    }
}

/// What became of an authorization.
extension BraintreeOutcomeReader {
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
        case .voided where call.asksForStoredMethod, .authorizationExpired where call.asksForStoredMethod:
            .succeeded(success(transaction, amount: call.money.minorUnits, captured: 0))
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
            state: transaction.id,
            stored: stored(transaction),
            networkTransactionIDs: networkTransactionIDs(transaction)
        )
    }

    /// The payment method that went into the vault with the transaction, or that was charged.
    private func stored(_ transaction: Transaction) -> StoredMethod? {
        guard case .buyerStoring = call.initiation, let method = transaction.paymentMethod else {
            return call.chargedMethod(
                transaction.paymentMethod,
                network: transaction.network,
                last4: transaction.last4,
                expiryMonth: transaction.expiryMonth,
                expiryYear: transaction.expiryYear
            )
        }
        return StoredMethod(
            token: Secret(method),
            network: transaction.network,
            last4: transaction.last4,
            expiryMonth: transaction.expiryMonth,
            expiryYear: transaction.expiryYear
        )
    }

    private func networkTransactionIDs(_ transaction: Transaction) -> [NetworkTransactionID] {
        guard call.initiation != .buyer, let text = transaction.networkTransactionID else { return [] }
        return [NetworkTransactionID(text, network: transaction.network)].compactMap { $0 }
    }
}

/// What a refused request means for the call.
extension BraintreeOutcomeReader {
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
        return rejected(
            reason,
            refusal.code,
            "\(refusal.sentence) It is \(transaction.status?.rawValue ?? "").",
            captured: reason == .alreadyCaptured ? transaction.amount.minorUnits : nil
        )
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
