import StrictJSON

/// What pays, as `source` says it.
enum CheckoutSource {
    private static let common: Set<String> = [
        "account_holder", "billing_address", "phone", "store_for_future_use", "stored", "type",
    ]

    /// Reads the source: a token, a stored instrument or a network token.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in body: CheckoutBody) throws(Refusal) -> PaymentMethod {
        guard let source = body["source"] else {
            throw Refusal(422, "source_or_destination_required", "The source is required.")
        }
        switch source["type"]?.stringValue {
        case "token":
            let fields = try CheckoutBody(source, knowing: common.union(["token"]))
            guard let token = fields["token"] else { throw Refusal(422, "token_required", "The token is required.") }
            guard let text = token.stringValue, text.hasPrefix(TokenScript.prefix) else {
                throw Refusal(422, "token_invalid", "The token is invalid.")
            }
            return .token(text)
        case "id":
            let fields = try CheckoutBody(source, knowing: common.union(["cvv", "id", "payment_method"]))
            guard let id = fields["id"]?.stringValue else {
                throw Refusal(422, "source_id_required", "The source's identifier is required.")
            }
            guard id.hasPrefix("src_") else { throw Refusal(422, "source_id_invalid", "The source is invalid.") }
            return .token(TokenScript.prefix + id.dropFirst("src_".count))
        case "network_token":
            let fields = try CheckoutBody(
                source,
                knowing: common.union([
                    "cryptogram", "cvv", "eci", "expiry_month", "expiry_year", "name", "token", "token_type",
                ])
            )
            return .networkToken(try networkToken(fields, isMerchantInitiated: isMerchantInitiated(body, fields)))
        case nil: throw Refusal(422, "source_type_required", "The source's type is required.")
        default: throw Refusal(422, "source_invalid", "The source's type is not supported.")
        }
    }

    /// A cryptogram is of the buyer's own payments only.
    private static func isMerchantInitiated(_ body: CheckoutBody, _ fields: CheckoutBody) throws(Refusal) -> Bool {
        if try body.flag("merchant_initiated") == true { return true }
        return try fields.flag("stored") == true
    }

    private static func networkToken(
        _ fields: CheckoutBody,
        isMerchantInitiated: Bool
    ) throws(Refusal) -> NetworkTokenDigest {
        guard let type = fields["token_type"] else {
            throw Refusal(422, "source_token_type_required", "The network token's type is required.")
        }
        guard ["applepay", "googlepay", "mdes", "vts"].contains(type.stringValue) else {
            throw Refusal(422, "source_token_type_invalid", "The network token's type is invalid.")
        }
        let month = try number(fields, "expiry_month", in: 1...12)
        let year = try number(fields, "expiry_year", in: 2000...2100)
        let cryptogram = try fields.text("cryptogram", limit: 50)
        guard cryptogram?.isEmpty == false || isMerchantInitiated else {
            throw Refusal(422, "parameter_invalid", "The cryptogram is required.")
        }
        _ = try fields.text("eci", limit: 2)
        guard let token = fields["token"] else {
            throw Refusal(422, "source_token_required", "The network token is required.")
        }
        let text = token.stringValue ?? ""
        guard let digest = NetworkTokenDigest(number: text, expiryMonth: month, expiryYear: year) else {
            throw Refusal(422, "source_token_invalid", "The network token is invalid.")
        }
        return digest
    }

    /// A part of the expiry; the page of pre-decrypted tokens writes it as text, the API reference as a number.
    private static func number(
        _ fields: CheckoutBody,
        _ name: String,
        in range: ClosedRange<Int64>
    ) throws(Refusal) -> Int64 {
        guard let value = fields[name] else { throw Refusal(422, "card_\(name)_required", "\(name) is required.") }
        guard let number = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }), range ~= number else {
            throw Refusal(422, "card_\(name)_invalid", "\(name) is invalid.")
        }
        return number
    }
}
