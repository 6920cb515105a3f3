package import Domain
package import Storage

/// Seals what is stored and opens it again.
package struct Vault: Sendable {
    /// Encrypts bytes under the current key, bound to `context`.
    package let seal: @Sendable (_ bytes: [UInt8], _ context: String) throws -> CredentialTable.Sealed
    /// Decrypts what was sealed for the same `context`.
    package let open: @Sendable (_ sealed: CredentialTable.Sealed, _ context: String) throws -> [UInt8]
    /// A new random key.
    package let makeKey: @Sendable () -> Secret
    /// A vault whose one key is that key, under that name.
    package let single: @Sendable (_ key: Secret, _ name: String) throws -> Vault

    /// Makes a vault of functions.
    package init(
        seal: @escaping @Sendable ([UInt8], String) throws -> CredentialTable.Sealed,
        open: @escaping @Sendable (CredentialTable.Sealed, String) throws -> [UInt8],
        makeKey: @escaping @Sendable () -> Secret,
        single: @escaping @Sendable (Secret, String) throws -> Vault
    ) {
        self.seal = seal
        self.open = open
        self.makeKey = makeKey
        self.single = single
    }
}
