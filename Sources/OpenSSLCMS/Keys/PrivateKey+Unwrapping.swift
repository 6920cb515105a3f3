import COpenSSL

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
    static func setOAEP(_ context: OpaquePointer) -> Bool {
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
