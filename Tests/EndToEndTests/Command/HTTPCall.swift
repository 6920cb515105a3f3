import HTTPTransport
import StrictJSON

/// One call to a server on this machine, over the transport that the gateway itself uses.
struct HTTPCall {
    private static let transport = HTTPTransport()

    private var request: HTTPRequest

    /// A call with an API key.
    init(_ method: HTTPMethod, _ url: String, key: String) { self.init(method, url, authorization: "Bearer " + key) }

    /// A call that shows something else than an API key.
    init(_ method: HTTPMethod, _ url: String, authorization: String) {
        request = HTTPRequest(method, url, headers: [HTTPHeader("Authorization", authorization)])
        request.allowPlainHTTPToLoopback = true
    }

    /// The call with a body and an idempotency key.
    func sending(_ body: JSON, idempotencyKey: String) -> HTTPCall {
        var call = self
        call.request.body = body.bytes
        call.request.headers += [
            HTTPHeader("Content-Type", "application/json"), HTTPHeader("Idempotency-Key", idempotencyKey),
        ]
        return call
    }

    /// The call with another header field.
    func adding(_ name: String, _ value: String) -> HTTPCall {
        var call = self
        call.request.headers.append(HTTPHeader(name, value))
        return call
    }

    /// The reply.
    ///
    /// - Throws: `TransportFailure` if none came.
    func reply() async throws -> HTTPReply {
        switch await Self.transport.send(request) {
        case .reply(let reply): return reply
        case .failure(let failure): throw failure
        }
    }
}
