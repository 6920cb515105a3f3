import Domain
import StrictJSON

/// What is read of every wallet's tokens alike, and shown of the cards in them.
enum TokenText {
    /// The longest token that is read, in bytes; real ones have about four thousand.
    static let lengthLimit = 65_536

    /// Reads the bytes of a document.
    ///
    /// - Throws: `TokenRefusal` with `token_too_long` or `malformed_token`.
    static func parse(_ bytes: [UInt8], depthLimit: Int) throws(TokenRefusal) -> JSON {
        guard bytes.count <= lengthLimit else {
            throw TokenRefusal(.structure, "token_too_long", "a token has at most \(lengthLimit) bytes")
        }
        do {
            return try JSON.parse(bytes, depthLimit: depthLimit)
        } catch {
            throw TokenRefusal(.structure, "malformed_token", "the token is not JSON: \(error)")
        }
    }

    /// A card number's first six and last four digits; the others are asterisks.
    static func masked(_ number: Secret) -> String {
        let digits = number.reveal()
        return digits.prefix(6) + String(repeating: "*", count: max(0, digits.count - 10)) + digits.suffix(4)
    }
}
