import HTTPTypes
import Hummingbird
import NIOCore
import StrictJSON

/// Refuses a request whose target is not ASCII, as RFC 9112 section 3.2 has targets, before anything looks for its route.
struct TargetGuard<Responder: HTTPResponder<APIContext>>: HTTPResponder {
    let responder: Responder

    init(_ responder: Responder) { self.responder = responder }

    func respond(to request: Request, context: APIContext) async throws -> Response {
        guard Self.isTarget(request.uri.string) else {
            let problem = Problem(
                status: .badRequest,
                code: "malformed_target",
                detail: "The request's target is not ASCII; percent-encode it."
            )
            let bytes = problem.json(requestID: context.requestID).bytes
            return Response(
                status: problem.status,
                headers: [.contentType: "application/problem+json", .connection: "close"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            )
        }
        return try await responder.respond(to: request, context: context)
    }

    /// Whether text may be a target.
    static func isTarget(_ text: String) -> Bool { text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
}
