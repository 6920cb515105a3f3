import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import Printing
import SQL
import Settings
import Storage
import StrictJSON

/// `tributary invoices`.
struct InvoiceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invoices",
        abstract: "Invoice merchants for the commission of a month, once; list and print what was issued.",
        subcommands: [IssueInvoice.self, ListInvoices.self, ShowInvoice.self]
    )
}

/// `tributary invoices issue`.
struct IssueInvoice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issue the commission invoice of a merchant, a currency and a month.",
        discussion: """
            The month is one of the merchant's time zone (time_zone), else the marketplace's, and its books are closed, which
            they are some twenty minutes after it. Numbers of a marketplace have no gaps, and an invoice never changes. Issued
            again, nothing changes. Needs the names and addresses of both (legal). Exits 1 if it is refused.

            Example:
              tributary invoices issue airline-1 --currency EUR --month 2026-11
            """
    )

    @Argument(help: ArgumentHelp("The merchant's external identifier, or its id (mer_…).", valueName: "merchant"))
    var merchant: String

    @OptionGroup var currency: CurrencyOption

    @Option(name: .long, help: ArgumentHelp("The month, as 2026-11.", valueName: "month"))
    var month: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func validate() throws { _ = try firstDay() }

    func run() async throws {
        let (invoice, isNew) = try await acting.act(in: marketplace) { settings in
            try await issue(settings)
        } remotely: { server in
            let path = "/v1/merchants/\(RemoteServer.segment(merchant))/invoices"
            let body: JSON = ["currency": .string(currency.currency.code), "month": .string(month)]
            let missing = CommandFailure(DirectoryRefusal.unknownMerchant(merchant))
            let answer = try await server.post(path, body, orSaying: missing)
            return (answer.json.without("livemode"), answer.status == 201)
        }
        output.write(Table(invoices: [invoice]), json: invoice)
        if !isNew { Console.note("\(invoice.text("number")) is issued already for this month; nothing was changed.") }
    }

    private func issue(_ settings: ServerSettings) async throws -> (JSON, Bool) {
        let day = try firstDay()
        return try await DatabaseUse.looking.open(settings) { [marketplace, merchant, currency] database in
            let (owner, zone) = try await database.read { session in
                let owner = try marketplace.merchant(merchant, in: session)
                let rows = try session.rows(MarketplaceTable.named(owner.marketplace))
                let zone = try owner.profile.timeZone ?? MarketplaceTable.read(rows).first?.profile.timeZone
                return (owner, zone ?? LocalCalendar.utc.zone)
            }
            guard let calendar = await TimeZones.calendar(of: zone) else {
                throw CommandFailure.unusable("this machine has no tz database entry \(zone.harmless)")
            }
            let (invoice, isNew) = try await Invoices(
                database: database,
                clock: DatabaseClock(database),
                by: .commandLine
            ).issue(
                to: owner,
                in: currency.currency,
                over: calendar.month(of: calendar.start(of: day)),
                of: calendar
            )
            return (InvoicePresenter.json(invoice), isNew)
        }
    }

    private func firstDay() throws -> CalendarDay {
        guard month.utf8.count == 7, let day = CalendarDay(month + "-01") else {
            throw ValidationError("\(month.harmless) is no month; write 2026-11")
        }
        return day
    }
}

/// `tributary invoices list`.
struct ListInvoices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the commission invoices of a merchant, the newest first."
    )

    @Argument(help: ArgumentHelp("The merchant's external identifier, or its id (mer_…).", valueName: "merchant"))
    var merchant: String

    @Option(name: .long, help: "How many at most.")
    var limit: ListLimit = .usual

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let invoices = try await DatabaseUse.looking.open(database.settings()) {
            [marketplace, merchant, limit] database in
            try await database.read { session in
                let owner = try marketplace.merchant(merchant, in: session)
                return try InvoiceTable.list(
                    of: owner.id,
                    marketplace: owner.marketplace,
                    before: nil,
                    limit: limit.count,
                    in: session
                )
            }
        }
        let documents = invoices.map(InvoicePresenter.json)
        output.write(Table(invoices: documents), json: .array(documents))
    }
}

/// `tributary invoices show`.
struct ShowInvoice: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a commission invoice as JSON, or print it.",
        discussion: """
            Example:
              tributary invoices show inv_01… --format pdf > invoice.pdf
            """
    )

    /// How an invoice is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// JSON; amounts as integers in minor units.
        case json
        /// A page made for print.
        case html
        /// The same as PDF.
        case pdf
    }

    @Argument(help: ArgumentHelp("The invoice's id (inv_…).", valueName: "invoice"), transform: Self.identifier)
    var invoice: InvoiceID

    @Option(name: .long, help: "How to write it: json, html or pdf.")
    var format: Format = .json

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [marketplace, invoice] database in
            try await database.read { session in
                try InvoiceTable.find(invoice, of: marketplace.choose(in: session), in: session)
            }
        }
        guard let found else { throw CommandFailure.finding("there is no invoice \(invoice)") }
        let calendar = await TimeZones.calendar(of: found.timeZone) ?? .utc
        switch format {
        case .json: Console.out(InvoicePresenter.json(found).prettyText)
        case .html: Console.out(bytes: HTMLPage.text(InvoicePresenter.document(found, in: calendar)).utf8)
        case .pdf: Console.out(bytes: try PDFPage.bytes(InvoicePresenter.document(found, in: calendar)))
        }
    }

    private static func identifier(_ text: String) throws -> InvoiceID {
        guard let id = InvoiceID(text) else { throw ValidationError("\(text.harmless) is no invoice's id; see list") }
        return id
    }
}

extension Table {
    /// A row for each invoice.
    fileprivate init(invoices: [JSON]) {
        self.init("id", "number", "currency", "first_day", "last_day", "net", "tax", "total", "due", "issued_at")
        for invoice in invoices {
            let currency = invoice["currency"]
            add(
                .text(of: invoice["id"]),
                .text(of: invoice["number"]),
                .text(of: currency),
                .text(of: invoice["first_day"]),
                .text(of: invoice["last_day"]),
                .amount(of: invoice["net"], in: currency),
                .amount(of: invoice["tax"], in: currency),
                .amount(of: invoice["total"], in: currency),
                .amount(of: invoice["due"], in: currency),
                .moment(of: invoice["issued_at"])
            )
        }
    }
}

extension CommandFailure {
    /// Says why no invoice is issued.
    init(_ refusal: InvoiceRefusal) {
        switch refusal {
        case .notClosed(let time):
            self = .finding("the books of this month are not closed; they are soon after \(time.wholeSeconds)")
        case .overlaps(let id): self = .finding("invoice \(id) has a part of this time; the time zone was another then")
        case .nothingToInvoice: self = .finding("there was no commission in this currency in this month")
        case .issuerUnknown: self = .finding("declare under marketplace/legal who issues invoices: name and address")
        case .recipientUnknown: self = .finding("declare under the merchant's legal whom its invoices are for")
        }
    }
}
