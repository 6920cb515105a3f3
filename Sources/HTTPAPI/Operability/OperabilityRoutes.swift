import Gateway
import HTTPTypes
import Hummingbird
import SQL
import Storage
import StrictJSON

/// `/livez`, `/readyz` and `/metrics`.
struct OperabilityRoutes: Sendable {
    let gateway: Gateway
    let refused: RefusedAttempts

    func add(to router: Router<APIContext>) {
        router.get("/livez") { _, _ in Response.json(["status": "alive"]) }
        router.get("/readyz") { _, _ in try await ready() }
        router.get("/metrics") { _, _ in try await metrics() }
    }

    /// What waits, in the text format that Prometheus reads; sums over everybody, so that no key is needed.
    private func metrics() async throws -> Response {
        let now = gateway.clock.now()
        let (census, ledger) = try await gateway.database.read { session in
            (try CallbackStatistics.read(in: session), try LedgerWatchTable.health(in: session))
        }
        var metrics = Metrics(callbacks: census, ledger: ledger, at: now)
        metrics.add(refused.totals)
        let text = metrics.text
        return Response(
            status: .ok,
            headers: [.contentType: Metrics.contentType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
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
