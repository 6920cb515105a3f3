import StrictJSON

/// Tokens, which are made for a payment that follows, under the public key.
///
/// They are not kept: their names say what they stand for.
enum CheckoutTokens {
    /// How long a token may be used, in milliseconds: 15 minutes.
    private static let life: Int64 = 15 * 60_000

    /// `POST /tokens` with the encrypted data of Apple Pay or Google Pay.
    static func create(_ request: PSPRequest) throws(Refusal) -> Ask {
        try CheckoutRequester.checkPublicKey(request)
        let body = try CheckoutBody(request, knowing: ["token_data", "type"])
        guard let type = body["type"] else { throw Refusal(422, "token_type_required", "The type is required.") }
        let names: [String]
        switch type.stringValue {
        case "applepay": names = ["version", "data", "signature"]
        case "googlepay": names = ["protocolVersion", "signature", "signedMessage"]
        default: throw Refusal(422, "token_type_invalid", "The type is not supported.")
        }
        guard let data = body["token_data"], names.allSatisfy({ data[$0]?.stringValue?.isEmpty == false }),
            type != "applepay" || isHeader(data["header"]), case .token(let token)? = WalletData.method(data)
        else { throw Refusal(422, "token_data_invalid", "The wallet's data is invalid.") }
        return .answer(CheckoutReply.reply(201, document(token, type)))
    }

    /// Apple Pay's header: an ephemeral key, or a wrapped one where RSA is used.
    private static func isHeader(_ header: JSON?) -> Bool {
        guard let header, let fields = header.objectValue else { return false }
        let isText = fields.allSatisfy { $0.value.stringValue?.isEmpty == false }
        let hasKey = header["ephemeralPublicKey"] != nil || header["wrappedKey"] != nil
        return isText && hasKey && header["publicKeyHash"] != nil && header["transactionId"] != nil
    }

    private static func document(_ token: String, _ type: JSON) -> JSON {
        let end = SimulatorServer.systemClock() + life
        return [
            "type": type, "token": .string(token), "expires_on": CheckoutDocument.moment(end), "expiry_month": 12,
            "expiry_year": 2031, "scheme": "Visa", "last4": "4242", "bin": "424242", "card_type": "CREDIT",
            "card_category": "CONSUMER", "token_format": "dpan",
        ]
    }
}
