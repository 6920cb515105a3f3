import StrictJSON

/// Payment methods that transactions left in the vault, and what pays without the buyer.
enum BraintreeStored {
    /// The detail of a transaction that names the payment method of the vault that paid.
    static let nameDetail = "vaulted"
    private static let prefix = "paymentmethod_cc_"

    /// What Braintree calls the payment method that a transaction left.
    static func name(of authorization: Authorization) -> String {
        prefix + authorization.id.dropFirst(Books.identifierPrefix.count)
    }

    /// What the books call the transaction that left the payment method of that name; nil if none did.
    static func firstPayment(_ name: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        let payment = Books.identifierPrefix + name.dropFirst(prefix.count)
        return PSPNumber(payment) == nil ? nil : payment
    }

    /// Whose a payment method becomes that goes into the vault; nil if it does not.
    static func owner(_ fields: JSON?) -> String? {
        guard fields?["vaultPaymentMethodAfterTransacting"]?["when"] != nil else { return nil }
        return fields?["customerId"]?.stringValue ?? "a new customer"
    }

    /// Whether the merchant initiates a transaction.
    static func isMerchants(_ fields: JSON?) -> Bool {
        ["INSTALLMENT", "RECURRING", "UNSCHEDULED"].contains(fields?["paymentInitiator"]?.stringValue)
    }

    /// Whether the payment method that a transaction left may pay for another one.
    ///
    /// - Throws: ``Refusal``.
    static func check(_ payment: Authorization?, for fields: JSON?, _ methods: StoredMethods) throws(Refusal) {
        guard methods.keeps(methodOf: payment) else { throw BraintreeVault.unknown }
        guard let customer = fields?["customerId"]?.stringValue else { return }
        guard methods.keeps(methodOf: payment, for: customer) else {
            throw BraintreeFault(
                "91516",
                "Cannot provide both payment method and customer unless the method belongs to the customer.",
                at: "input.transaction.customerId"
            ).refusal
        }
    }

    /// A transaction that the merchant initiates was to be paid with a single-use payment method, whose cryptogram is of the
    /// buyer's own payments, or with one that never paid.
    static let notVaulted = BraintreeFault(
        errorClass: "VALIDATION",
        inputPath: "input.transaction.paymentInitiator",
        message: "A transaction that the merchant initiates needs a payment method from the vault."
    ).refusal
}
