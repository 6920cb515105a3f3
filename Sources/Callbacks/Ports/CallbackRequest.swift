import AdapterKit
package import Domain
import Storage

/// A callback as it is sent, signed as Standard Webhooks 1.0 says.
///
/// Its description says where it goes and nothing of what it tells.
package struct CallbackRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The endpoint.
    package let endpoint: EndpointID
    /// The endpoint's address.
    package let url: String
    /// Header fields, in the order in which they are sent.
    package let headers: [(name: String, value: String)]
    /// The body, byte for byte as it is signed.
    package let body: [UInt8]
    /// What to show a server that asks for a client certificate.
    package let identity: EndpointIdentity?

    /// Signs a callback.
    ///
    /// - Parameters:
    ///   - id: `webhook-id`.
    ///   - payload: the body.
    ///   - endpoint: where it goes.
    ///   - keys: what it is signed with.
    ///   - identity: what to show a server that asks for a client certificate.
    ///   - now: `webhook-timestamp`.
    init(
        _ id: String,
        _ payload: String,
        to endpoint: CallbackEndpoint,
        with keys: [SigningKey],
        as identity: EndpointIdentity? = nil,
        at now: Timestamp
    ) {
        let seconds = now.microseconds / 1_000_000
        self.endpoint = endpoint.id
        url = endpoint.url
        self.identity = identity
        body = Array(payload.utf8)
        headers = [
            ("Content-Type", "application/json"), ("User-Agent", "Tributary"), ("webhook-id", id),
            ("webhook-timestamp", String(seconds)),
            ("webhook-signature", StandardWebhooks.signature(id: id, seconds: seconds, body: body, with: keys)),
        ]
    }

    /// The endpoint's name.
    package var description: String { "callback to \(endpoint)" }
    /// No children: the body is the order's, and the signature lets others send it.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
