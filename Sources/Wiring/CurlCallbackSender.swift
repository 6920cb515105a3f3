package import Callbacks
package import CurlTransport
import Domain

/// The way to endpoints over libcurl, which strangers name: every URL is vetted, and every address when connecting.
///
/// `https` to ports 443 and 8443 of public addresses; for development, where it is allowed, this machine on every port
/// and in plain `http` too. Redirects are not followed, and no connection is used twice.
package struct CurlCallbackSender: CallbackSender {
    /// How long a delivery may take in all: Standard Webhooks 1.0 recommends 15 to 30 s.
    package static let timeoutMilliseconds = 15_000
    private static let connectTimeoutMilliseconds = 10_000
    /// What is read of an answer before it is cut: it is for nobody.
    private static let replyLimitBytes = 65_536

    private let transport: CurlTransport
    private let policy: AddressPolicy
    private let timeoutMilliseconds: Int
    private let nameAnswers: [String]

    /// A sender over a transport, which its owner stops.
    package init(
        _ transport: CurlTransport,
        allowsLoopback: Bool,
        timeoutMilliseconds: Int = Self.timeoutMilliseconds
    ) {
        self.init(
            transport,
            AddressPolicy(ports: [443, 8443], allowsLoopback: allowsLoopback),
            timeoutMilliseconds: timeoutMilliseconds
        )
    }

    /// A sender for which hosts resolve to `nameAnswers`, as tests want it.
    init(_ transport: CurlTransport, _ policy: AddressPolicy, timeoutMilliseconds: Int, nameAnswers: [String] = []) {
        self.nameAnswers = nameAnswers
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
        var outgoing = HTTPRequest(
            .post,
            request.url,
            headers: request.headers.map { HTTPHeader($0.name, $0.value) },
            body: request.body
        )
        outgoing.destination = .vetted(policy)
        outgoing.bulkhead = request.endpoint.text
        outgoing.connectTimeoutMilliseconds = min(Self.connectTimeoutMilliseconds, timeoutMilliseconds)
        outgoing.totalTimeoutMilliseconds = timeoutMilliseconds
        outgoing.replyLimitBytes = Self.replyLimitBytes
        outgoing.cutsLongReply = true
        outgoing.nameAnswers = nameAnswers
        switch await transport.send(outgoing) {
        case .reply(let reply): return .status(reply.status, retryAfter: reply.header("Retry-After"))
        case .failure(let failure) where [.cancelled, .stopped].contains(failure.reason): return .interrupted
        case .failure(let failure): return .silence("\(failure.reason.rawValue): \(failure.message)")
        }
    }
}
