import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// `/v1/merchants`.
struct MerchantRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody

    func add(to router: Router<APIContext>) {
        router.get("/v1/merchants") { request, context in try await list(request, context) }
        router.post("/v1/merchants") { request, context in try await save(request, context) }
        router.get("/v1/merchants/{id}") { request, context in try await show(request, context) }
    }

    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        let own = try principal.reads(Principal.Scope.readers)
        let query = try ListQuery(of: request, allowing: ["status"], moments: false)
        let (page, status) = (query.page, try query.word("status", Merchant.Status.self))
        if let own {
            let merchant = try await gateway.database.read { session in
                try MerchantTable.find(own, of: principal.marketplace, in: session)
            }
            let isShown = page.startingAfter == nil && status.map { $0 == merchant?.status } ?? true
            let data = isShown ? [merchant].compactMap(\.self) : []
            return .json(Page.json(data.map(MerchantDocument.json), next: nil).told(to: principal))
        }
        let found = try await gateway.database.read { session in
            try MerchantTable.list(
                of: principal.marketplace,
                after: try Self.place(page, of: principal.marketplace, in: session),
                limit: page.limit + 1,
                status: status,
                in: session
            )
        }
        let shown = found.prefix(page.limit)
        let next = found.count > page.limit ? shown.last?.externalIdentifier : nil
        return .json(Page.json(shown.map(MerchantDocument.json), next: next).told(to: principal))
    }

    /// The external identifier behind which a page begins; the list is in their order, cursors may be ids too.
    private static func place(_ page: Page, of marketplace: String, in session: any Session) throws -> String {
        guard let cursor = page.startingAfter else { return "" }
        try Query.check(cursor, of: "starting_after", by: .identifier)
        guard let id = MerchantID(cursor) else { return cursor }
        guard let merchant = try MerchantTable.find(id, of: marketplace, in: session) else {
            throw Query.refusal("starting_after", "the id of a merchant")
        }
        return merchant.externalIdentifier
    }

    /// Creates a merchant, or updates the one with the same external identifier.
    private func save(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        let json = try await body.json(of: request)
        _ = try Query(of: request, allowing: [])
        let reader = try Problem.reading { () throws(InvalidDocument) in try MerchantReader(json) }
        if let zone = reader.document.profile.timeZone, await TimeZones.calendar(of: zone) == nil {
            let sentence = "Is not in this machine's tz database."
            throw Problem.invalid([Violation(pointer: "/time_zone", code: "unknown_time_zone", detail: sentence)])
        }
        let saved: (merchant: Merchant, isNew: Bool)
        do {
            saved = try await Merchants(gateway.database, by: principal.actor).save(
                reader.document,
                reader.status,
                of: principal.marketplace,
                capabilities: gateway.directory.capabilities,
                at: gateway.clock.now()
            )
        } catch let refusal as InvalidDocument {
            throw Problem.invalid(refusal.violations)
        }
        return .json(
            MerchantDocument.json(saved.merchant).told(to: principal).bytes,
            status: saved.isNew ? .created : .ok,
            headers: [("Location", "/v1/merchants/\(saved.merchant.id)")]
        )
    }

    /// A merchant by id or external identifier; a merchant's own key sees itself only.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.requireReading()
        _ = try Query(of: request, allowing: [])
        let name = context.pathParameter("id")
        let found = try await gateway.database.read { session in
            try Self.merchant(name, visibleTo: principal, in: session)
        }
        return .json(MerchantDocument.json(found).told(to: principal))
    }

    /// The merchant that a path names by id or external identifier.
    ///
    /// - Throws: a 422 ``Problem`` for what cannot be a name, the same one whether there is none or the key may not see
    ///   it, or `SQLError`.
    static func merchant(
        _ name: String?,
        visibleTo principal: Principal,
        in session: any Session
    ) throws -> Merchant {
        guard let name else { throw Problem.notFound }
        try Query.check(name, of: "{id}", by: .identifier)
        let found: Merchant?
        if let id = MerchantID(name) {
            found = try MerchantTable.find(id, of: principal.marketplace, in: session)
        } else {
            found = try MerchantTable.find([name], of: principal.marketplace, in: session).first
        }
        guard let found, principal.onlyMerchant.map({ $0 == found.id }) ?? true else {
            throw Problem.notFound
        }
        return found
    }
}

/// The body of `POST /v1/merchants`: a merchant, and whether it takes new payments.
struct MerchantReader {
    /// The merchant.
    let document: MerchantDocument
    /// Whether it takes new payments; nil leaves that as it is.
    let status: Merchant.Status?

    /// Reads a body.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    init(_ json: JSON) throws(InvalidDocument) {
        self = try json.read(refusingNull: true) { body in
            let document = MerchantDocument(body)
            let status = body.choice("status", .optional, of: Merchant.Status.self)
            return document.map { MerchantReader(document: $0, status: status) }
        }
    }

    private init(document: MerchantDocument, status: Merchant.Status?) {
        self.document = document
        self.status = status
    }
}
