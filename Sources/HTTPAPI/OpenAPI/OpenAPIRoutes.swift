import Hummingbird
import StrictJSON

/// `/openapi.json`.
struct OpenAPIRoutes: Sendable {
    /// The document's bytes, made once.
    private static let document = Result { try OpenAPIDocument.load().bytes }

    func add(to router: Router<APIContext>) {
        router.get("/openapi.json") { _, _ in Response.json(try Self.document.get()) }
    }
}
