package import Keyring

extension Keyring {
    /// A ring with one key, made for this test.
    ///
    /// - Throws: `KeyringError`.
    package static func fresh(id: String = "test") throws(KeyringError) -> Keyring {
        try Keyring(current: id, keys: [id: Keyring.makeKey()])
    }
}
