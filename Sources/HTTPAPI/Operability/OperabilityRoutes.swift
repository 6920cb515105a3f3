import Gateway
import Hummingbird
import StrictJSON

/// `/livez` and `/readyz`.
struct OperabilityRoutes: Sendable {
    let readiness: Readiness

    func add(to router: Router<APIContext>) {
        router.get("/livez") { _, _ in Response.json(["status": "alive"]) }
        router.get("/readyz") { _, _ in try await ready() }
    }

    /// Ready while every check passes; how each stands, and what is wrong with those that do not.
    private func ready() async throws -> Response {
        let states = await readiness.states()
        let failed = states.compactMap { name, state -> (name: String, reason: String)? in
            if case .failed(let reason) = state { (name, reason) } else { nil }
        }
        guard failed.isEmpty else {
            throw Problem(
                status: .serviceUnavailable,
                code: "not_ready",
                detail: failed.map { "\($0.name): \($0.reason)" }.joined(separator: " "),
                errors: failed.map { Violation(pointer: "/checks/\($0.name)", code: "not_ready", detail: $0.reason) },
                retryAfterSeconds: 1
            )
        }
        let warnings = states.compactMap { name, state -> JSON.Member? in
            if case .warned(let reason) = state { JSON.Member(name, .string(reason)) } else { nil }
        }
        let warned = Set(warnings.map(\.key))
        let checks = states.map { JSON.Member($0.name, .string(warned.contains($0.name) ? "warning" : "ok")) }
        return .json(["status": "ready", "checks": .object(checks), "warnings": .object(warnings)])
    }
}
