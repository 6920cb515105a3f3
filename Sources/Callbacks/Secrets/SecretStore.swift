package import Domain
package import Storage

/// Keeps the secrets that callbacks are signed with, and gives them out to sign.
package struct SecretStore: Sendable {
    /// Encrypts a secret for an endpoint.
    package let seal: @Sendable (_ secret: Secret, _ endpoint: EndpointID) throws -> CallbackSecrets.Kept
    /// Reads a secret, wherever it is kept.
    package let open: @Sendable (_ kept: CallbackSecrets.Kept, _ endpoint: EndpointID) throws -> Secret

    /// Makes a store of two functions.
    package init(
        seal: @escaping @Sendable (Secret, EndpointID) throws -> CallbackSecrets.Kept,
        open: @escaping @Sendable (CallbackSecrets.Kept, EndpointID) throws -> Secret
    ) {
        self.seal = seal
        self.open = open
    }
}
