import COpenSSL

/// Copying what stands in OpenSSL's strings.
enum ASN1Text {
    /// The bytes as they are.
    @unsafe
    static func bytes(_ string: UnsafePointer<ASN1_STRING>) -> [UInt8] {
        let count = Int(unsafe ASN1_STRING_length(string))
        guard count > 0, let start = unsafe ASN1_STRING_get0_data(string) else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The text, whatever kind of string it is; nil if it is none.
    @unsafe
    static func utf8(_ string: UnsafePointer<ASN1_STRING>) -> String? {
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&start, string)
        defer { unsafe CRYPTO_free(start, "", 0) }
        guard count >= 0, let start = unsafe start else {
            ERR_clear_error()
            return nil
        }
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
}
