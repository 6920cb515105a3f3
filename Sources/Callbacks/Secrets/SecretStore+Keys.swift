import AdapterKit
import Domain
import Storage

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
                throw UnusableSecret()
            }
        }
        return keys
    }

    private func key(_ kept: CallbackSecrets.Kept, of endpoint: EndpointID) throws -> SigningKey {
        guard let key = StandardWebhooks.key(try open(kept, endpoint)) else { throw UnusableSecret() }
        return key
    }
}

/// The secret that callbacks are to be signed with cannot be read, or is none.
struct UnusableSecret: Error, Hashable, CustomStringConvertible {
    var description: String { "the signing secret cannot be read or is not base 64" }
}
