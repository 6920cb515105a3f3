package import Domain
package import SQL
import StrictJSON

/// Merchants and their routes.
package enum MerchantTable {
    /// The statements that ``read(_:_:)`` needs the answers of, for the merchants with these external identifiers.
    package static func named(_ externalIdentifiers: [String], of marketplace: String) -> [SQL] {
        let names = externalIdentifiers.map(\.sqlValue)
        return [
            "SELECT * FROM merchant WHERE marketplace = \(marketplace) AND external_identifier IN (\(list: names))",
            """
            SELECT route.* FROM route JOIN merchant ON merchant.id = route.merchant
            WHERE merchant.marketplace = \(marketplace) AND merchant.external_identifier IN (\(list: names))
            ORDER BY route.merchant, route.position
            """,
        ]
    }

    /// Makes merchants of the two answers.
    package static func read(_ merchants: [Row], _ routes: [Row]) throws(SQLError) -> [Merchant] {
        var routesByMerchant: [String: [Merchant.Route]] = [:]
        for row in routes { routesByMerchant[try row.text("merchant"), default: []].append(try route(row)) }
        var all: [Merchant] = []
        for row in merchants { all.append(try merchant(row, routes: routesByMerchant[try row.text("id")] ?? [])) }
        return all
    }

    /// The merchants of a marketplace behind `after`, by external identifier, at most `limit`; with `status` only those of
    /// that status.
    package static func list(
        of marketplace: String,
        after: String,
        limit: Int,
        status: Merchant.Status? = nil,
        in session: any Session
    ) throws(SQLError) -> [Merchant] {
        let isOf: SQL = status.map { " AND status = \($0.rawValue)" } ?? ""
        let names = try session.rows(
            """
            SELECT external_identifier FROM merchant WHERE marketplace = \(marketplace)
                AND external_identifier > \(after)\(isOf) ORDER BY external_identifier LIMIT \(limit)
            """
        )
        var identifiers: [String] = []
        for name in names { identifiers.append(try name.text("external_identifier")) }
        return try find(identifiers, of: marketplace, in: session)
    }

    /// The merchants with these external identifiers, by external identifier.
    package static func find(
        _ externalIdentifiers: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [Merchant] {
        let answers = try session.rows(named(externalIdentifiers, of: marketplace))
        return try read(answers[0], answers[1]).sorted { $0.externalIdentifier < $1.externalIdentifier }
    }

    /// The merchant with that id, if it belongs to the marketplace.
    package static func find(
        _ id: MerchantID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Merchant? {
        let (merchants, routes) = try session.rows(
            "SELECT * FROM merchant WHERE id = \(id) AND marketplace = \(marketplace)",
            "SELECT * FROM route WHERE merchant = \(id) AND marketplace = \(marketplace) ORDER BY position"
        )
        return try read(merchants, routes).first
    }

    /// The marketplace of a merchant; nil if there is no such merchant.
    ///
    /// - Throws: `SQLError`.
    package static func marketplace(of id: MerchantID, in session: any Session) throws(SQLError) -> String? {
        try session.rows("SELECT marketplace FROM merchant WHERE id = \(id)").first
            .map { row throws(SQLError) in try row.text("marketplace") }
    }

    /// The external identifiers of merchants.
    package static func names(
        of merchants: Set<MerchantID>,
        in session: any Session
    ) throws(SQLError) -> [MerchantID: String] {
        let ids = merchants.sorted().map(\.sqlValue)
        var names: [MerchantID: String] = [:]
        for row in try session.rows("SELECT id, external_identifier FROM merchant WHERE id IN (\(list: ids))") {
            names[try row.identifier("id")] = try row.text("external_identifier")
        }
        return names
    }

    /// The Apple merchant identifiers of a marketplace's merchants, each once.
    package static func merchantIdentifiers(
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Set<String> {
        let rows = try session.rows(
            """
            SELECT DISTINCT merchant_identifier FROM merchant
            WHERE marketplace = \(marketplace) AND merchant_identifier IS NOT NULL
            """
        )
        var identifiers: Set<String> = []
        for row in rows { identifiers.insert(try row.text("merchant_identifier")) }
        return identifiers
    }

    /// Writes down whether a merchant takes new payments, and nothing else of it.
    package static func setStatus(
        _ status: Merchant.Status,
        of id: MerchantID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run("UPDATE merchant SET status = \(status.rawValue), updated_at = \(now) WHERE id = \(id)")
    }

    /// Writes a merchant and its routes, new or changed.
    package static func save(_ merchant: Merchant, at now: Timestamp, in session: any Session) throws(SQLError) {
        try session.run(
            """
            INSERT INTO merchant (id, marketplace, external_identifier, name, merchant_identifier, domain, kind,
                statement_descriptor, commission, status, updated_at, dispute_liability, profile)
            VALUES (\(merchant.id), \(merchant.marketplace), \(merchant.externalIdentifier), \(merchant.name),
                \(merchant.merchantIdentifier), \(merchant.domain), \(merchant.kind.rawValue),
                \(merchant.statementDescriptor), \(merchant.commission.text), \(merchant.status.rawValue), \(now),
                \(merchant.disputeLiability.rawValue), \(merchant.profile.text))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, merchant_identifier = excluded.merchant_identifier,
                domain = excluded.domain, kind = excluded.kind,
                statement_descriptor = excluded.statement_descriptor, commission = excluded.commission,
                status = excluded.status, updated_at = excluded.updated_at,
                dispute_liability = excluded.dispute_liability, profile = excluded.profile
            """
        )
        try session.run("DELETE FROM route WHERE merchant = \(merchant.id)")
        let rows = merchant.routes.enumerated().map { row($1, at: $0, of: merchant) }
        guard !rows.isEmpty else { return }
        try session.run(
            """
            INSERT INTO route (merchant, position, marketplace, psp_account, merchant_account, settles_to, commission_by,
                currencies, wallets, networks, apple_pay)
            VALUES \(rows: rows)
            """
        )
    }

    private static func row(_ route: Merchant.Route, at position: Int, of merchant: Merchant) -> [SQLValue] {
        [
            merchant.id.sqlValue, position.sqlValue, merchant.marketplace.sqlValue, route.pspAccount.sqlValue,
            route.merchantAccount.sqlValue, route.settlesTo.rawValue.sqlValue, route.commissionBy.rawValue.sqlValue,
            joined(route.currencies), joined(route.wallets), joined(route.networks),
            route.applePay.rawValue.sqlValue,
        ]
    }

    private static func joined(_ words: [String]) -> SQLValue { words.joined(separator: ",").sqlValue }

    private static func merchant(_ row: Row, routes: [Merchant.Route]) throws(SQLError) -> Merchant {
        Merchant(
            id: try row.identifier("id"),
            marketplace: try row.text("marketplace"),
            externalIdentifier: try row.text("external_identifier"),
            name: try row.text("name"),
            merchantIdentifier: try row.optionalText("merchant_identifier"),
            domain: try row.optionalText("domain"),
            kind: try row.word("kind"),
            statementDescriptor: try row.optionalText("statement_descriptor"),
            commission: try CommissionRule(text: try row.text("commission")),
            disputeLiability: try row.word("dispute_liability"),
            status: try row.word("status"),
            routes: routes,
            profile: try BusinessProfile(text: try row.text("profile"))
        )
    }

    private static func route(_ row: Row) throws(SQLError) -> Merchant.Route {
        func words(_ column: String) throws(SQLError) -> [String] {
            try row.text(column).split(separator: ",").map(String.init)
        }
        return Merchant.Route(
            pspAccount: try row.text("psp_account"),
            merchantAccount: try row.optionalText("merchant_account"),
            settlesTo: try row.word("settles_to"),
            commissionBy: try row.word("commission_by"),
            currencies: try words("currencies"),
            wallets: try words("wallets"),
            networks: try words("networks"),
            applePay: try row.word("apple_pay")
        )
    }
}

extension CommissionRule {
    /// The rule as JSON text, for one column.
    var text: String { document.text }

    /// Reads a rule back.
    ///
    /// - Throws: `SQLError.unexpectedValue(column:)`.
    init(text: String) throws(SQLError) {
        guard let document = try? JSON.parse(text: text), let rate = document["basis_points"]?.integerValue,
            let tax = document["tax_basis_points"]?.integerValue,
            let bearer = document["psp_fees_borne_by"]?.stringValue.flatMap(FeeBearer.init(rawValue:)),
            let returned = document["returned_on_refund"]?.stringValue.flatMap(Return.init(rawValue:))
        else { throw .unexpectedValue(column: "commission") }
        self.init(
            basisPoints: rate,
            fixed: Self.amounts(document["fixed"]),
            minimum: Self.amounts(document["minimum"]),
            maximum: Self.amounts(document["maximum"]),
            taxBasisPoints: tax,
            pspFeesBorneBy: bearer,
            returnedOnRefund: returned,
            appliesTo: try Self.parts(document["applies_to"])
        )
    }

    /// What a rule is charged on; one that was stored before rules said it, on the usual.
    private static func parts(_ document: JSON?) throws(SQLError) -> Set<Part> {
        guard let names = document?.arrayValue else { return usualParts }
        let parts = Set(names.compactMap { $0.stringValue.flatMap(Part.init(rawValue:)) })
        guard !parts.isEmpty, parts.count == names.count else { throw .unexpectedValue(column: "commission") }
        return parts
    }

    private static func amounts(_ document: JSON?) -> [String: Int64] {
        var amounts: [String: Int64] = [:]
        for member in document?.objectValue ?? [] { amounts[member.key] = member.value.integerValue }
        return amounts
    }
}
