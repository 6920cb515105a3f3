import StrictJSON

/// What pays, as `paymentMethod` and `mpiData` say it.
enum AdyenMethod {
    /// Reads the payment method.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    static func method(in body: AdyenBody) throws(Refusal) -> PaymentMethod {
        guard let method = body.json["paymentMethod"], method.objectValue != nil else {
            throw Refusal(422, "14_0407", "Missing payment method details")
        }
        if let token = method["storedPaymentMethodId"]?.stringValue { return .token(token) }
        switch method["type"]?.stringValue {
        case "applepay":
            let data = method["applePayToken"]?.stringValue.flatMap(Base64.decode)
            guard let data, let wallet = try? JSON.parse(data), let found = WalletData.method(wallet) else {
                throw .invalid("Invalid applePayToken.")
            }
            return found
        case "googlepay":
            guard let text = method["googlePayToken"]?.stringValue, let wallet = try? JSON.parse(text: text),
                let found = WalletData.method(wallet)
            else { throw .invalid("Invalid googlePayToken.") }
            return found
        case "scheme": return .networkToken(try networkToken(method, body, cryptogram: "cavv"))
        case "networkToken":
            return .networkToken(try networkToken(method, body, cryptogram: "tokenAuthenticationVerificationValue"))
        default: throw Refusal(422, "14_0407", "Missing or unsupported payment method type")
        }
    }

    private static func networkToken(
        _ method: JSON,
        _ body: AdyenBody,
        cryptogram: String
    ) throws(Refusal) -> NetworkTokenDigest {
        guard let month = method["expiryMonth"]?.stringValue, month.utf8.count <= 2, let monthNumber = Int64(month),
            1...12 ~= monthNumber
        else { throw Refusal(422, "140", "Expiry month should be between 1 and 12 inclusive") }
        guard let year = method["expiryYear"]?.stringValue, year.utf8.count == 4, let yearNumber = Int64(year) else {
            throw Refusal(422, "141", "Expiry year should be a 4 digit number greater than 2000")
        }
        guard let code = body.json["mpiData"]?[cryptogram]?.stringValue, Base64.decode(code)?.isEmpty == false else {
            throw .invalid("Required field 'mpiData.\(cryptogram)' is not base 64.")
        }
        let number = method["number"]?.stringValue ?? ""
        guard let digest = NetworkTokenDigest(number: number, expiryMonth: monthNumber, expiryYear: yearNumber) else {
            throw Refusal(422, "101", "Invalid card number")
        }
        return digest
    }
}
