import StrictJSON

/// What pays, as `payment` says it.
enum AuthorizeNetPayment {
    /// Reads what pays for a new transaction.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in transaction: JSON) throws(Refusal) -> PaymentMethod {
        if transaction["profile"] != nil { throw Refusal(400, "E00040", "The record cannot be found.") }
        guard let payment = transaction["payment"], let kind = payment.objectValue?.first else {
            throw Refusal(400, "33", "Credit card number is required.")
        }
        switch kind.key {
        case "creditCard": return .networkToken(try card(kind.value))
        case "opaqueData": return try opaqueData(kind.value)
        case "bankAccount": throw Refusal(400, "18", "ACH transactions are not accepted by this merchant.")
        case "payPal": throw Refusal(400, "2001", "PayPal transactions are not accepted by this merchant.")
        default: throw Refusal(400, "87", "Transactions of this market type cannot be processed on this system.")
        }
    }

    /// What of `payment` tells one payment from another; a new cryptogram makes no new one.
    static func identity(_ transaction: JSON) -> JSON {
        guard let payment = transaction["payment"] else { return .null }
        let card = payment["creditCard"]
        return [
            .optional(card?.filled("cardNumber")), .optional(card?.filled("expirationDate")),
            .optional(payment["opaqueData"]?.filled("dataValue")),
        ]
    }

    /// A nonce of Accept, or a wallet's data in base 64.
    private static func opaqueData(_ data: JSON) throws(Refusal) -> PaymentMethod {
        let value = data.filled("dataValue") ?? ""
        switch data.filled("dataDescriptor") {
        case "COMMON.ACCEPT.INAPP.PAYMENT": return .token(value)
        case "COMMON.APPLE.INAPP.PAYMENT", "COMMON.GOOGLE.INAPP.PAYMENT":
            guard let bytes = Base64.decode(value), let wallet = try? JSON.parse(bytes),
                let method = WalletData.method(wallet)
            else { throw unusable }
            return method
        default: throw unusable
        }
    }

    /// A card's number, or a network token's with its cryptogram.
    private static func card(_ card: JSON) throws(Refusal) -> NetworkTokenDigest {
        guard card.isTrue("isPaymentToken") == (card.filled("cryptogram") != nil) else { throw unusable }
        guard let (month, year) = expiry(card.filled("expirationDate") ?? "") else {
            throw Refusal(400, "7", "Credit card expiration date is invalid.")
        }
        let number = card.filled("cardNumber") ?? ""
        guard number.utf8.count >= 13,
            let digest = NetworkTokenDigest(number: number, expiryMonth: month, expiryYear: year)
        else { throw Refusal(400, "6", "The credit card number is invalid.") }
        return digest
    }

    /// Month and year of `YYYY-MM`, `MM/YYYY`, `MM/YY` and the like, or without the sign between them.
    private static func expiry(_ text: String) -> (month: Int64, year: Int64)? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
        let isYearFirst = parts.count == 2 && parts[0].utf8.count == 4
        let month: Substring
        let year: Substring
        switch (parts.count, isYearFirst) {
        case (2, true): (year, month) = (parts[0], parts[1])
        case (2, false): (month, year) = (parts[0], parts[1])
        case (1, _) where text.utf8.count == 4 || text.utf8.count == 6:
            (month, year) = (text.prefix(2), text.dropFirst(2))
        default: return nil
        }
        guard (month + year).utf8.allSatisfy({ (0x30...0x39).contains($0) }), let monthNumber = Int64(month),
            1...12 ~= monthNumber, let yearNumber = Int64(year)
        else { return nil }
        switch year.utf8.count {
        case 2: return (monthNumber, 2000 + yearNumber)
        case 4 where 2000...2100 ~= yearNumber: return (monthNumber, yearNumber)
        default: return nil
        }
    }

    private static let unusable = Refusal(400, "153", "There was an error processing the payment data.")
}

extension JSON {
    /// Whether a boolean element is there and true.
    func isTrue(_ name: String) -> Bool { ["true", "1"].contains(self[name]?.elementText) }
}
