package import Callbacks
import Domain
package import HTTPTransport

/// The way to endpoints over libcurl, which strangers name: every URL is vetted, and every address when connecting.
///
/// `https` to ports 443 and 8443 of public addresses; for development, where it is allowed, this machine on every port
/// and in plain `http` too. Redirects are not followed, and no connection is used twice. An endpoint that asks for a
/// client certificate is shown its own, if it has one.
package struct CurlCallbackSender: CallbackSender {
    /// How long a delivery may take in all: Standard Webhooks 1.0 recommends 15 to 30 s.
    package static let timeoutMilliseconds = 15_000
    /// The limits of a transport for it.
    ///
    /// The deliverer itself bounds what is on its way; a host that many endpoints share holds none of them up here.
    package static let transportLimits = TransportLimits(
        requestsPerHost: 1_024,
        requestsInTotal: 1_024,
        requestsPerBulkhead: 16
    )
    private static let connectTimeoutMilliseconds = 10_000
    /// What is read of an answer before it is cut: it is for nobody.
    private static let replyLimitBytes = 65_536

    private let transport: HTTPTransport
    private let policy: AddressPolicy
    private let timeoutMilliseconds: Int
    private let nameAnswers: [String]
    private let authorities: PEM?

    /// A sender over a transport, which its owner stops.
    package init(
        _ transport: HTTPTransport,
        allowsLoopback: Bool,
        timeoutMilliseconds: Int = Self.timeoutMilliseconds
    ) {
        self.init(
            transport,
            AddressPolicy(ports: [443, 8443], allowsLoopback: allowsLoopback),
            timeoutMilliseconds: timeoutMilliseconds
        )
    }

    /// A sender for which hosts resolve to `nameAnswers`, and which trusts `authorities` instead of the system's, as
    /// tests want it.
    init(
        _ transport: HTTPTransport,
        _ policy: AddressPolicy,
        timeoutMilliseconds: Int,
        nameAnswers: [String] = [],
        authorities: PEM? = nil
    ) {
        self.nameAnswers = nameAnswers
        self.authorities = authorities
        self.transport = transport
        self.policy = policy
        self.timeoutMilliseconds = timeoutMilliseconds
    }

    /// Why no endpoint may have a URL, in words; nil if one may: the rules by which a request is refused.
    package static func refusal(of url: String, allowsLoopback: Bool) -> String? {
        AddressPolicy(ports: [443, 8443], allowsLoopback: allowsLoopback).refusal(of: url)?.description
    }

    package func refusal(of url: String) -> String? { policy.refusal(of: url)?.description }

    package func send(_ request: CallbackRequest) async -> CallbackReply {
        var outgoing = outgoing(to: request.url, as: request.identity)
        outgoing.headers = request.headers.map { HTTPHeader($0.name, $0.value) }
        outgoing.body = request.body
        outgoing.bulkhead = request.endpoint.text
        switch await transport.send(outgoing) {
        case .reply(let reply): return .status(reply.status, retryAfter: reply.header("Retry-After"))
        case .failure(let failure) where [.cancelled, .stopped].contains(failure.reason): return .interrupted
        case .failure(let failure): return .silence(Self.words(failure))
        }
    }

    /// Why an endpoint cannot be reached, in words; nil if its name was found, it was connected to, and the handshake
    /// was done.
    ///
    /// Nothing is sent. A server that speaks TLS 1.3 turns down a client certificate only afterwards (RFC 8446, 4.4.2).
    package func obstacle(to url: String, as identity: EndpointIdentity?) async -> String? {
        await transport.connect(outgoing(to: url, as: identity)).map(Self.words)
    }

    private func outgoing(to url: String, as identity: EndpointIdentity?) -> HTTPRequest {
        var outgoing = HTTPRequest(.post, url)
        outgoing.destination = .vetted(policy)
        outgoing.connectTimeoutMilliseconds = min(Self.connectTimeoutMilliseconds, timeoutMilliseconds)
        outgoing.totalTimeoutMilliseconds = timeoutMilliseconds
        outgoing.replyLimitBytes = Self.replyLimitBytes
        outgoing.cutsLongReply = true
        outgoing.nameAnswers = nameAnswers
        outgoing.trustedAuthorities = authorities
        outgoing.clientIdentity = identity.map { identity in
            ClientIdentity(certificate: Self.pem(identity.certificate), key: Self.pem(identity.key))
        }
        return outgoing
    }

    private static func pem(_ secret: Secret) -> PEM { .bytes(Array(secret.reveal().utf8)) }

    private static func words(_ failure: TransportFailure) -> String {
        "\(failure.reason.rawValue): \(failure.message)"
    }
}
