/// What pays, as `source_id` says it.
///
/// Square takes tokens of its own software in the buyer's browser or phone, and neither cards nor wallets' data.
struct SquareSource: Sendable {
    /// What a payment may do with its source.
    struct Terms: Sendable {
        /// In minor units, with the tip.
        var total: Int64
        /// Whether a part of the total may be approved.
        var takesPart: Bool
        /// Whether a part of the total is for somebody else than the seller: a tip or the developer's fee.
        var isShared: Bool
        /// Whether the buyer has been authenticated (3-D Secure), as a token says.
        var isVerified: Bool
        /// How long the payment is held, in milliseconds; nil for Square's 7 days.
        var life: Int64?
    }

    /// The name under which the details keep the code of a decline that the books have no word for.
    static let declineDetail = "decline"
    /// The name under which the details keep what a gift card would still have paid.
    static let balanceDetail = "gift_card_balance"

    /// The simulator's token.
    let token: String
    /// What to keep with the payment.
    let details: [String: String]

    /// Square's tokens of the sandbox, and the code of their decline (developer.squareup.com/docs/devtools/sandbox/
    /// payments, read 2026).
    private static let sandbox: [String: (token: String, code: String?)] = [
        "card-nonce-ok": ("tok_approve", nil), "card-nonce-declined": ("tok_decline_generic", nil),
        "card-nonce-rejected-cvv": ("tok_decline_generic", "CVV_FAILURE"),
        "card-nonce-rejected-postalcode": ("tok_decline_generic", "ADDRESS_VERIFICATION_FAILURE"),
        "card-nonce-rejected-expiration": ("tok_decline_invalid_card", "INVALID_EXPIRATION"),
    ]

    /// Reads a source.
    ///
    /// - Throws: ``Refusal`` that does not repeat it.
    init(_ source: String, customer: String?, _ terms: Terms) throws(Refusal) {
        let (token, code) = try Self.token(source, customer: customer)
        let script: TokenScript
        do throws(TokenRefusal) {
            script = try PaymentMethod.token(token).script(amount: terms.total)
        } catch {
            throw .token(error)
        }
        var details: [String: String] = [:]
        details[Self.declineDetail] = code
        switch script.effect(of: .authorize) {
        case .requireAction:
            self.token = Self.script(script, terms.isVerified ? "approve" : "decline_authentication_required")
        case .approvePartly where !terms.takesPart || terms.isShared:
            self.token = Self.script(script, "decline_insufficient_funds")
            details[Self.balanceDetail] = String(max(1, terms.total / 2))
        case .approve:
            self.token = terms.life.map { Self.script(script, "lapse_\($0)") } ?? token
        default: self.token = token
        }
        self.details = details
    }

    private static func token(_ source: String, customer: String?) throws(Refusal) -> (String, String?) {
        if source.hasPrefix(TokenScript.prefix) { return (source, nil) }
        let parts = source.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw unsupported(source) }
        switch parts[0] {
        case "cnon", "wnon": break
        case "ccof":
            guard customer != nil else {
                throw SquareError.refusal(
                    "MISSING_REQUIRED_PARAMETER",
                    field: "customer_id",
                    "The customer_id is required if the source_id is a card on file."
                )
            }
        default: throw unsupported(source)
        }
        if parts[1].hasPrefix(TokenScript.prefix) { return (parts[1], nil) }
        if parts[1] == "card-nonce-already-used" {
            throw SquareError.refusal("CARD_TOKEN_USED", field: "source_id", "Card nonce already used.")
        }
        guard let known = sandbox[parts[1]] else { throw .token(.notAToken) }
        return known
    }

    private static func unsupported(_ source: String) -> Refusal {
        let isKnown = ["CASH", "EXTERNAL"].contains(source) || source.hasPrefix("bnon:")
        guard isKnown else { return .token(.notAToken) }
        return SquareError.refusal("UNSUPPORTED_SOURCE_TYPE", field: "source_id", "The source type is not supported.")
    }

    /// The token with another effect on the authorization.
    private static func script(_ script: TokenScript, _ word: String) -> String {
        var parts = script.text.dropFirst(TokenScript.prefix.count).split(separator: "+").map(String.init)
        let own = "\(OperationKind.authorize.rawValue)_"
        let effect = parts.indices.first { index in
            guard index == 0 || parts[index].hasPrefix(own) else { return false }
            let part = String(index == 0 ? parts[0][...] : parts[index].dropFirst(own.count))
            guard let alone = try? TokenScript(TokenScript.prefix + part) else { return false }
            return part == "approve" || alone.effect(of: .authorize) != .approve
        }
        if let effect {
            parts[effect] = (effect == 0 ? "" : own) + word
        } else {
            parts.append(own + word)
        }
        return TokenScript.prefix + parts.joined(separator: "+")
    }
}
