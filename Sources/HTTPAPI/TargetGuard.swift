import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// Stands around everything else that is done with a request: finds out who asks, refuses a target that is not ASCII, as RFC
/// 9112 section 3.2 has targets, before anything looks for its route, and gives every answer the fields that all have.
struct TargetGuard<Responder: HTTPResponder<APIContext>>: HTTPResponder {
    let responder: Responder
    /// Whose word on addresses is taken.
    let proxies: TrustedProxies
    /// Fields of every answer.
    let fields: [(String, String)]
    /// Whether the server is about to end.
    let isDraining: @Sendable () -> Bool
    /// Told of each request that is refused here.
    let onRefusal: @Sendable (Request, APIContext, _ status: Int) -> Void
    /// Told of each request that a proxy on this machine passes on which is not a trusted one.
    let onUnnamedProxy: @Sendable () -> Void

    init(
        _ responder: Responder,
        proxies: TrustedProxies,
        fields: [(String, String)],
        isDraining: @escaping @Sendable () -> Bool,
        onRefusal: @escaping @Sendable (Request, APIContext, _ status: Int) -> Void,
        onUnnamedProxy: @escaping @Sendable () -> Void
    ) {
        self.responder = responder
        self.proxies = proxies
        self.fields = fields
        self.isDraining = isDraining
        self.onRefusal = onRefusal
        self.onUnnamedProxy = onUnnamedProxy
    }

    func respond(to request: Request, context: APIContext) async throws -> Response {
        var context = context
        let connection = context.peer
        context.peer = proxies.client(of: request.headers, from: connection)
        if proxies.isUnnamedProxy(request.headers, from: connection) {
            // All that come through it would be counted as one.
            context.countedAddress = nil
            onUnnamedProxy()
        } else {
            context.countedAddress = context.peer ?? connection
        }
        var response: Response
        if Self.isTarget(request.uri.string) {
            response = try await responder.respond(to: request, context: context)
        } else {
            response = refusal(of: request, context)
        }
        for (name, value) in fields + context.rate.fields {
            if let name = HTTPField.Name(name), response.headers[name] == nil { response.headers[name] = value }
        }
        // Whoever keeps the connection goes elsewhere with the next request, which would find it closed (RFC 9112 section 9.6).
        if isDraining() { response.headers[.connection] = "close" }
        return response
    }

    private func refusal(of request: Request, _ context: APIContext) -> Response {
        let problem = Problem(
            status: .badRequest,
            code: "malformed_target",
            detail: "The request's target is not ASCII; percent-encode it."
        )
        let bytes = problem.json(requestID: context.requestID).bytes
        var response = Response(
            status: problem.status,
            headers: [.contentType: "application/problem+json", .connection: "close"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
        CallerRequestID.name(&response, answering: request, context)
        onRefusal(request, context, problem.status.code)
        return response
    }

    /// Whether text may be a target.
    static func isTarget(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}
