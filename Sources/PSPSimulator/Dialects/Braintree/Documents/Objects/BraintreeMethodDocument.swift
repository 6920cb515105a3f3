import StrictJSON

/// What pays, as Braintree shows it.
enum BraintreeMethodDocument {
    /// The card of a transaction.
    static func snapshot(_ command: AuthorizeCommand) -> JSON {
        [
            "__typename": "CreditCardTransactionDetails", "creditCard": card(command.method, command.details["origin"]),
        ]
    }

    /// The multi-use payment method of a transaction; null if it was a single-use one.
    static func vaulted(_ command: AuthorizeCommand) -> JSON {
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
