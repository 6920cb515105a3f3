package import Storage

/// Seals credentials for storage and opens them again.
package struct Vault: Sendable {
    /// Encrypts bytes under the current key, bound to `context`.
    package let seal: @Sendable (_ bytes: [UInt8], _ context: String) throws -> CredentialTable.Sealed
    /// Decrypts what was sealed for the same `context`.
    package let open: @Sendable (_ sealed: CredentialTable.Sealed, _ context: String) throws -> [UInt8]

    /// Makes a vault of two functions.
    package init(
        seal: @escaping @Sendable ([UInt8], String) throws -> CredentialTable.Sealed,
        open: @escaping @Sendable (CredentialTable.Sealed, String) throws -> [UInt8]
    ) {
        self.seal = seal
        self.open = open
    }
}
