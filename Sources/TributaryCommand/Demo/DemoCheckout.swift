import Domain
import HTTPTransport
import StrictJSON

/// The marketplace's checkout: it talks to the gateway over HTTP, and reads a PSP's books.
struct DemoCheckout {
    /// Where the gateway is.
    let gatewayURL: String
    /// The checkout's API key.
    let apiKey: Secret
    private let transport: HTTPTransport

    init(_ transport: HTTPTransport, gatewayURL: String, apiKey: Secret) {
        self.transport = transport
        self.gatewayURL = gatewayURL
        self.apiKey = apiKey
    }

    /// Places an order; the same key again asks for the same order.
    ///
    /// - Returns: the order; nil if no answer came.
    /// - Throws: ``CommandFailure`` if the gateway refused it.
    func place(_ order: JSON, key: String) async throws -> JSON? {
        var request = HTTPRequest(.post, gatewayURL + "/v1/orders", headers: authorization, body: order.bytes)
        request.headers.append(HTTPHeader("Content-Type", "application/json"))
        request.headers.append(HTTPHeader("Idempotency-Key", key))
        guard let reply = await send(request) else { return nil }
        guard reply.status == 201 || reply.status == 202, let json = try? JSON.parse(reply.body) else {
            throw Self.surprise(reply, request)
        }
        return json
    }

    /// Reads an order.
    ///
    /// - Throws: ``CommandFailure`` if there is no such order, or no answer.
    func order(_ id: String) async throws -> JSON {
        try await get(HTTPRequest(.get, gatewayURL + "/v1/orders/\(id)", headers: authorization))
    }

    /// Reads the books of a PSP.
    ///
    /// - Throws: ``CommandFailure`` if it does not answer.
    func books(at baseURL: String) async throws -> JSON { try await get(HTTPRequest(.get, baseURL + "/books")) }

    private func get(_ request: HTTPRequest) async throws -> JSON {
        guard let reply = await send(request) else {
            try Task.checkCancellation()
            throw CommandFailure.finding("no answer to \(request)")
        }
        guard reply.status == 200, let json = try? JSON.parse(reply.body) else { throw Self.surprise(reply, request) }
        return json
    }

    private func send(_ request: HTTPRequest) async -> HTTPReply? {
        var request = request
        request.allowPlainHTTPToLoopback = true
        request.replyLimitBytes = 16 * 1_048_576
        guard case .reply(let reply) = await transport.send(request) else { return nil }
        return reply
    }

    private var authorization: [HTTPHeader] { [HTTPHeader("Authorization", "Bearer " + apiKey.reveal())] }

    private static func surprise(_ reply: HTTPReply, _ request: HTTPRequest) -> CommandFailure {
        .finding("\(request) was answered \(reply.status): \(String(decoding: reply.body, as: UTF8.self).harmless)")
    }
}
