/// An account's name, derived from the API key that a request came with.
///
/// Every key but `invalid` is accepted. `key_<name>`, or a key that ends in `_key_<name>`, is the key of the account
/// `<name>`; any other key gets an account named for a fingerprint of the key, so that no key stands in the books.
struct Account {
    let name: String

    /// The account of `Authorization: Bearer`.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    init(of request: PSPRequest) throws(Refusal) {
        guard let key = request.bearer else { throw .unauthorized }
        try self.init(key: key)
    }

    /// The account of a key.
    ///
    /// - Throws: ``Refusal/unauthorized``.
    init(key: String) throws(Refusal) {
        guard !key.isEmpty, key.utf8.count <= 200, !("_" + key).hasSuffix("_invalid") else { throw .unauthorized }
        let named = ("_" + key).split(separator: "_key_", maxSplits: 1, omittingEmptySubsequences: false)
        if named.count == 2, !named[1].isEmpty {
            name = String(named[1])
        } else {
            name = "account_" + String(Self.fingerprint(key), radix: 36)
        }
    }

    /// The 64-bit Fowler-Noll-Vo hash (FNV-1a), which tells accounts apart and hides nothing worth hiding.
    private static func fingerprint(_ key: String) -> UInt64 {
        key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
