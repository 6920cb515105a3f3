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
