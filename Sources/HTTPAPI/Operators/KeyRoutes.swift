import Domain
import Gateway
import Hummingbird
import Keyring
import SQL
import Storage
import StrictJSON

/// `/v1/keys`: who administers a marketplace makes, lists and revokes its API keys.
struct KeyRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody
    let log: ActLog

    func add(to router: Router<APIContext>) {
        router.get("/v1/key") { request, context in try await show(request, context) }
        router.get("/v1/keys") { request, context in try await list(request, context) }
        router.post("/v1/keys") { request, context in try await create(request, context) }
        router.post("/v1/keys/{id}/revoke") { request, context in try await revoke(request, context) }
    }

    /// The key that is shown, so that whoever has it knows what it opens.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.reads([.checkout, .support, .operator, .adjuster, .admin])
        _ = try Query(of: request, allowing: [])
        guard let key = try await find(principal.key, of: principal) else { throw Problem.notFound }
        return .json(.object((Self.json(key).objectValue ?? []) + [.init("marketplace", .string(key.marketplace))]))
    }

    /// Lists keys, the revoked ones too, never their text.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.admin)
        let page = try Page(Query(of: request, allowing: Page.parameters))
        let cursor = page.startingAfter.map { KeyID($0) }
        if case .some(nil) = cursor { throw Query.refusal("starting_after", "the id of a key") }
        let found = try await gateway.database.read { session in
            try APIKeyTable.list(of: principal.marketplace, after: cursor ?? nil, limit: page.limit + 1, in: session)
        }
        let shown = found.prefix(page.limit)
        let next = found.count > page.limit ? shown.last?.id.text : nil
        return .json(Page.json(shown.map { Self.json($0) }, next: next))
    }

    /// Makes a key, whose text is answered this once: the same request again is answered without it.
    private func create(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.admin)
        _ = try Query(of: request, allowing: [])
        let idempotencyKey = try IdempotencyKey.text(of: request)
        let json = try await body.json(of: request)
        let wanted = try Problem.reading { () throws(InvalidDocument) in try ActReader.key(json) }
        let keys = APIKeys(gateway.database) { key in APIKeyHash.of(key) }
        let made = try await Problem.acting {
            try await keys.create(
                wanted,
                by: principal.key,
                as: principal.actor,
                of: principal.marketplace,
                under: idempotencyKey,
                random: Keyring.makeKey(),
                at: gateway.clock.now()
            )
        }
        guard let text = made.text else {
            return .json(Self.json(made.key).bytes, status: .ok, headers: [("Idempotent-Replayed", "true")])
        }
        log.note(.createKey, made.key.id.text, by: principal)
        return .json(Self.json(made.key, text).bytes, status: .created)
    }

    /// Revokes a key, at once and for good; one that is revoked stays so.
    private func revoke(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.admin)
        _ = try Query(of: request, allowing: [])
        let json = try await body.optionalJSON(of: request)
        try Problem.reading { () throws(InvalidDocument) in try RequestReader.nothing(json) }
        guard let id = context.pathParameter("id").flatMap({ KeyID($0) }), try await find(id, of: principal) != nil
        else { throw Problem.notFound }
        let now = gateway.clock.now()
        if try await APIKeys.revoke(id, by: principal.actor, at: now, in: gateway.database) {
            log.note(.revokeKey, id.text, by: principal)
        }
        guard let revoked = try await find(id, of: principal) else { throw Problem.notFound }
        return .json(Self.json(revoked))
    }

    private func find(_ id: KeyID, of principal: Principal) async throws -> APIKeyTable.Key? {
        try await gateway.database.read { session in
            try APIKeyTable.find(id, of: principal.marketplace, in: session)
        }
    }

    /// A key as it is shown, with its text only when it is made.
    private static func json(_ key: APIKeyTable.Key, _ text: Secret? = nil) -> JSON {
        .object(omittingAbsent: [
            "id": .string(key.id.text), "livemode": .bool(key.mode == .live),
            "key": text.map { .string($0.reveal()) }, "name": .string(key.name),
            "scopes": .strings(key.scopes.sorted()), "networks": .strings(key.networks.map(\.description)),
            "created_at": .string(key.createdAt.description),
            "expires_at": .optional(key.expiresAt?.description), "revoked_at": .optional(key.revokedAt?.description),
            "last_used_at": .optional(key.lastUsedAt?.description), "api_version": .optional(key.apiVersion),
        ])
    }
}
