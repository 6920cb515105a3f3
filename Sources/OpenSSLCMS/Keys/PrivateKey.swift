import COpenSSL

/// A private key; immutable, and masked in every description.
///
/// OpenSSL lets threads share a key that nobody changes, and nothing here changes it: hence the unchecked conformance.
@safe
package final class PrivateKey: @unchecked Sendable, CustomStringConvertible, CustomReflectable {
    /// What kind of key it is.
    package let kind: KeyKind
    /// Its public half.
    package let publicKey: PublicKey
    let pointer: OpaquePointer

    /// Reads an unencrypted key: PKCS #8, SEC 1 or PKCS #1, in PEM or DER.
    ///
    /// - Throws: ``KeyRefusal``.
    package convenience init(_ bytes: [UInt8]) throws(KeyRefusal) {
        let pointer = unsafe PEM.isPEM(bytes) ? Self.readPEM(bytes) : Self.readDER(bytes)
        guard let pointer = unsafe pointer else {
            ERR_clear_error()
            throw PEM.contains(bytes, "ENCRYPTED") ? .encrypted : .unreadable
        }
        try unsafe self.init(owning: pointer)
        guard isConsistent else { throw .inconsistent }
    }

    /// A new key.
    ///
    /// - Throws: ``KeyRefusal/unreadable`` for a kind that is not made here, or if OpenSSL cannot make one.
    package static func generate(_ kind: KeyKind) throws(KeyRefusal) -> PrivateKey {
        let pointer: OpaquePointer? =
            switch kind {
            case .p256: unsafe copenssl_generate_ec("P-256")
            case .p384: unsafe copenssl_generate_ec("P-384")
            case .rsa(let bits): unsafe copenssl_generate_rsa(bits)
            case .other: nil
            }
        guard let pointer = unsafe pointer else {
            ERR_clear_error()
            throw .unreadable
        }
        return try unsafe PrivateKey(owning: pointer)
    }

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) throws(KeyRefusal) {
        unsafe self.pointer = pointer
        kind = unsafe KeyKind(pointer)
        guard unsafe EVP_PKEY_up_ref(pointer) == 1 else { throw .unreadable }
        publicKey = unsafe PublicKey(owning: pointer)
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The key as unencrypted PKCS #8, in PEM.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package func pem() throws(OpenSSLFailure) -> [UInt8] {
        let output = try MemoryBIO()
        guard unsafe PEM_write_bio_PKCS8PrivateKey(output.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw .drained()
        }
        return output.contents()
    }

    /// Signs bytes with this SHA-256 digest: ECDSA in DER, or RSA as PKCS #1 v1.5.
    ///
    /// - Throws: ``OpenSSLFailure``.
    package func signature(forSHA256 digest: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { throw .drained() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(pointer)))
        var count = signature.count
        guard unsafe EVP_PKEY_sign_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_signature_md(context, EVP_sha256()) == 1,
            unsafe EVP_PKEY_sign(context, &signature, &count, digest, digest.count) == 1
        else { throw .drained() }
        return Array(signature.prefix(count))
    }

    /// A mask with the kind of key.
    package var description: String { "private key (\(kind))" }

    /// No children, so that `dump` shows nothing.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Whether the public half belongs to the private one.
    private var isConsistent: Bool {
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return false }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe EVP_PKEY_pairwise_check(context) == 1
    }

    private static func readDER(_ bytes: [UInt8]) -> OpaquePointer? {
        guard let (key, count) = unsafe Encoding.decode(bytes, { unsafe d2i_AutoPrivateKey(nil, $0, $1) }) else {
            return nil
        }
        guard count == bytes.count else {
            unsafe EVP_PKEY_free(key)
            return nil
        }
        return unsafe key
    }

    /// Without the callback OpenSSL would ask at the terminal for a passphrase.
    private static func readPEM(_ bytes: [UInt8]) -> OpaquePointer? {
        guard let input = try? MemoryBIO(bytes) else { return nil }
        return unsafe PEM_read_bio_PrivateKey(input.pointer, nil, { _, _, _, _ in -1 }, nil)
    }
}
