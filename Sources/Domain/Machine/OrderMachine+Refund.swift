extension OrderMachine {
    /// Gives back money of an accepted order: all that is left, an amount, or amounts of payments.
    ///
    /// - Throws: ``RequestRefusal``; then nothing is given back.
    /// - Returns: the refund, whose operations are on their way.
    @discardableResult
    package mutating func refund(_ request: RefundRequest) throws(RequestRefusal) -> Refund {
        guard order.decision.state == .accepted else {
            throw RequestRefusal(
                .notRefundable,
                "Only an accepted order is refunded on request; this one is \(order.status)."
            )
        }
        let items = try items(of: request.share)
        let refund = Refund(
            id: ids.make(at: now),
            items: items,
            borneBy: request.borneBy,
            reason: request.reason,
            createdAt: now
        )
        let before = order.status
        order.refunds.append(refund)
        emit(
            "order.refund_requested",
            details: [
                .init("refund", .text(refund.id.text)), .init("amount", .integer(refund.amount)),
                .init("borne_by", .text(refund.borneBy.rawValue)), .init("reason", .text(refund.reason)),
                .init("payments", .list(items.map(\.payment.text))),
            ]
        )
        for item in items { start(item, of: refund) }
        decideAndFollowUp(from: before)
        return refund
    }

    private func items(of share: RefundRequest.Share) throws(RequestRefusal) -> [Refund.Item] {
        let captured = order.payments.filter { order.counts($0) && $0.captured > 0 }
        guard !captured.isEmpty else {
            throw RequestRefusal(.notRefundable, "Nothing is captured.", available: 0)
        }
        let left = captured.reduce(0) { $0 + $1.refundable }
        switch share {
        case .items(let items): return try checked(items)
        case .amount(let amount):
            guard captured.count == 1 else {
                throw RequestRefusal(
                    .allocationRequired,
                    "The order has \(captured.count) captured payments: name amounts, or allocate in proportion.",
                    available: left
                )
            }
            return try checked([Refund.Item(payment: captured[0].id, amount: amount)])
        case .proportional(let amount):
            guard amount > 0 else { throw RequestRefusal(.invalidAmount, "An amount is above zero.", available: left) }
            guard amount <= left else { throw Self.exceeding(left) }
            return Self.items(of: captured, LargestRemainder.allocate(amount, by: captured.map(\.refundable)))
        case .all:
            guard left > 0 else { throw Self.exceeding(0) }
            return Self.items(of: captured, captured.map(\.refundable))
        }
    }

    private func checked(_ items: [Refund.Item]) throws(RequestRefusal) -> [Refund.Item] {
        guard !items.isEmpty else { throw RequestRefusal(.invalidAmount, "No payment is named.") }
        for (index, item) in items.enumerated() {
            let payment = try payment(item.payment, besides: items[..<index].map(\.payment))
            guard order.counts(payment), payment.captured > 0 else {
                let state = payment.state.rawValue
                throw RequestRefusal(.notRefundable, "The payment is \(state).", payment: payment.id, available: 0)
            }
            let left = payment.refundable
            guard item.amount > 0 else {
                throw RequestRefusal(.invalidAmount, "An amount is above zero.", payment: payment.id, available: left)
            }
            guard item.amount <= left else { throw Self.exceeding(left, payment.id) }
        }
        return items
    }

    private static func items(of payments: [Payment], _ amounts: [Int64]) -> [Refund.Item] {
        zip(payments, amounts).filter { $1 > 0 }.map { Refund.Item(payment: $0.id, amount: $1) }
    }

    private static func exceeding(_ left: Int64, _ payment: PaymentID? = nil) -> RequestRefusal {
        RequestRefusal(
            .refundExceedsCaptured,
            "\(left) of the captured amount can be refunded.",
            payment: payment,
            available: left
        )
    }

    /// Starts the operations of an item: one for each attempt that has something of it, the sale's first.
    private mutating func start(_ item: Refund.Item, of refund: Refund) {
        guard let payment = order.payments.first(where: { $0.id == item.payment }) else { return }
        var left = item.amount
        for attempt in payment.attemptsBySale {
            let amount = min(left, payment.refundable(of: attempt))
            guard amount > 0 else { continue }
            start(PlannedOperation(kind: .refund, amount: amount, refund: refund.id), in: attempt, of: payment)
            left -= amount
        }
    }
}
