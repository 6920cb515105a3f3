import Gateway
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import StrictJSON

/// Turns whatever a handler throws into problem details, and names the request in every answer.
struct ProblemMiddleware: RouterMiddleware {
    /// How long a connection whose request was not read to its end is left to read the answer.
    private static let lingerTime = TimeAmount.seconds(2)

    let logger: Logger
    let methods: MethodTable
    let limits: APILimits

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
            response = answer(to: problem, request, context)
        }
        if let name = HTTPField.Name("Request-Id") { response.headers[name] = context.requestID }
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func report(_ error: any Error, _ context: APIContext) {
        logger.error(
            "a request failed",
            metadata: ["request_id": "\(context.requestID)", "error": "\(error)"]
        )
    }

    private func answer(to problem: Problem, _ request: Request, _ context: APIContext) -> Response {
        var headers: HTTPFields = [.contentType: "application/problem+json"]
        if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = String(seconds) }
        if problem.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if !problem.allow.isEmpty { headers[.allow] = problem.allow.joined(separator: ", ") }
        if mayHaveMoreToSend(request) {
            headers[.connection] = "close"
            let channel = context.channel
            channel.eventLoop.scheduleTask(in: Self.lingerTime) { channel.close(promise: nil) }
        }
        let bytes = problem.json(requestID: context.requestID).bytes
        return Response(
            status: problem.status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Whether the body is longer than is read, or does not say how long it is.
    private func mayHaveMoreToSend(_ request: Request) -> Bool {
        guard let text = request.headers[.contentLength] else { return request.headers[.transferEncoding] != nil }
        return Int(text).map { $0 > limits.bodyBytes } ?? true
    }
}
