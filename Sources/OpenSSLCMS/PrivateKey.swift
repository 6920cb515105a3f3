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
        let pointer = unsafe Encoding.isPEM(bytes) ? Self.readPEM(bytes) : Self.readDER(bytes)
        guard let pointer = unsafe pointer else {
            ERR_clear_error()
            throw Encoding.contains(bytes, "ENCRYPTED") ? .encrypted : .unreadable
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

extension PrivateKey {
    /// Decrypts a wrapped key: RSAES-OAEP with SHA-256, MGF1 with SHA-256 and no label (RFC 8017, 7.1.2).
    ///
    /// - Returns: the key, for the caller to cleanse; nil if this is no RSA key or the ciphertext does not decrypt.
    package func unwrapped(_ wrapped: [UInt8]) -> [UInt8]? {
        guard case .rsa = kind, let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { return nil }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_PKEY_decrypt_init(context) == 1, unsafe Self.setOAEP(context) else { return nil }
        var plain = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(pointer)))
        defer { plain.cleanse() }
        var count = plain.count
        guard unsafe EVP_PKEY_decrypt(context, &plain, &count, wrapped, wrapped.count) == 1 else { return nil }
        return Array(plain.prefix(count))
    }

    @unsafe
    fileprivate static func setOAEP(_ context: OpaquePointer) -> Bool {
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
    }
}

extension PublicKey {
    /// Encrypts a key for the owner of the private half, as ``PrivateKey/unwrapped(_:)`` decrypts it.
    ///
    /// - Throws: ``OpenSSLFailure`` if this is no RSA key or the key is too long for it.
    package func wrapped(_ key: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new(pointer, nil) else { throw .drained() }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var wrapped = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(pointer)))
        var count = wrapped.count
        guard unsafe EVP_PKEY_encrypt_init(context) == 1, unsafe PrivateKey.setOAEP(context),
            unsafe EVP_PKEY_encrypt(context, &wrapped, &count, key, key.count) == 1
        else { throw .drained() }
        return Array(wrapped.prefix(count))
    }
}

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
