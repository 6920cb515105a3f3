/// The parts of the rules that look at what is claimed of a payment.
enum ClaimRules {
    /// Whether captured, released, being captured and being released come to more than was authorized.
    ///
    /// What the PSP released by itself, or as an operator found, is left out: it may do so while a capture of ours is on
    /// its way. So is a capture that a refund implies, which may be that one.
    static func exceedAuthorized(_ attempt: Attempt) -> Bool {
        let authorization = attempt.authorization
        let authorized = authorization.state == .succeeded ? authorization.doneAmount : authorization.amount
        var (captured, capturing): (Int64, Int64) = (0, 0)
        for operation in attempt.operations
        where operation.kind == .capture && !operation.isImplied(after: authorization) {
            captured += operation.doneAmount
            capturing += operation.isOpen ? operation.amount : 0
        }
        let voids = attempt.all(.void).filter { $0.origin == .gateway }
        let released =
            voids.contains { $0.state == .succeeded }
            ? attempt.released : voids.contains(where: \.isOpen) ? attempt.held : 0
        return captured + capturing + released > authorized
    }

    /// Whether operations of a payment belong to no refund of it, or ask for more than their refund does.
    static func hasWrongRefund(_ payment: Payment, in order: Order) -> Bool {
        payment.attempts.flatMap(\.operations).contains { operation in
            guard let id = operation.refund else { return false }
            let item = order.refunds.first { $0.id == id }?.items.first { $0.payment == payment.id }
            return !operation.givesBack || operation.amount > item?.amount ?? 0
        }
    }

    /// Whether a dispute is of no attempt of the payment, below zero, or kept twice.
    static func hasWrongDispute(_ payment: Payment) -> Bool {
        let names = payment.disputes.map { [$0.attempt.text, $0.reference] }
        return Set(names).count != names.count
            || payment.disputes.contains { dispute in
                dispute.amount < 0 || !payment.attempts.contains { $0.id == dispute.attempt }
            }
    }
}
