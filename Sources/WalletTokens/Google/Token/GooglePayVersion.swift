/// The signing and encryption schemes of Google Pay tokens that are accepted (Google, "Payment data cryptography for
/// merchants": `protocolVersion`).
package enum GooglePayVersion: String, Sendable, CaseIterable {
    /// Signed by a root key itself; AES-128.
    case ecV1 = "ECv1"
    /// Signed by an intermediate key that a root key signed; AES-256.
    case ecV2 = "ECv2"

    /// How long the encryption key is, and the authentication key as well, in bytes.
    var keyLength: Int {
        switch self {
        case .ecV1: 16
        case .ecV2: 32
        }
    }
}
