import Crypto

/// The signatures of Google Pay tokens: ECDSA over P-256 with SHA-256, in DER (Google, "Payment data cryptography for
/// merchants").
enum GooglePaySignature {
    /// Who signs.
    private static let sender = "Google"

    /// Whether one of the signatures over the fields is by one of the keys.
    static func isValid(
        _ signatures: [[UInt8]],
        over fields: [String],
        byAnyOf keys: [P256.Signing.PublicKey]
    ) -> Bool {
        let bytes = signedBytes([sender] + fields)
        let readable = signatures.compactMap { try? P256.Signing.ECDSASignature(derRepresentation: $0) }
        return readable.contains { signature in keys.contains { $0.isValidSignature(signature, for: bytes) } }
    }

    /// The fields one behind the other, each after its length in bytes as 32 bits, least significant byte first.
    static func signedBytes(_ fields: [String]) -> [UInt8] {
        fields.flatMap { field -> [UInt8] in
            let length = UInt32(field.utf8.count)
            return (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + field.utf8
        }
    }
}
