import COpenSSL

/// OpenSSL's state of one encryption or decryption; owned.
@safe
struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    init?() {
        guard let pointer = unsafe EVP_CIPHER_CTX_new() else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }
}
