import HTTPTypes
import Hummingbird

/// Lets pages of listed origins call what publishable keys open, and nothing else (Fetch Standard, "CORS protocol").
///
/// Origins are compared whole. There is no wildcard, and no cookie is ever asked for: a page shows its key.
struct CrossOriginMiddleware: RouterMiddleware {
    /// The routes that publishable keys open.
    private static let paths: Set<String> = ["/v1/apple-pay/sessions", "/v1/payment-requests"]
    /// For how long a browser may remember what it was told, in seconds.
    private static let maximumAge = "600"

    /// The origins, as browsers write them: `https://shop.example`.
    let origins: Set<String>

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        guard let path = request.uri.path.boundedASCII, Self.paths.contains(path) else {
            return try await next(request, context)
        }
        let origin = request.headers[.origin]?.boundedASCII.flatMap { origins.contains($0) ? $0 : nil }
        if let origin, request.method == .options, request.headers[.accessControlRequestMethod] == "POST" {
            return Self.permission(for: origin)
        }
        var response = try await next(request, context)
        // What one origin was answered is not for another, told so even where none is allowed.
        response.headers[.vary] = "Origin"
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = "Request-Id, Retry-After, Tributary-Version, X-Request-Id"
        }
        return response
    }

    private static func permission(for origin: String) -> Response {
        var headers: HTTPFields = [:]
        headers[.accessControlAllowOrigin] = origin
        headers[.accessControlAllowMethods] = "POST"
        headers[.accessControlAllowHeaders] = "Authorization, Content-Type, Tributary-Version"
        headers[.accessControlMaxAge] = maximumAge
        headers[.vary] = "Origin"
        return Response(status: .noContent, headers: headers)
    }
}
