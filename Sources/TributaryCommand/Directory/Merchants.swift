import ArgumentParser
import Domain
import Gateway
import SQL
import Storage
import StrictJSON

/// `tributary merchants`.
struct MerchantCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merchants",
        abstract: "List, show, pause and resume merchants.",
        subcommands: [ListMerchants.self, ShowMerchant.self, PauseMerchant.self, ResumeMerchant.self]
    )
}

/// `tributary merchants list`.
struct ListMerchants: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List a marketplace's merchants, by external identifier."
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let merchants = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                try Merchants.all(of: marketplace.choose(in: session), in: session)
            }
        }
        output.write(Table(merchants: merchants), json: .array(merchants.map(MerchantDocument.json)))
    }
}

/// `tributary merchants show`.
struct ShowMerchant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a merchant, its commission and its routes.",
        discussion: "CSV has a line for each route. Exits 1 if there is no such merchant."
    )

    @Argument(
        help: ArgumentHelp("The merchant's external identifier, or its id (mer_…).", valueName: "merchant")
    )
    var merchant: String

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let found = try await DatabaseUse.looking.open(database.settings()) { [marketplace, merchant] database in
            try await database.read { session in try marketplace.merchant(merchant, in: session) }
        }
        let routes = Table(routesOf: found)
        switch output.format {
        case .table: Console.out("\(Table(merchants: [found]).text)\n\nRoutes\n\(routes.text)")
        case .json: Console.out(MerchantDocument.json(found).prettyText)
        case .csv: output.write(routes)
        }
    }
}

/// `tributary merchants pause`.
struct PauseMerchant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Take no new orders for merchants; what is placed goes on."
    )

    @OptionGroup var change: MerchantStatusChange

    func run() async throws { try await change.set(.paused) }
}

/// `tributary merchants resume`.
struct ResumeMerchant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Take orders again for merchants that were paused."
    )

    @OptionGroup var change: MerchantStatusChange

    func run() async throws { try await change.set(.active) }
}

/// The merchants that are paused or resumed.
struct MerchantStatusChange: ParsableArguments {
    @Argument(help: ArgumentHelp("The merchants' external identifiers.", valueName: "merchant"))
    var merchants: [String]

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    /// Sets the status of all of them, or of none if one is unknown.
    ///
    /// - Throws: ``CommandFailure`` if one is unknown, or `SQLError`.
    func set(_ status: Merchant.Status) async throws {
        let changed = try await DatabaseUse.looking.open(database.settings()) { [marketplace, merchants] database in
            let now = Timestamp(microseconds: try await database.now())
            return try await Merchants(database, by: .commandLine)
                .setStatus(status, of: merchants, in: marketplace.choice, at: now)
        }
        output.write(Table(merchants: changed))
    }
}

extension Table {
    /// A row for each merchant.
    init(merchants: [Merchant]) {
        self.init(
            "external_identifier",
            "name",
            "kind",
            "status",
            "statement_descriptor",
            "commission",
            "psp_accounts",
            "id"
        )
        for merchant in merchants {
            add(
                .text(merchant.externalIdentifier),
                .text(merchant.name),
                .text(merchant.kind.rawValue),
                .text(merchant.status.rawValue),
                .optional(merchant.statementDescriptor),
                .optional(merchant.commission.words),
                .text(merchant.routes.map(\.pspAccount).joined(separator: ", ")),
                .text(merchant.id.text)
            )
        }
    }

    /// A row for each route of a merchant, in order of preference.
    init(routesOf merchant: Merchant) {
        self.init(
            "psp_account",
            "merchant_account",
            "settles_to",
            "commission_by",
            "currencies",
            "wallets",
            "networks"
        )
        for route in merchant.routes {
            add(
                .text(route.pspAccount),
                .optional(route.merchantAccount),
                .text(route.settlesTo.rawValue),
                .optional(route.settlesTo == .merchant ? route.commissionBy.rawValue : nil),
                .text(Self.all(route.currencies)),
                .text(Self.all(route.wallets)),
                .text(Self.all(route.networks))
            )
        }
    }

    private static func all(_ names: [String]) -> String { names.isEmpty ? "all" : names.joined(separator: ", ") }
}

extension CommissionRule {
    /// The rule in short: `12.5% + 0.30 USD`, and `12.5% of goods` where it is charged on something unusual; nil if nothing
    /// is kept.
    var words: String? {
        let rate = basisPoints == 0 ? [] : ["\(Self.percent(basisPoints))%"]
        let fixed = fixed.sorted { $0.key < $1.key }.map { "\(Self.major($0.value, $0.key)) \($0.key)" }
        let parts = rate + fixed
        guard !parts.isEmpty else { return nil }
        let base = Part.allCases.filter(appliesTo.contains).map(\.rawValue).joined(separator: " and ")
        return parts.joined(separator: " + ") + (appliesTo == Self.usualParts ? "" : " of \(base)")
    }

    private static func percent(_ basisPoints: Int64) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest != 0 else { return String(whole) }
        let digits = String(100 + rest).dropFirst()
        return "\(whole).\(digits.hasSuffix("0") ? digits.dropLast() : digits)"
    }

    private static func major(_ amount: Int64, _ code: String) -> String {
        Currency(code: code).map { Table.Cell.amount(amount, $0).shown } ?? String(amount)
    }
}
