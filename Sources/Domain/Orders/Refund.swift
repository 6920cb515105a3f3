/// Money that the marketplace asked to give back after the sale, of one payment or several.
///
/// What became of it is told by its operations; see ``Order/status(of:)``.
package struct Refund: Hashable, Sendable {
    /// Who bears what the merchant's share of it comes to.
    package enum Bearer: String, Sendable, CaseIterable {
        /// The merchant.
        case merchant
        /// The marketplace.
        case marketplace
    }

    /// What becomes of it, over all its items.
    package enum Status: String, Sendable, CaseIterable {
        /// Some of it may still succeed.
        case pending
        /// All of it is given back.
        case succeeded
        /// Nothing of it is given back.
        case failed
        /// A part of it is given back, and the rest will not be.
        case partiallySucceeded = "partially_succeeded"
    }

    /// The part of it that concerns one payment.
    package struct Item: Hashable, Sendable {
        /// The payment.
        package let payment: PaymentID
        /// What is to be given back of it, in minor units, above zero.
        package let amount: Int64

        /// Makes an item.
        package init(payment: PaymentID, amount: Int64) {
            self.payment = payment
            self.amount = amount
        }
    }

    /// Its identifier.
    package let id: RefundID
    /// What is to be given back of which payment, each payment once.
    package let items: [Item]
    /// Who bears the merchant's share of it.
    package let borneBy: Bearer
    /// The marketplace's reason; empty if it gave none.
    package let reason: String
    /// When it was asked for.
    package let createdAt: Timestamp

    /// Makes a refund of which nothing was sent yet.
    package init(id: RefundID, items: [Item], borneBy: Bearer, reason: String, createdAt: Timestamp) {
        self.id = id
        self.items = items
        self.borneBy = borneBy
        self.reason = reason
        self.createdAt = createdAt
    }

    /// What is to be given back in all, in minor units.
    package var amount: Int64 { items.reduce(0) { $0 + $1.amount } }
}

extension Order {
    /// The operations of a refund, in the order of the payments.
    package func operations(of refund: RefundID) -> [Operation] {
        payments.flatMap(\.attempts).flatMap(\.operations).filter { $0.refund == refund }
    }

    /// What a refund has given back so far, in minor units.
    package func amountRefunded(by refund: RefundID) -> Int64 {
        payments.flatMap(\.attempts).reduce(0) { sum, attempt in sum + attempt.refunded { $0.refund == refund } }
    }

    /// What becomes of a refund: a pure function of its operations.
    package func status(of refund: Refund) -> Refund.Status {
        if operations(of: refund.id).contains(where: \.isOpen) { return .pending }
        let done = amountRefunded(by: refund.id)
        if done >= refund.amount { return .succeeded }
        return done > 0 ? .partiallySucceeded : .failed
    }

    /// What of a payment's sale is given back, by refunds and by voids of its captures, in minor units.
    package func saleGivenBack(of payment: Payment) -> Int64 {
        payment.attempts.reduce(0) { sum, attempt in sum + attempt.refunded { givesBackSale($0, of: payment) } }
    }

    /// Whether an operation gives back a sale, rather than undoing what was never sold.
    ///
    /// What somebody refunds in the PSP's dashboard of a payment that counts is a refund like one asked of us, unless it is of a
    /// second authorization, which sold nothing.
    func givesBackSale(_ operation: Operation, of payment: Payment) -> Bool {
        guard operation.refund == nil else { return true }
        guard operation.origin != .gateway, decision.state == .accepted, counts(payment) else { return false }
        return !payment.attempts.contains { $0.isSurplus && $0.operations.contains { $0.id == operation.id } }
    }

    /// Whether the marketplace bears what an operation gives back.
    func isBorneByMarketplace(_ operation: Operation) -> Bool {
        guard let id = operation.refund else { return false }
        return refunds.contains { $0.id == id && $0.borneBy == .marketplace }
    }
}

extension Payment {
    /// What the buyer's bank took back, in minor units: disputes that are open or lost.
    package var chargedBack: Int64 { disputes.reduce(0) { $0 + $1.chargedBack } }

    /// What can be asked to be given back: captured, less what is refunded, being refunded or charged back.
    package var refundable: Int64 { attempts.reduce(0) { $0 + refundable(of: $1) } }

    /// What can be asked to be captured.
    package var capturable: Int64 { attempt.capturable }

    /// What of an attempt came to be left since a refund came to nothing for want of it: what was captured since, and what
    /// disputes took that are won, and refunds of others that failed after all, all first heard of since it was asked for.
    ///
    /// - Parameters:
    ///   - attempt: the attempt.
    ///   - first: the first try of the refund.
    ///   - last: the one that came to nothing.
    /// - Returns: the amount, in minor units.
    func regained(of attempt: Attempt, since first: Operation, short last: Operation) -> Int64 {
        let won = disputes.reduce(Int64(0)) { sum, dispute in
            let isSince = dispute.attempt == attempt.id && dispute.heardAt >= first.createdAt
            return sum + (isSince && dispute.state == .won ? dispute.amount : 0)
        }
        let place = attempt.operations.firstIndex { $0.id == last.id } ?? 0
        let moment = max(last.repliedAt ?? last.createdAt, last.sentAt ?? last.createdAt)
        return attempt.operations.enumerated().reduce(won) { sum, entry in
            let (index, operation) = entry
            switch operation.kind {
            case .capture:
                guard operation.state == .succeeded, let end = operation.succeededAt,
                    end > moment || (end == moment && index > place)
                else { return sum }
                return sum + operation.doneAmount
            case .refund:
                let isOthers = operation.origin != .gateway && operation.createdAt >= first.createdAt
                return isOthers && operation.state.isReversed && !operation.isWithdrawn ? sum + operation.amount : sum
            case .authorize, .void, .reverse: return sum
            }
        }
    }

    /// What of an attempt can be given back.
    func refundable(of attempt: Attempt) -> Int64 {
        let claimed = PlantedBug.refundAboveCaptured.isPlanted ? attempt.openRefunds : 0
        return max(0, claimed - overrun(of: attempt))
    }

    /// By how much what is given back, being given back and charged back of an attempt exceeds what is captured;
    /// below zero, what is left.
    func overrun(of attempt: Attempt) -> Int64 {
        attempt.refunded + chargedBack(of: attempt) + attempt.openRefunds - attempt.captured
    }

    /// By how much it exceeds it although captures of which nobody knows yet may be what is charged back beyond it.
    func unexplainedOverrun(of attempt: Attempt) -> Int64 {
        let open = attempt.openOperations.reduce(0) { $0 + ($1.kind == .capture ? $1.amount : 0) }
        return overrun(of: attempt) - min(open, max(0, chargedBack(of: attempt) - attempt.captured))
    }

    private func chargedBack(of attempt: Attempt) -> Int64 {
        disputes.reduce(0) { $0 + ($1.attempt == attempt.id ? $1.chargedBack : 0) }
    }
}
