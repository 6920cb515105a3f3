package import Domain
package import Storage

/// The keys of a ring by their names, for what looks after the ring itself.
package struct RingKeys: Sendable {
    /// The name of the key that seals.
    package let current: String
    /// The names of all its keys.
    package let names: [String]
    /// Encrypts bytes under the key of that name, bound to `context`.
    package let seal: @Sendable (_ bytes: [UInt8], _ name: String, _ context: String) throws -> CredentialTable.Sealed
    /// Decrypts what was sealed for the same `context`.
    package let open: @Sendable (_ sealed: CredentialTable.Sealed, _ context: String) throws -> [UInt8]
    /// Puts an endpoint's secret under the current key.
    package let resealSecret:
        @Sendable (_ kept: CallbackSecrets.Kept, _ endpoint: EndpointID) throws -> CallbackSecrets.Kept
    /// A new random key.
    package let makeKey: @Sendable () -> Secret

    /// Makes it of functions.
    package init(
        current: String,
        names: [String],
        seal: @escaping @Sendable ([UInt8], String, String) throws -> CredentialTable.Sealed,
        open: @escaping @Sendable (CredentialTable.Sealed, String) throws -> [UInt8],
        resealSecret: @escaping @Sendable (CallbackSecrets.Kept, EndpointID) throws -> CallbackSecrets.Kept,
        makeKey: @escaping @Sendable () -> Secret
    ) {
        self.current = current
        self.names = names
        self.seal = seal
        self.open = open
        self.resealSecret = resealSecret
        self.makeKey = makeKey
    }
}
