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

    /// Whether an operation gives back a sale, rather than undoing what was never sold.
    ///
    /// What somebody refunds in the PSP's dashboard of a payment that counts is a refund like one asked of us.
    func givesBackSale(_ operation: Operation, of payment: Payment) -> Bool {
        operation.refund != nil || (operation.origin != .gateway && decision.state == .accepted && counts(payment))
    }

    /// Whether the marketplace bears what an operation gives back.
    func isBorneByMarketplace(_ operation: Operation) -> Bool {
        guard let id = operation.refund else { return false }
        return refunds.contains { $0.id == id && $0.borneBy == .marketplace }
    }
}
