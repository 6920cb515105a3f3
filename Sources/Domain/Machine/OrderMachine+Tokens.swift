extension OrderMachine {
    /// Writes down what of a wallet token pays a payment, and why it was chosen.
    ///
    /// To be called once the order is placed, before it is stored.
    package mutating func tell(of token: [OrderEvent.Detail], for payment: PaymentID) {
        emit("payment.token_opened", of: payment, details: token)
    }
}
