import StrictJSON
import WireFormats

/// Where something stands in the books, for PSPs whose identifiers look different from the books' own.
///
/// The books' identifiers are `auth_<instance>_<n>` and, of operations, `cap_<instance>_<n>_<k>` and the like.
package struct PSPNumber: Hashable, Sendable {
    /// What tells these books from others; lower-case letters and digits.
    package let instance: String
    /// Which authorization, from 1.
    package let authorization: Int
    /// Which of its operations, from 1; nil for the authorization itself.
    package let operation: Int?

    /// Names something.
    package init(instance: String, authorization: Int, operation: Int? = nil) {
        self.instance = instance
        self.authorization = authorization
        self.operation = operation
    }

    /// Reads one of the books' identifiers; nil if it is none.
    package init?(_ identifier: String) {
        let parts = identifier.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 4, let authorization = Int(parts[2]) else { return nil }
        instance = String(parts[1])
        self.authorization = authorization
        operation = parts.count == 4 ? Int(parts[3]) : nil
        if parts.count == 4, operation == nil { return nil }
    }

    /// The books' identifier of the authorization.
    package var authorizationIdentifier: String { "\(Books.identifierPrefix)\(instance)_\(authorization)" }

    /// What follows the prefix in the books' identifiers: `<instance>_<n>`, and `_<k>` of an operation.
    package var suffix: String { "\(instance)_\(authorization)" + (operation.map { "_\($0)" } ?? "") }
}

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
