import Gateway
import HTTPTypes
import Hummingbird
import Logging
import StrictJSON

/// Turns whatever a handler throws into problem details, and names the request in every answer.
struct ProblemMiddleware: RouterMiddleware {
    let logger: Logger
    let methods: MethodTable
    let refused: RefusedAttempts

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch {
            let problem = Problem(answering: error, path: request.uri.path, methods: methods)
            if problem.status == .internalServerError || error is UnusableWallet { report(error, context) }
            refused.record(problem, of: request, context, to: logger)
            response = answer(to: problem, context)
        }
        for (name, value) in [("Request-Id", context.requestID)] + SecurityHeaders.all {
            if let name = HTTPField.Name(name) { response.headers[name] = value }
        }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func report(_ error: any Error, _ context: APIContext) {
        logger.error(
            "a request failed",
            metadata: ["request_id": "\(context.requestID)", "error": "\(error)"]
        )
    }

    private func answer(to problem: Problem, _ context: APIContext) -> Response {
        var headers: HTTPFields = [.contentType: "application/problem+json"]
        if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = String(seconds) }
        if problem.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if !problem.allow.isEmpty { headers[.allow] = problem.allow.joined(separator: ", ") }
        let bytes = problem.json(requestID: context.requestID).bytes
        return Response(
            status: problem.status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

/// Which methods each path has, to tell an unknown path from a wrong method.
struct MethodTable: Sendable {
    private struct Entry: Sendable {
        let segments: [String]
        let method: String
    }

    private let entries: [Entry]

    /// The table of a router's routes.
    init(_ routes: [Router<APIContext>.RouteDescription]) {
        entries = routes.map { route in
            Entry(
                segments: route.path.description.split(separator: "/").map(String.init),
                method: route.method.rawValue
            )
        }
    }

    /// The methods of a path, sorted; empty if there is no such path.
    ///
    /// Where `GET` is, `HEAD` is too.
    func methods(of path: String) -> [String] {
        let segments = path.split(separator: "/")
        let found = entries.filter { Self.matches($0.segments, segments) }.map(\.method)
        return Set(found.contains("GET") ? found + ["HEAD"] : found).sorted()
    }

    private static func matches(_ pattern: [String], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0.hasPrefix(":") || $0 == $1 }
    }
}
