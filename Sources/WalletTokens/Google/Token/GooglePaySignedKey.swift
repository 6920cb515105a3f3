import StrictJSON
import WireFormats

/// An intermediate signing key as it arrives: the text that root keys signed, and their signatures.
struct GooglePaySignedKey {
    /// The most signatures that are tried; Google sends one, and two while it changes its root.
    private static let signatureLimit = 8

    /// The key and its expiry whose bytes are signed: JSON in a string.
    let signedKey: String
    /// The signatures, in DER; one that verifies is enough.
    let signatures: [[UInt8]]

    /// Reads the token's `intermediateSigningKey`.
    init?(_ object: ObjectReader) {
        let signatures = object.strings(
            "signatures",
            count: 1...Self.signatureLimit,
            expecting: "padded Base64"
        ) { Base64.decode(nonempty: $0) }
        guard let signedKey = object.string("signedKey", length: 1...GooglePayToken.lengthLimit), let signatures else {
            return nil
        }
        self.signedKey = signedKey
        self.signatures = signatures
    }
}
