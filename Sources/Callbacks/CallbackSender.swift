import AdapterKit
package import Domain
package import Storage
import StrictJSON
import Telemetry

/// The way to endpoints, which strangers name.
package protocol CallbackSender: Sendable {
    /// Sends one callback and answers what came of it; never throws, because silence is an answer too.
    ///
    /// It has to refuse what ``refusal(of:)`` refuses, to check the address it connects to, to follow no redirect, and
    /// to end in time.
    func send(_ request: CallbackRequest) async -> CallbackReply

    /// Why nothing may be sent to an address, in words; nil if it may, as far as the address alone tells.
    func refusal(of url: String) -> String?
}

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
    ///   - traceParent: `traceparent`; nil for none. No part of what is signed.
    ///   - now: `webhook-timestamp`.
    init(
        _ id: String,
        _ payload: String,
        to endpoint: CallbackEndpoint,
        with keys: [SigningKey],
        as identity: EndpointIdentity? = nil,
        in traceParent: String? = nil,
        at now: Timestamp
    ) {
        let seconds = now.microseconds / 1_000_000
        self.endpoint = endpoint.id
        url = endpoint.url
        self.identity = identity
        body = Array(payload.utf8)
        let trace = traceParent.map { [(name: TraceContext.field, value: $0)] } ?? []
        headers =
            [
                ("Content-Type", "application/json"), ("User-Agent", "Tributary"), ("webhook-id", id),
                ("webhook-timestamp", String(seconds)),
                ("webhook-signature", StandardWebhooks.signature(id: id, seconds: seconds, body: body, with: keys)),
            ] + trace
    }

    /// The endpoint's name.
    package var description: String { "callback to \(endpoint)" }
    /// No children: the body is the order's, and the signature lets others send it.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What came of sending a callback.
package enum CallbackReply: Hashable, Sendable {
    /// The endpoint answered; of its answer nothing counts but the status and when to come again.
    case status(Int, retryAfter: String?)
    /// It did not, or nothing was sent; why, in words that hold nothing of the request.
    case silence(String)
    /// It was broken off because this side ends.
    case interrupted
}

/// Sends an endpoint something that is about no order, to see whether it takes callbacks.
package struct TestDelivery: Sendable {
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
