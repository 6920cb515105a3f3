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
        output.write(
            Table(merchants: merchants.map(MerchantDocument.json)),
            json: .array(merchants.map(MerchantDocument.json))
        )
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
        case .table: Console.out("\(Table(merchants: [MerchantDocument.json(found)]).text)\n\nRoutes\n\(routes.text)")
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
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    /// Sets the status of all of them, or of none if one is unknown.
    ///
    /// - Throws: ``CommandFailure`` if one is unknown, or `SQLError`.
    func set(_ status: Merchant.Status) async throws {
        // Each once, as they were typed.
        var seen: Set<String> = []
        let names = merchants.filter { seen.insert($0).inserted }
        let changed = try await acting.act(in: marketplace) { settings in
            try await DatabaseUse.looking.open(settings) { [marketplace] database in
                let now = Timestamp(microseconds: try await database.now())
                let changed = try await Merchants(database, by: .commandLine)
                    .setStatus(status, of: names, in: marketplace.choice, at: now)
                return names.compactMap { name in
                    changed.first { $0.externalIdentifier == name }.map(MerchantDocument.json)
                }
            }
        } remotely: { server in
            let path = "/v1/merchants"
            func missing(_ name: String) -> CommandFailure { CommandFailure(DirectoryRefusal.unknownMerchant(name)) }
            // None is changed if one is unknown.
            for name in names {
                _ = try await server.get("\(path)/\(RemoteServer.segment(name))", orSaying: missing(name))
            }
            return try await server.setStatus(status, of: names, below: path, orSaying: missing)
        }
        output.write(Table(merchants: changed))
    }
}

extension Table {
    /// A row for each merchant, as its document has it.
    init(merchants: [JSON]) {
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
                .text(of: merchant["external_identifier"]),
                .text(of: merchant["name"]),
                .text(of: merchant["kind"]),
                .text(of: merchant["status"]),
                .text(of: merchant["statement_descriptor"]),
                .optional(CommissionRule(shown: merchant["commission"] ?? .null).words),
                .text(merchant.list("routes").map { $0.text("psp_account") }.joined(separator: ", ")),
                .text(of: merchant["id"])
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
    /// What a document says of the rate, of what is fixed, and of what it is charged on.
    fileprivate init(shown document: JSON) {
        let fixed = (document["fixed"]?.objectValue ?? []).compactMap { member in
            member.value.integerValue.map { (member.key, $0) }
        }
        self.init(
            basisPoints: document["basis_points"]?.integerValue ?? 0,
            fixed: Dictionary(fixed) { first, _ in first },
            appliesTo: document["applies_to"]?.arrayValue.map { parts in
                Set(parts.compactMap { $0.stringValue.flatMap(Part.init(rawValue:)) })
            } ?? Self.usualParts
        )
    }

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
