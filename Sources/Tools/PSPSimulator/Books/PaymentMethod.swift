/// What pays, as far as the books keep it: of a network token only the last four digits.
package enum PaymentMethod: Hashable, Sendable {
    /// One of the simulator's own tokens.
    case token(String)
    /// A network token.
    case networkToken(NetworkTokenDigest)

    /// What the method tells the simulator to do with an authorization of `amount`.
    ///
    /// - Throws: ``TokenScriptError`` if it is a token that says nothing.
    package func script(amount: Int64) throws(TokenScriptError) -> TokenScript {
        switch self {
        case .token(AmountTable.token): try TokenScript(AmountTable.token(forCode: amount))
        case .token(let text): try TokenScript(text)
        case .networkToken(let digest):
            if let code = digest.triggerCode { try TokenScript(AmountTable.token(forCode: code)) } else { .approval }
        }
    }

    /// The last four digits that a reply shows.
    package var last4: String {
        switch self {
        case .token: "4242"
        case .networkToken(let digest): digest.last4
        }
    }

    /// The card network that a reply shows.
    package var network: String {
        switch self {
        case .token: "visa"
        case .networkToken(let digest): digest.network
        }
    }
}

/// What is kept of a network token; number and cryptogram are forgotten as they are read.
package struct NetworkTokenDigest: Hashable, Sendable {
    /// The last four digits of the number.
    package let last4: String
    /// The card network that the number's first digits name.
    package let network: String
    /// The trigger that the number asks for, if it begins with ``AmountTable/numberPrefix``.
    package let triggerCode: Int64?
    /// The expiry month, 1 to 12.
    package let expiryMonth: Int64
    /// The expiry year, four digits.
    package let expiryYear: Int64

    /// Digests a number; nil unless it has 12 to 19 digits.
    package init?(number: String, expiryMonth: Int64, expiryYear: Int64) {
        guard (12...19).contains(number.utf8.count), number.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        last4 = String(number.suffix(4))
        network = Self.network(of: number)
        triggerCode = number.hasPrefix(AmountTable.numberPrefix) ? Int64(number.suffix(3)) : nil
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
    }

    /// Restores a digest that was kept.
    init(last4: String, network: String, triggerCode: Int64?, expiryMonth: Int64, expiryYear: Int64) {
        self.last4 = last4
        self.network = network
        self.triggerCode = triggerCode
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
    }

    private static func network(of number: String) -> String {
        switch number.first {
        case "2", "5": "mastercard"
        case "3": "amex"
        case "4": "visa"
        case "6": "discover"
        default: "unknown"
        }
    }
}
