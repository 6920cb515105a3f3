import COpenSSL

/// A public key; immutable.
///
/// OpenSSL lets threads share a key that nobody changes, and nothing here changes it: hence the unchecked conformance.
@safe
package final class PublicKey: @unchecked Sendable {
    /// What kind of key it is.
    package let kind: KeyKind
    let pointer: OpaquePointer

    /// Reads SubjectPublicKeyInfo in DER, with nothing behind it.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package convenience init(der bytes: [UInt8]) throws(OpenSSLFailure) {
        guard let (pointer, count) = unsafe Encoding.decode(bytes, { unsafe d2i_PUBKEY(nil, $0, $1) }) else {
            throw .drained()
        }
        unsafe self.init(owning: pointer)
        guard count == bytes.count else { throw OpenSSLFailure(reasons: ["something follows the public key"]) }
    }

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        kind = unsafe KeyKind(pointer)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The key as SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), in DER.
    package var subjectPublicKeyInfo: [UInt8] { unsafe Encoding.encode { unsafe i2d_PUBKEY(pointer, $0) } ?? [] }

    /// Whether `signature` is one over bytes with this SHA-256 digest: ECDSA in DER, or RSA as PKCS #1 v1.5.
    package func isValid(_ signature: [UInt8], forSHA256 digest: [UInt8]) -> Bool {
        guard digest.count == 32, let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return false }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_verify_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1
        else {
            ERR_clear_error()
            return false
        }
        let isValid = unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
        if !isValid { ERR_clear_error() }
        return isValid
    }
}

/// The kinds of keys.
package enum KeyKind: Hashable, Sendable {
    /// An elliptic curve key on P-256.
    case p256
    /// An elliptic curve key on P-384.
    case p384
    /// An RSA key with a modulus of so many bits.
    case rsa(bits: Int)
    /// Any other key.
    case other

    @unsafe
    init(_ key: OpaquePointer) {
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            self = .rsa(bits: Int(unsafe EVP_PKEY_get_bits(key)))
            return
        }
        var name = [CChar](repeating: 0, count: 80)
        var length = 0
        let isNamed = unsafe EVP_PKEY_get_group_name(key, &name, name.count, &length) == 1
        let curve = isNamed ? String(decoding: name.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
        self =
            switch curve {
            case "prime256v1": .p256
            case "secp384r1": .p384
            default: .other
            }
        ERR_clear_error()
    }
}
