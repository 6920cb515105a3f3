import COpenSSL

/// A cipher that OpenSSL looked up once, for looking it up takes longer than decrypting a token; never freed.
///
/// OpenSSL lets threads share what it looked up: hence the unchecked conformance.
@safe
final class Cipher: @unchecked Sendable {
    /// AES in Galois/counter mode, by the length of the key in bytes.
    static let gcm: [Int: Cipher] = [16: "AES-128-GCM", 24: "AES-192-GCM", 32: "AES-256-GCM"]
        .compactMapValues(Cipher.init(name:))

    let pointer: OpaquePointer

    private init?(name: String) {
        guard let pointer = unsafe EVP_CIPHER_fetch(nil, name, nil) else { return nil }
        unsafe self.pointer = pointer
    }
}
