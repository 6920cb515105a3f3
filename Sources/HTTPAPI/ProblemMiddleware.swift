import Gateway
import HTTPTypes
import Hummingbird
import Logging
import StrictJSON

/// Turns whatever a handler throws into problem details, answers in the version that is asked for, and names the request in
/// every answer.
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
        var asked: APIVersion?
        do {
            asked = try APIVersion.asked(by: request)
            response = try await next(request, context)
        } catch {
            let problem = Problem(answering: error, path: request.uri.path, methods: methods)
            if problem.status == .internalServerError || error is UnusableWallet { report(error, context) }
            refused.record(problem, of: request, context, to: logger)
            response = answer(to: problem, context)
        }
        let version = asked ?? context.shownKey.version.flatMap { APIVersion($0) } ?? .newest
        response = try await response.answered(in: version, path: request.uri.path)
        if let name = HTTPField.Name("Request-Id"), response.headers[name] == nil {
            response.headers[name] = context.requestID
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
        if problem.status == .unauthorized { headers[.wwwAuthenticate] = problem.challenge }
        if !problem.allow.isEmpty { headers[.allow] = problem.allow.joined(separator: ", ") }
        let bytes = problem.json(requestID: context.requestID).bytes
        return Response(
            status: problem.status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
