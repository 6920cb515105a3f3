import Domain
import Gateway
import Hummingbird
import SQL
import Storage
import StrictJSON

/// `/v1/merchants/{id}/invoices` and `/v1/invoices/{id}`.
struct InvoiceRoutes: Sendable {
    let gateway: Gateway
    let authenticator: Authenticator
    let body: RequestBody

    func add(to router: Router<APIContext>) {
        router.post("/v1/merchants/{id}/invoices") { request, context in try await issue(request, context) }
        router.get("/v1/merchants/{id}/invoices") { request, context in try await list(request, context) }
        router.get("/v1/invoices/{id}") { request, context in try await show(request, context) }
    }

    /// Issues the invoice of a month, or answers the one that there is.
    private func issue(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.require(.operator)
        let json = try await body.json(of: request)
        _ = try Query(of: request, allowing: [])
        let wanted = try Problem.reading { () throws(InvalidDocument) in try InvoiceRequest(json) }
        let name = context.pathParameter("id")
        let parties = try await gateway.database.read { session in
            try StatementParties(named: name, visibleTo: principal, in: session)
        }
        guard let merchant = parties.merchant else { throw Problem.notFound }
        let zone = merchant.profile.timeZone ?? parties.marketplace.profile.timeZone ?? LocalCalendar.utc.zone
        guard let calendar = await TimeZones.calendar(of: zone) else { throw Problem.unknownTimeZone(zone) }
        do {
            let invoices = Invoices(database: gateway.database, clock: gateway.clock, by: principal.actor)
            let (invoice, isNew) = try await invoices.issue(
                to: merchant,
                in: wanted.currency,
                over: calendar.month(of: calendar.start(of: wanted.firstDay)),
                of: calendar
            )
            return .json(
                InvoicePresenter.json(invoice).told(to: principal).bytes,
                status: isNew ? .created : .ok,
                headers: [("Location", "/v1/invoices/\(invoice.id)")]
            )
        } catch let refusal as InvoiceRefusal {
            throw Problem(refusal)
        }
    }

    /// A merchant's invoices, the newest first; a merchant's own key sees its own only.
    private func list(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.requireStatements()
        let page = try Page(Query(of: request, allowing: Page.parameters))
        let name = context.pathParameter("id")
        let found = try await gateway.database.read { session in
            let merchant = try MerchantRoutes.merchant(name, visibleTo: principal, in: session)
            return try InvoiceTable.list(
                of: merchant.id,
                marketplace: principal.marketplace,
                before: try Self.place(page, of: merchant, in: session),
                limit: page.limit + 1,
                in: session
            )
        }
        let shown = found.prefix(page.limit)
        let next = found.count > page.limit ? shown.last?.id.text : nil
        return .json(Page.json(shown.map(InvoicePresenter.json), next: next).told(to: principal))
    }

    /// The number of the invoice behind which a page begins.
    private static func place(_ page: Page, of merchant: Merchant, in session: any Session) throws -> Int64? {
        guard let cursor = page.startingAfter else { return nil }
        guard let id = InvoiceID(cursor),
            let invoice = try InvoiceTable.find(id, of: merchant.marketplace, in: session),
            invoice.scope.merchant == merchant.id
        else { throw Query.refusal("starting_after", "the id of an invoice") }
        return invoice.number
    }

    /// An invoice; a merchant's own key sees its own only.
    private func show(_ request: Request, _ context: APIContext) async throws -> Response {
        let principal = try await authenticator.principal(of: request, context)
        try principal.requireStatements()
        let query = try Query(of: request, allowing: ["format"])
        let format = try PaperFormat.asked(query, request, among: [.json, .html, .pdf])
        guard let id = context.pathParameter("id").flatMap({ InvoiceID($0) }) else { throw Problem.notFound }
        let found = try await gateway.database.read { session in
            try InvoiceTable.find(id, of: principal.marketplace, in: session)
        }
        guard let found, principal.onlyMerchant.map({ $0 == found.scope.merchant }) ?? true else {
            throw Problem.notFound
        }
        guard format != .json else { return .json(InvoicePresenter.json(found).told(to: principal)) }
        let calendar = await TimeZones.calendar(of: found.timeZone) ?? .utc
        return try PaperFile(name: InvoicePresenter.fileName(found), format: format)
            .response(InvoicePresenter.document(found, in: calendar))
    }
}

/// The body of `POST /v1/merchants/{id}/invoices`: a currency and a month.
struct InvoiceRequest {
    /// The currency.
    let currency: Currency
    /// The first day of the month.
    let firstDay: CalendarDay

    /// Reads a body.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    init(_ json: JSON) throws(InvalidDocument) {
        self = try json.read(refusingNull: true) { body in
            let currency = body.parsed("currency", expecting: "an ISO 4217 code, such as USD") { Currency(code: $0) }
            let firstDay = body.parsed("month", expecting: "a month, such as 2026-11") { text in
                text.utf8.count == 7 ? CalendarDay(text + "-01") : nil
            }
            guard let currency, let firstDay else { return nil }
            return InvoiceRequest(currency: currency, firstDay: firstDay)
        }
    }

    private init(currency: Currency, firstDay: CalendarDay) {
        self.currency = currency
        self.firstDay = firstDay
    }
}

extension Problem {
    /// A time zone that is declared and that this machine does not know.
    static func unknownTimeZone(_ zone: String) -> Problem {
        Problem(
            status: .conflict,
            code: "unknown_time_zone",
            detail: "The time zone that is declared, \(zone), is not in this machine's tz database."
        )
    }

    /// Why no invoice is issued.
    init(_ refusal: InvoiceRefusal) {
        switch refusal {
        case .notClosed(let time):
            self.init(
                status: .conflict,
                code: "period_not_closed",
                detail: "The books of this month are not closed; they are soon after \(time.wholeSeconds)."
            )
        case .overlaps(let id):
            self.init(
                status: .conflict,
                code: "invoice_overlaps",
                detail: "Invoice \(id) has a part of this time. The time zone was another then."
            )
        case .nothingToInvoice:
            self.init(
                status: .unprocessableContent,
                code: "nothing_to_invoice",
                detail: "There was no commission in this currency in this month."
            )
        case .issuerUnknown:
            self.init(
                status: .conflict,
                code: "legal_entity_missing",
                detail: "Declare under marketplace/legal who issues invoices: name and address."
            )
        case .recipientUnknown:
            self.init(
                status: .conflict,
                code: "legal_entity_missing",
                detail: "Declare under the merchant's legal whom its invoices are for."
            )
        }
    }
}
