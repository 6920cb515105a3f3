import Domain
import Gateway
import Hummingbird
import Storage
import StrictJSON

/// `/v1/apply`.
struct ApplyRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody
    let ports: OperatorPorts
    let log: ActLog

    func add(to router: Router<APIContext>) {
        router.post("/v1/apply") { request, context in try await apply(request, context) }
    }

    /// Brings the marketplace, its PSP accounts and its merchants to what the body declares, or says what that would come
    /// to.
    private func apply(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.admin)
        let query = try Query(of: request, allowing: ["dry_run", "prune", "resume"])
        let isDryRun = try Self.flag("dry_run", query)
        var mode = ApplyPlan.Mode()
        if try Self.flag("prune", query) { mode.insert(.pausesUndeclared) }
        if try Self.flag("resume", query) { mode.insert(.resumesDeclared) }
        let json = try await body.json(of: request)
        let read = ports.declaration(json, principal.marketplace)
        guard let document = read.document, read.problems.isEmpty else {
            throw Problem.invalid(
                read.problems.map { Violation(pointer: "", code: "invalid_declaration", detail: $0) }
            )
        }
        guard document.marketplace.id == principal.marketplace else {
            throw Problem.invalid([
                Violation(
                    pointer: "/marketplace/id",
                    code: "other_marketplace",
                    detail: "Must be the marketplace that the key is for."
                )
            ])
        }
        let (plan, made) = try await Problem.acting {
            try await Apply(gateway.database, by: principal.actor) { ports.secrets }
                .apply(document, mode, isDryRun: isDryRun)
        }
        if !isDryRun { log.note(.apply, document.marketplace.id, by: principal) }
        return .json(Self.json(plan, made, isDryRun: isDryRun, warnings: read.warnings))
    }

    private static func flag(_ name: String, _ query: Query) throws(Problem) -> Bool {
        switch query[name] {
        case nil, "false": false
        case "true": true
        default: throw Query.refusal(name, "true or false")
        }
    }

    private static func json(
        _ plan: ApplyPlan,
        _ made: [MadeSecret],
        isDryRun: Bool,
        warnings: [String]
    ) -> JSON {
        let steps = ApplyPlan.Step.Action.allCases.map { action in
            JSON.Member(action.rawValue, .array(plan.steps.filter { $0.action == action }.map(json)))
        }
        let secrets: [JSON] = made.map { one in
            [
                "kind": .string(one.kind), "id": .string(one.owner), "endpoint": .string(one.endpoint.text),
                "secret": .string(one.secret.reveal()),
            ]
        }
        return .object(
            [.init("dry_run", .bool(isDryRun))] + steps
                + [.init("secrets", .array(secrets)), .init("warnings", .strings(warnings))]
        )
    }

    private static func json(_ step: ApplyPlan.Step) -> JSON {
        [
            "kind": .string(step.kind), "id": .string(step.id), "fields": .strings(step.fields),
            "paused": .bool(step.isPaused),
        ]
    }
}
