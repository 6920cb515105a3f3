import Domain
import StrictJSON
import WireFormats

/// Why a wallet token is refused: the check that failed, in the order the checks are made.
///
/// Nothing in it tells of key material, of the card or of the cryptogram.
package struct TokenRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The checks, in their order.
    package enum Stage: String, Sendable, CaseIterable {
        /// The token's outer form.
        case structure
        /// The signer's certificates, up to the pinned root.
        case certificateChain = "certificate_chain"
        /// The signature and what it covers.
        case signature
        /// When it was signed, against the window.
        case signingTime = "signing_time"
        /// Which of our keys it is encrypted for.
        case keySelection = "key_selection"
        /// Key agreement and authenticated decryption.
        case decryption
        /// What was encrypted.
        case payload
        /// Whether its transaction was used before.
        case replay
        /// Whether it says what the order says.
        case orderMismatch = "order_mismatch"
    }

    /// The check that failed.
    package let stage: Stage
    /// What failed, as a stable code in `snake_case`.
    package let code: String
    /// What failed and what to do about it, for an operator.
    package let detail: String

    /// Makes a refusal.
    package init(_ stage: Stage, _ code: String, _ detail: String) {
        self.stage = stage
        self.code = code
        self.detail = detail
    }

    /// Stage, code and detail in one line.
    package var description: String { "\(stage.rawValue): \(code): \(detail)" }
}

/// Reading what a wallet wrote: members it may add later are ignored, everything else is strict.
enum TolerantReading {
    /// How many places a refusal names at most.
    private static let placeLimit = 5

    /// Reads an object through `body`, which answers nil where something is wrong.
    ///
    /// - Throws: `TokenRefusal` of that stage and code, which names the members that are wrong but no value.
    static func read<Value>(
        _ json: JSON,
        _ stage: TokenRefusal.Stage,
        _ code: String,
        _ body: (ObjectReader) -> Value?
    ) throws(TokenRefusal) -> Value {
        let violations = Violations()
        let value = ObjectReader(json, into: violations, toleratesUnknown: true).flatMap(body)
        guard let value, violations.isEmpty else {
            let places = violations.all.prefix(placeLimit).map { violation in
                "\(violation.pointer.isEmpty ? "the document" : violation.pointer): \(violation.detail)"
            }
            throw TokenRefusal(stage, code, "it has not the form it should have: \(places.joined(separator: " "))")
        }
        return value
    }

    /// Reads text that holds an object.
    ///
    /// - Throws: `TokenRefusal` of that stage and code.
    static func read<Value>(
        text: String,
        _ stage: TokenRefusal.Stage,
        _ code: String,
        _ body: (ObjectReader) -> Value?
    ) throws(TokenRefusal) -> Value {
        let json: JSON
        do {
            json = try JSON.parse(text: text, depthLimit: GooglePayToken.depthLimit)
        } catch {
            throw TokenRefusal(stage, code, "it is not JSON: \(error)")
        }
        return try read(json, stage, code, body)
    }
}

extension ObjectReader {
    /// Bytes in padded Base64, at least one.
    func base64(_ key: String) -> [UInt8]? {
        parsed(key, expecting: "padded Base64") { Base64.decode(nonempty: $0) }
    }

    /// A moment as Google writes it: milliseconds since 1970 as decimal digits in a string.
    func moment(_ key: String, _ presence: Presence = .required) -> Timestamp? {
        parsed(key, presence, expecting: "milliseconds since 1970 in a string") { text in
            guard text.isDecimalDigits(1...15) else { return nil }
            return Int64(text).map { Timestamp(microseconds: 0).adding(milliseconds: $0) }
        }
    }
}

extension String {
    /// Whether it is that many characters from `0` to `9` and nothing else.
    func isDecimalDigits(_ count: ClosedRange<Int>) -> Bool {
        count.contains(utf8.count) && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
