/// What pays, as far as the books keep it: of a network token only the last four digits.
package enum PaymentMethod: Hashable, Sendable {
    /// One of the simulator's own tokens.
    case token(String)
    /// A network token.
    case networkToken(NetworkTokenDigest)

    /// What the method tells the simulator to do with an authorization of `amount`.
    ///
    /// - Throws: ``TokenRefusal`` if it is a token that says nothing.
    package func script(amount: Int64) throws(TokenRefusal) -> TokenScript {
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
