extension OrderMachine {
    /// Hears from the buyer's side that the step is done: the authorization is asked after at once.
    ///
    /// - Throws: ``RequestRefusal`` unless the payment waits for the buyer.
    package mutating func complete(_ payment: PaymentID) throws(RequestRefusal) {
        guard let found = order.payments.first(where: { $0.id == payment }) else {
            throw RequestRefusal(.unknownPayment, "The order has no such payment.", payment: payment)
        }
        guard found.state == .requiresAction else {
            throw RequestRefusal(.actionNotRequired, "The payment is \(found.state.rawValue).", payment: payment)
        }
        let authorization = found.attempt.authorization.id
        change(authorization) { [now] in
            $0.dueAt = now
            $0.leasedBy = nil
        }
        emit("payment.action_completed", of: payment, operation: authorization)
    }
}
