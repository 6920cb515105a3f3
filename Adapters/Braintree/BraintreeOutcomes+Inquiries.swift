import AdapterKit
import Domain
import StrictJSON

/// What an inquiry learns. A refused inquiry says nothing of the operation it asks after.
extension BraintreeOutcomeReader {
    /// The GraphQL identifier of the transaction a search found, or what the operation ends with instead.
    enum Located {
        case transaction(String)
        case outcome(Outcome)
    }

    /// Reads the reply to the search for our attempt.
    ///
    /// Found objects may be out of date, so only their identifier is used. What the gateway rejected as a duplicate says
    /// that there is an original.
    func located(_ reply: BraintreeReply) -> Located {
        guard case .result(let search) = reply, let found = search["transactions"],
            let edges = found["edges"]?.arrayValue, found["pageInfo"]?["hasNextPage"]?.boolValue == false
        else { return .outcome(call.purpose == .inquire ? doubt(reply) : searchFailure(reply)) }
        let read = edges.map { $0["node"].flatMap(Transaction.init) }
        let transactions = read.compactMap { $0 }.filter { $0.orderID == call.attempt.text }
        guard read.count == transactions.count else {
            return .outcome(call.doubt("Braintree's search answered something else than what was asked after."))
        }
        let originals = transactions.filter { !$0.isDuplicate }
        guard let transaction = originals.first else {
            guard transactions.isEmpty else { return .outcome(call.doubt("Only a duplicate was found.")) }
            let answer = notFound("transaction")
            return .outcome(call.unlisted("Braintree's search does not show the transaction yet.", answer: answer))
        }
        guard originals.count == 1 else { return .outcome(call.doubt("Several transactions carry this attempt.")) }
        return .transaction(transaction.id)
    }

    /// Reads the transaction for what became of the call.
    func inquiry(_ reply: BraintreeReply, of id: String) -> Outcome {
        if case .refusal(let refusal) = reply, refusal.contains(.notFound) { return notFound("transaction") }
        guard case .result(let json) = reply else { return doubt(reply) }
        guard let transaction = Transaction(json), transaction.id == id, isOurs(transaction) else {
            return unknown("Braintree answered something else than the transaction.")
        }
        return switch call.kind {
        case .authorize: authorization(transaction)
        case .capture: capture(transaction)
        case .void: void(transaction)
        case .refund: refund(among: transaction.refunds)
        }
    }

    /// Braintree has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome {
        rejected(.notFound, "NOT_FOUND", "Braintree has no such \(thing).")
    }

    /// Why an inquiry learned nothing.
    private func doubt(_ reply: BraintreeReply) -> Outcome {
        switch reply {
        case .result: unknown("Braintree answered something else than what was asked after.")
        case .refusal(let refusal): unknown("The inquiry was refused. \(refusal.sentence)")
        case .doubt(let reason): unknown(reason)
        }
    }

    /// A search before an operation failed, so that the operation itself was not sent.
    private func searchFailure(_ reply: BraintreeReply) -> Outcome {
        switch reply {
        case .result: .notSent(reason: "Braintree answered something else than what was asked after.")
        case .refusal(let refusal): self.refusal(refusal)
        case .doubt(let reason): .notSent(reason: reason)
        }
    }
}
