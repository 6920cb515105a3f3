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

/// What pays, as Braintree shows it.
enum BraintreeMethodDocument {
    /// The card of a transaction.
    static func snapshot(_ command: AuthorizeCommand) -> JSON {
        [
            "__typename": "CreditCardTransactionDetails", "networkTransactionId": "020220321045623",
            "creditCard": card(command.method, command.details["origin"]),
        ]
    }

    /// The multi-use payment method of a transaction; null if it was a single-use one that did not go into the vault.
    static func vaulted(_ authorization: Authorization) -> JSON {
        let command = authorization.command
        if let id = command.details[BraintreeStored.nameDetail] {
            return method(id, isSingleUse: false, card(command.method, nil))
        }
        if command.details[StoredMethods.ownerDetail] != nil {
            guard authorization.authorized > 0 else { return .null }
            let id = BraintreeStored.name(of: authorization)
            return method(id, isSingleUse: false, card(command.method, command.details["origin"]))
        }
        guard case .token(let id) = command.method else { return .null }
        return method(id, isSingleUse: false, card(command.method, nil))
    }

    /// A payment method.
    static func method(_ id: String, isSingleUse: Bool, _ card: JSON) -> JSON {
        [
            "__typename": "PaymentMethod", "id": .string(id), "legacyId": .string(id),
            "usage": isSingleUse ? "SINGLE_USE" : "MULTI_USE", "details": card,
        ]
    }

    /// A card.
    ///
    /// - Parameters:
    ///   - method: what pays.
    ///   - origin: the wallet that a network token came from.
    /// - Returns: the object.
    static func card(_ method: PaymentMethod, _ origin: String?) -> JSON {
        var month: String?
        var year: String?
        if case .networkToken(let digest) = method {
            month = String(String(100 + digest.expiryMonth).dropFirst())
            year = String(digest.expiryYear)
        }
        let brand = method.network == "amex" ? "AMERICAN_EXPRESS" : method.network.uppercased()
        let from: JSON? = origin.map { ["__typename": "PaymentMethodOrigin", "type": .string($0)] }
        return [
            "__typename": "CreditCardDetails", "brandCode": .string(brand), "last4": .string(method.last4),
            "expirationMonth": .optional(month), "expirationYear": .optional(year), "origin": .optional(from),
        ]
    }
}
