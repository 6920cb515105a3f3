import AdapterKit
import Domain
package import Storage

extension SecretStore {
    /// The keys that sign for an endpoint at `now`, the current secret's first.
    ///
    /// A secret that was replaced and cannot be read any more is left out; whoever receives has the current one.
    ///
    /// - Throws: ``UnusableSecret`` if the current one cannot be used.
    func keys(of endpoint: CallbackEndpoint, at now: Timestamp) throws(UnusableSecret) -> [SigningKey] {
        var keys: [SigningKey] = []
        for (index, kept) in endpoint.secrets.valid(at: now).enumerated() {
            if let key = try? key(kept, of: endpoint.id) {
                keys.append(key)
            } else if index == 0 {
                throw .signing
            }
        }
        return keys
    }

    /// What to show an endpoint that asks for a client certificate; nil for one that is shown nothing.
    ///
    /// - Throws: ``UnusableSecret`` if it cannot be read.
    package func identity(of endpoint: CallbackEndpoint) throws(UnusableSecret) -> EndpointIdentity? {
        guard let kept = endpoint.identity else { return nil }
        guard let certificate = try? open(.reference(kept.certificate), endpoint.id),
            let key = try? open(.reference(kept.key), endpoint.id)
        else { throw .identity }
        return EndpointIdentity(certificate: certificate, key: key)
    }

    private func key(_ kept: CallbackSecrets.Kept, of endpoint: EndpointID) throws -> SigningKey {
        guard let key = StandardWebhooks.key(try open(kept, endpoint)) else { throw UnusableSecret.signing }
        return key
    }
}
