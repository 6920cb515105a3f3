package import Domain
import Gateway
import HTTPTypes
import Hummingbird

/// `/metrics`: what the process counts and what was last sampled of its database, from memory.
struct MetricsRoutes: Sendable {
    let registry: MetricRegistry
    let access: MetricsAccess

    func add(to router: Router<APIContext>) {
        router.get("/metrics") { request, context in
            try access.admit(request, from: context.peer)
            return Response(
                status: .ok,
                headers: [.contentType: MetricText.contentType],
                body: ResponseBody(byteBuffer: ByteBuffer(string: registry.text))
            )
        }
    }
}

/// Who may read metrics: sums over all marketplaces, which are no marketplace's to see.
///
/// Whoever shows the key, if there is one. Without one, this machine: a connection from the loopback interface that no proxy
/// speaks on. A proxy says so in a header; one that does not is the operator's to keep from `/metrics`.
package struct MetricsAccess: Sendable {
    private static let forwarding = ["Forwarded", "X-Forwarded-For", "X-Real-IP", "Via"].compactMap {
        HTTPField.Name($0)
    }

    private let key: [UInt8]?

    /// Whoever shows `key`; this machine for nil.
    package init(key: Secret? = nil) { self.key = key.map { Array($0.reveal().utf8) } }

    /// Refuses whoever may not.
    ///
    /// - Throws: a 401 ``Problem`` without the key, or a 404 for what is not from this machine.
    func admit(_ request: Request, from peer: String?) throws(Problem) {
        if let key {
            guard shows(key, request) else {
                throw Problem(
                    status: .unauthorized,
                    code: "invalid_api_key",
                    detail: "Show the key of the setting metrics.key as \"Authorization: Bearer …\"."
                )
            }
            return
        }
        let isForwarded = Self.forwarding.contains { request.headers[$0] != nil }
        guard !isForwarded, let peer, Self.isLoopback(peer) else { throw .notFound }
    }

    /// Whether a request shows the key; takes as long for a wrong one as for the right one.
    private func shows(_ key: [UInt8], _ request: Request) -> Bool {
        guard let parts = request.headers[.authorization]?.boundedASCII?.split(separator: " ", maxSplits: 1),
            parts.count == 2, parts[0].utf8.elementsEqual("Bearer".utf8)
        else { return false }
        let shown = Array(parts[1].utf8)
        guard shown.count == key.count else { return false }
        return zip(shown, key).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether an address is of the loopback interface.
    static func isLoopback(_ address: String) -> Bool {
        let bytes = address.utf8
        return bytes.elementsEqual("::1".utf8) || bytes.starts(with: "127.".utf8)
            || bytes.starts(with: "::ffff:127.".utf8)
    }
}
