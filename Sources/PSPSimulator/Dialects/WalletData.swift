import StrictJSON

/// What a wallet's encrypted data stands for.
///
/// The simulator has no merchant's key and opens nothing. The data of a test may instead be a token of the simulator
/// in base 64; any other data approves.
enum WalletData {
    /// What the wallet's JSON stands for: Apple Pay's `paymentData` with `data`, or Google Pay's `signedMessage` with
    /// `encryptedMessage`; nil if it is neither.
    static func method(_ wallet: JSON) -> PaymentMethod? {
        if let data = wallet["data"]?.stringValue { return method(data: data) }
        guard let message = wallet["signedMessage"]?.stringValue.flatMap({ try? JSON.parse(text: $0) }),
            let data = message["encryptedMessage"]?.stringValue
        else { return nil }
        return method(data: data)
    }

    private static func method(data: String) -> PaymentMethod {
        let text = Base64.decode(data).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return .token(text.hasPrefix(TokenScript.prefix) ? text : TokenScript.approval.text)
    }
}
