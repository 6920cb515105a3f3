import HTTPTypes
import Hummingbird
import Logging

/// Takes the requests of a dialect to the books and their answers back, late, broken or not at all where a trigger
/// says so.
struct DialectDesk: Sendable {
    let clerk: DialectClerk
    let sender: ReplySender

    func add(to router: Router<SimulatorContext>) {
        for route in clerk.dialect.routes {
            guard let method = HTTPRequest.Method(rawValue: route.method.rawValue) else { continue }
            router.on(RouterPath(route.path), method: method) { request, context in
                try await answer(route, request, context)
            }
        }
    }

    private func answer(
        _ route: DialectRoute,
        _ request: Request,
        _ context: SimulatorContext
    ) async throws -> Response {
        var wire = PSPRequest(request, context)
        do {
            wire.body = try await SimulatorRoutes.body(of: request, limit: sender.limits.bodyBytes)
        } catch {
            return try await sender.send(clerk.refusing(error, wire), context)
        }
        do {
            let (reply, handling) = try await clerk.answer(wire, by: route)
            return try await sender.send(reply, context, handling)
        } catch let error as BooksFileError {
            context.logger.error("the books cannot be written", metadata: ["reason": "\(error)"])
            return try await sender.send(clerk.dialect.serverError, context, .close)
        }
    }
}

extension PSPRequest {
    /// The request as it came, without its body.
    init(_ request: Request, _ context: SimulatorContext) {
        self.init(path: request.uri.path, origin: ReplySender.origin(of: request))
        parameters = Dictionary(context.parameters.map { (String($0.key), String($0.value)) }) { first, _ in first }
        query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        headers = request.headers.map { ($0.name.rawName, $0.value) }
    }
}
