import COpenSSL

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
