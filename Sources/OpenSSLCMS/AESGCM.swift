import COpenSSL

/// AES in Galois/counter mode (SP 800-38D) without additional data, with a tag of 16 bytes.
package enum AESGCM {
    /// How long the tag is, in bytes.
    package static let tagLength = 16

    /// Decrypts, if the tag agrees.
    ///
    /// - Parameters:
    ///   - sealed: ciphertext and, behind it, the tag.
    ///   - key: 16, 24 or 32 bytes.
    ///   - nonce: the initialization vector, of any length from 1 on.
    ///   - associated: what the tag also covers.
    /// - Returns: the plaintext, for the caller to cleanse; nil if a length is wrong or the tag does not agree.
    package static func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        associated: [UInt8] = []
    ) -> [UInt8]? {
        let count = sealed.count - tagLength
        guard count >= 0, let context = start(key, nonce, associated, isSealing: 0) else { return nil }
        defer { ERR_clear_error() }
        var plain = [UInt8](repeating: 0, count: count + 1)
        var written: Int32 = 0
        var tag = Array(sealed.suffix(tagLength))
        let isAuthentic =
            unsafe EVP_CipherUpdate(context.pointer, &plain, &written, sealed, Int32(count)) == 1
            && EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
            && finish(context, &plain, at: count)
        guard isAuthentic else {
            plain.cleanse()
            return nil
        }
        plain.removeLast()
        return plain
    }

    /// Encrypts, and puts the tag behind the ciphertext.
    ///
    /// - Throws: ``OpenSSLFailure`` for a key or nonce of a wrong length.
    package static func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
        guard let context = start(key, nonce, [], isSealing: 1) else { throw .drained() }
        var sealed = [UInt8](repeating: 0, count: plain.count + 1)
        var tag = [UInt8](repeating: 0, count: tagLength)
        var written: Int32 = 0
        guard unsafe EVP_CipherUpdate(context.pointer, &sealed, &written, plain, Int32(plain.count)) == 1,
            finish(context, &sealed, at: plain.count),
            unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &tag) == 1
        else { throw .drained() }
        return Array(sealed.dropLast()) + tag
    }

    /// A context with key and nonce, to which the associated data was shown; nil if a length is wrong.
    private static func start(
        _ key: [UInt8],
        _ nonce: [UInt8],
        _ associated: [UInt8],
        isSealing: Int32
    ) -> CipherContext? {
        guard let algorithm = Cipher.gcm[key.count], !nonce.isEmpty, let context = CipherContext() else { return nil }
        var written: Int32 = 0
        let isReady =
            unsafe EVP_CipherInit_ex2(context.pointer, algorithm.pointer, nil, nil, isSealing, nil) == 1
            && EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
            && EVP_CipherInit_ex2(context.pointer, nil, key, nonce, isSealing, nil) == 1
            && (associated.isEmpty
                || EVP_CipherUpdate(context.pointer, nil, &written, associated, Int32(associated.count)) == 1)
        guard isReady else {
            ERR_clear_error()
            return nil
        }
        return context
    }

    /// Ends the operation; the mode writes nothing then.
    private static func finish(_ context: borrowing CipherContext, _ output: inout [UInt8], at index: Int) -> Bool {
        var written: Int32 = 0
        return unsafe output.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return unsafe EVP_CipherFinal_ex(context.pointer, base + index, &written) == 1
        }
    }
}

/// A cipher that OpenSSL looked up once, for looking it up takes longer than decrypting a token; never freed.
///
/// OpenSSL lets threads share what it looked up: hence the unchecked conformance.
@safe
private final class Cipher: @unchecked Sendable {
    /// AES in Galois/counter mode, by the length of the key in bytes.
    static let gcm: [Int: Cipher] = [16: "AES-128-GCM", 24: "AES-192-GCM", 32: "AES-256-GCM"]
        .compactMapValues(Cipher.init(name:))

    let pointer: OpaquePointer

    private init?(name: String) {
        guard let pointer = unsafe EVP_CIPHER_fetch(nil, name, nil) else { return nil }
        unsafe self.pointer = pointer
    }
}

/// OpenSSL's state of one encryption or decryption; owned.
@safe
private struct CipherContext: ~Copyable {
    let pointer: OpaquePointer

    init?() {
        guard let pointer = unsafe EVP_CIPHER_CTX_new() else { return nil }
        unsafe self.pointer = pointer
    }

    deinit { unsafe EVP_CIPHER_CTX_free(pointer) }
}
