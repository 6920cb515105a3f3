import HTTPTypes
import Hummingbird

/// An account's name, derived from the API key that a request came with.
///
/// Every key but `invalid` is accepted. `key_<name>` is the key of the account `<name>`; any other key gets an
/// account named for a fingerprint of the key, so that no key stands in the books.
struct Account {
    let name: String

    /// - Throws: ``Refusal/unauthorized``.
    init(of request: Request) throws(Refusal) {
        let scheme = "Bearer "
        guard let field = request.headers[.authorization], field.hasPrefix(scheme) else { throw .unauthorized }
        let key = String(field.dropFirst(scheme.count))
        guard !key.isEmpty, key.utf8.count <= 200, key != "invalid" else { throw .unauthorized }
        let prefix = "key_"
        if key.hasPrefix(prefix), key.utf8.count > prefix.utf8.count {
            name = String(key.dropFirst(prefix.count))
        } else {
            name = "account_" + String(Self.fingerprint(key), radix: 36)
        }
    }

    /// The 64-bit Fowler-Noll-Vo hash (FNV-1a), which tells accounts apart and hides nothing worth hiding.
    private static func fingerprint(_ key: String) -> UInt64 {
        key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
