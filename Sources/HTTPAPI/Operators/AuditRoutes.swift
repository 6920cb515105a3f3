import Domain
import Gateway
import Hummingbird
import SQL
package import Storage
package import StrictJSON

/// `/v1/audit`: who did what by hand.
struct AuditRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator

    func add(to router: Router<APIContext>) {
        router.get("/v1/audit") { request, context in try await list(request, context) }
    }

    /// Entries of the marketplace's trail, newest first, those without a seal too.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.support, .operator, .admin)
        let query = try ListQuery(of: request, allowing: ["act", "actor", "subject"])
        var filter = AuditTrailTable.Filter(marketplace: principal.marketplace)
        filter.act = try query.word("act", AuditAct.self)
        filter.actor = try query.text("actor", by: .freeText)
        filter.subject = try query.text("subject", by: .freeText)
        filter.since = query.created.from
        // The list's end is inclusive, to the microsecond.
        filter.until = query.created.to.map { Timestamp(microseconds: $0.microseconds + 1) }
        filter.before = try query.cursor("an entry", AuditID.self)
        let limit = query.page.limit
        let found = try await gateway.database.read { [filter] session in
            try AuditTrailTable.list(filter, limit: limit + 1, in: session)
        }
        let shown = found.prefix(limit)
        return .json(Page.json(shown.map(AuditPresenter.json), next: found.count > limit ? shown.last?.id : nil))
    }
}

/// Writes entries of the audit trail as they are shown.
package enum AuditPresenter {
    /// How somebody acted: `http`, with an API key, or `direct`, on the database itself, as everybody else does.
    package static func way(of entry: AuditTrailTable.Entry) -> String {
        entry.actorKind == AuditActor.Kind.key.rawValue ? "http" : "direct"
    }

    /// An entry; without a number and a hash until it is sealed.
    package static func json(_ entry: AuditTrailTable.Entry) -> JSON {
        [
            "id": .string(entry.id), "number": .optional(entry.seal?.number), "hash": .optional(entry.seal?.hash),
            "created_at": .string(entry.at.description),
            "actor": [
                "kind": .string(entry.actorKind), "via": .string(way(of: entry)), "id": .string(entry.actor),
                "name": .optional(entry.actorName),
                "shown_key": .optional(entry.shownKey), "origin": .optional(entry.origin),
            ],
            "act": .string(entry.act),
            "subject": ["kind": .string(entry.subjectKind), "id": .string(entry.subject)],
            "request": .optional(entry.request),
            "details": (try? JSON.parse(text: entry.details)) ?? .string(entry.details),
        ]
    }
}
