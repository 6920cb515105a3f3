import Gateway
import Hummingbird
import SQL
import StrictJSON

/// `/livez` and `/readyz`.
struct OperabilityRoutes: Sendable {
    let gateway: Gateway

    func add(to router: Router<APIContext>) {
        router.get("/livez") { _, _ in Response.json(["status": "alive"]) }
        router.get("/readyz") { _, _ in try await ready() }
    }

    /// Ready once the database answers.
    private func ready() async throws -> Response {
        do {
            _ = try await gateway.database.now()
            return .json(["status": "ready"])
        } catch is SQLError {
            throw Problem(
                status: .serviceUnavailable,
                code: "not_ready",
                detail: "The database cannot be reached.",
                retryAfterSeconds: 1
            )
        }
    }
}
