/// Why bytes are not taken as a private key.
///
/// Says nothing of the bytes.
package enum KeyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no private key in the bytes that OpenSSL can read.
    case unreadable
    /// The private key is encrypted under a passphrase.
    case encrypted
    /// The public key beside the private key is another one's.
    case inconsistent

    /// The reason in words.
    package var description: String {
        switch self {
        case .unreadable: "there is no private key that can be read in PEM or DER"
        case .encrypted: "the private key is encrypted; decrypt it with `openssl pkey`"
        case .inconsistent: "the private key and the public key beside it do not belong together"
        }
    }
}
