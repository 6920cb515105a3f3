package import Domain
package import Storage
import StrictJSON

/// Sends an endpoint something that is about no order, to see whether it takes callbacks.
package struct EndpointTrial: Sendable {
    private let sender: any CallbackSender
    private let secrets: SecretStore

    /// A trial over a way to endpoints.
    package init(_ sender: any CallbackSender, secrets: SecretStore) {
        self.sender = sender
        self.secrets = secrets
    }

    /// Sends `endpoint.test` once, whether the endpoint is enabled or not; nothing is stored.
    ///
    /// - Returns: the identifier it was sent under, and what came of it.
    package func send(to endpoint: CallbackEndpoint, at now: Timestamp) async -> (id: CallbackID, reply: CallbackReply)
    {
        var ids = IdentifierSource()
        let id: CallbackID = ids.make(at: now)
        let payload: JSON = [
            "type": "endpoint.test", "timestamp": .string(now.description), "sequence": 1,
            "data": ["endpoint": .string(endpoint.id.text)],
        ]
        do throws(UnusableSecret) {
            let keys = try secrets.keys(of: endpoint, at: now)
            let identity = try secrets.identity(of: endpoint)
            let request = CallbackRequest(id.text, payload.text, to: endpoint, with: keys, as: identity, at: now)
            return (id, await sender.send(request))
        } catch {
            return (id, .silence("\(error)"))
        }
    }
}
