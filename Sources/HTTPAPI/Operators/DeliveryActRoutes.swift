import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// What operators do about callbacks of all endpoints at once, about webhooks that cannot be told to their orders, and about
/// the hashes that wallets name merchants by.
struct DeliveryActRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody
    let log: ActLog

    func add(to router: Router<APIContext>) {
        router.post("/v1/callbacks/replay") { request, context in try await replay(request, context) }
        router.post("/v1/psp-webhooks/{id}/dismiss") { request, context in try await dismiss(request, context) }
        router.post("/v1/apple-pay/hashes") { request, context in try await decide(request, context) }
    }

    /// Delivers callbacks again, those that are named or all that the body says; or says how many that would be.
    private func replay(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let wanted = try Problem.reading { () throws(InvalidDocument) in
            try WantedCallbacks(json, of: principal.marketplace)
        }
        let replay = CallbackReplay(gateway.database, by: principal.actor, isDryRun: wanted.isDryRun)
        let now = gateway.clock.now()
        let count: Int
        if wanted.callbacks.isEmpty {
            count = try await replay.replay(wanted.filter, at: now)
        } else {
            try await check(wanted.callbacks, of: principal.marketplace)
            count = try await Problem.acting { try await replay.replay(wanted.callbacks, at: now) }
        }
        if !wanted.isDryRun, count > 0 { log.note(.replayCallbacks, principal.marketplace, by: principal) }
        return .json(["dry_run": .bool(wanted.isDryRun), "replayed": .integer(Int64(count))])
    }

    /// Refuses callbacks that there are not, or that are another marketplace's.
    private func check(_ ids: [CallbackID], of marketplace: String) async throws {
        let unknown = try await gateway.database.read { session -> Int? in
            for (index, id) in ids.enumerated() {
                guard let found = try CallbackTable.find(id, in: session), found.content.marketplace == marketplace
                else { return index }
            }
            return nil
        }
        guard let unknown else { return }
        throw Problem.invalid([
            Violation(
                pointer: "/callbacks/\(unknown)",
                code: "unknown_callback",
                detail: "There is no callback \(ids[unknown])."
            )
        ])
    }

    /// Says that nothing is left to do about what a PSP told.
    private func dismiss(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let person = principal.caller.actor
        let proof = try Problem.reading { () throws(InvalidDocument) in try Self.evidence(json, by: person) }
        guard let id = context.pathParameter("id").flatMap({ WebhookID($0) }) else { throw Problem.notFound }
        let known = try await gateway.database.read { session in try WebhookTable.find(id, in: session) }
        guard let known, known.marketplace == principal.marketplace else { throw Problem.notFound }
        let after = try await gateway.dismiss(id, proof, by: principal.actor)
        guard known.state == .problem, let after else {
            throw Problem(
                status: .conflict,
                code: "webhook_not_a_problem",
                detail: "\(known.id) is \(known.state.rawValue): there is nothing to dismiss."
            )
        }
        log.note(.dismissWebhook, id.text, by: principal)
        return .json(DeliveryPresenter.json(after).told(to: principal))
    }

    private static func evidence(
        _ json: JSON,
        by person: String
    ) throws(InvalidDocument) -> OrderRequest.Evidence {
        try json.read(refusingNull: true) { body -> OrderRequest.Evidence? in
            let evidence = body.string("evidence", length: 1...500, by: TextRule.freeText.accept)
            let reason = body.string("reason", length: 1...500, by: TextRule.freeText.accept)
            guard let evidence, let reason else { return nil }
            return OrderRequest.Evidence(evidence: evidence, reason: reason, by: person)
        }
    }

    /// Says whose a hash of multi-merchant tokens is, or is not.
    private func decide(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        _ = try Query(of: request, allowing: [])
        let json = try await body.json(of: request)
        let row = try Problem.reading { () throws(InvalidDocument) in try Self.decision(json) }
        let isWritten = try await Problem.acting {
            try await MerchantHashes(gateway.database, by: principal.actor).decide(
                row.hash,
                of: row.identifier,
                in: MarketplaceChoice(principal.marketplace),
                row.state.stored,
                at: gateway.clock.now()
            )
        }
        guard isWritten else { throw Problem.notFound }
        log.note(.decideMerchantHash, row.hash, by: principal)
        return .json([
            "hash": .string(row.hash), "merchant_identifier": .string(row.identifier),
            "state": .string(row.state.rawValue),
        ])
    }

    /// What a person may say of a hash.
    private enum Verdict: String, CaseIterable {
        case confirmed
        case rejected

        var stored: MerchantHashTable.State { self == .confirmed ? .confirmed : .rejected }
    }

    private static func decision(
        _ json: JSON
    ) throws(InvalidDocument) -> (hash: String, identifier: String, state: Verdict) {
        try json.read(refusingNull: true) { body -> (hash: String, identifier: String, state: Verdict)? in
            let hash = body.string("hash", length: 1...128, by: TextRule.identifier.accept)
            let identifier = body.string("merchant_identifier", length: 1...128, by: TextRule.identifier.accept)
            let state = body.choice("state", of: Verdict.self)
            guard let hash, let identifier, let state else { return nil }
            return (hash, identifier, state)
        }
    }
}

/// The body of `POST /v1/callbacks/replay`: callbacks by their ids, or what they have in common.
struct WantedCallbacks {
    private static let countLimit = 1000

    /// The callbacks; empty if the filter counts.
    let callbacks: [CallbackID]
    /// What they have in common.
    let filter: CallbackTable.Filter
    /// Whether to say only how many there are.
    let isDryRun: Bool

    /// Reads a body.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    init(_ json: JSON, of marketplace: String) throws(InvalidDocument) {
        self = try json.read(refusingNull: true) { body in
            let callbacks = body.strings(
                "callbacks",
                .optional,
                count: 1...Self.countLimit,
                expecting: "a callback's id"
            ) { CallbackID($0) }
            var filter = CallbackTable.Filter(marketplace: marketplace)
            filter.state = body.choice("status", .optional, of: StoredCallback.State.self)
            filter.endpoint = body.parsed("endpoint", .optional, expecting: "an endpoint's id") { EndpointID($0) }
            filter.order = body.parsed("order", .optional, expecting: "an order's id") { OrderID($0) }
            filter.type = body.string("type", .optional, by: TextRule.reference.accept)
            filter.from = ActReader.moment("from", body)
            filter.until = ActReader.moment("to", body)
            let isDryRun = body.bool("dry_run", .optional) ?? false
            let named = ["status", "endpoint", "order", "type", "from", "to"].filter(body.contains)
            if body.contains("callbacks") {
                for name in named { body.refuse(name, "contradiction", "Cannot stand beside callbacks.") }
            } else if named.isEmpty {
                body.refuse("callbacks", "missing_field", "Say which: callbacks, or status, endpoint, order and so on.")
            }
            return WantedCallbacks(callbacks: callbacks ?? [], filter: filter, isDryRun: isDryRun)
        }
    }

    private init(callbacks: [CallbackID], filter: CallbackTable.Filter, isDryRun: Bool) {
        self.callbacks = callbacks
        self.filter = filter
        self.isDryRun = isDryRun
    }
}
