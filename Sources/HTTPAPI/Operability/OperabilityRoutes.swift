import Gateway
import HTTPTypes
import Hummingbird
import SQL
import Storage
import StrictJSON

/// `/livez` and `/readyz`.
struct OperabilityRoutes: Sendable {
    let gateway: Gateway

    func add(to router: Router<APIContext>) {
        router.get("/livez") { _, _ in Response.json(["status": "alive"]) }
        router.get("/readyz") { _, _ in try await ready() }
    }

    /// Ready once the database answers from its tables.
    private func ready() async throws -> Response {
        do {
            try await gateway.database.read { session in try DatabaseProbe.touch(in: session) }
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
