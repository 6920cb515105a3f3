import HTTPTransport
import StrictJSON
import TributaryTestKit

/// A marketplace's checkout: places orders over HTTP.
final class CheckoutClient: Sendable {
    private let transport: HTTPTransport

    /// What a gateway answered.
    struct Reply: Sendable {
        /// The HTTP status.
        var status: Int
        /// The body.
        var json: JSON
        /// Whether it is what an earlier request under the key was told.
        var isReplay: Bool

        /// The order's id.
        var id: String? { json["id"]?.stringValue }
        /// The order's decision.
        var decision: String? { json["decision"]?.stringValue }
    }

    private init(_ transport: HTTPTransport) { self.transport = transport }

    /// Lends a client and closes its connections afterwards.
    static func with<Value>(_ body: (CheckoutClient) async throws -> Value) async throws -> Value {
        let transport = HTTPTransport(
            limits: TransportLimits(requestsPerHost: 256, requestsInTotal: 512)
        )
        let result: Result<Value, any Error>
        do { result = .success(try await body(CheckoutClient(transport))) } catch {
            result = .failure(error)
        }
        await transport.stop()
        return try result.get()
    }

    /// Places an order.
    ///
    /// - Throws: `TransportFailure` if no answer came, `JSONRefusal` if what came is no JSON.
    func place(_ order: JSON, key: String, at url: String) async throws -> Reply {
        try await place(order.bytes, key: key, at: url)
    }

    /// Sends any bytes as an order.
    func place(_ body: [UInt8], key: String, at url: String) async throws -> Reply {
        var request = HTTPRequest(.post, url + "/v1/orders", body: body)
        request.headers = [
            HTTPHeader("Authorization", "Bearer " + Bazaar.apiKey), HTTPHeader("Idempotency-Key", key),
            HTTPHeader("Content-Type", "application/json"),
        ]
        return try await send(request)
    }

    /// The order once `isExpected` says so of it; as it is after a minute if that never comes.
    ///
    /// A busy machine may answer a checkout before everything has had its first reply.
    func order(_ id: String, at url: String, once isExpected: (JSON) -> Bool) async throws -> JSON {
        let end = ContinuousClock.now + .patience
        while true {
            var request = HTTPRequest(.get, url + "/v1/orders/" + id)
            request.headers = [HTTPHeader("Authorization", "Bearer " + Bazaar.apiKey)]
            let order = try await send(request).json
            if isExpected(order) || ContinuousClock.now > end { return order }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Sends any bytes anywhere, and answers the status; nil if the server hung up.
    func post(_ path: String, _ headers: [(name: String, value: String)], _ body: [UInt8], at url: String) async -> Int?
    {
        var request = HTTPRequest(.post, url + path, body: body)
        request.headers = headers.map { HTTPHeader($0.name, $0.value) }
        request.allowPlainHTTPToLoopback = true
        request.totalTimeoutMilliseconds = 60_000
        guard case .reply(let reply) = await transport.send(request) else { return nil }
        return reply.status
    }

    private func send(_ request: HTTPRequest) async throws -> Reply {
        var request = request
        request.allowPlainHTTPToLoopback = true
        request.totalTimeoutMilliseconds = 120_000
        switch await transport.send(request) {
        case .failure(let failure): throw failure
        case .reply(let reply):
            return Reply(
                status: reply.status,
                json: try JSON.parse(reply.body),
                isReplay: reply.header("Idempotent-Replayed") == "true"
            )
        }
    }
}
