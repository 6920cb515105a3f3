package import Domain
package import SQL

/// Agreements under which merchants charge buyers who are away.
package enum AgreementTable {
    /// What to list; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace; nil for all, which only operators on the machine may ask.
        package var marketplace: String?
        /// Whose they are.
        package var merchant: MerchantID?
        /// Where they stand.
        package var state: Agreement.State?
        /// The marketplace's name for the buyer.
        package var reference: String?
        /// When they were made.
        package var created = CreationRange()
        /// Only agreements before this one, for the next page.
        package var before: AgreementID?

        /// A filter that lets everything of a marketplace through.
        package init(marketplace: String?) { self.marketplace = marketplace }
    }

    /// Stores a new agreement.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(_ agreement: Agreement, in session: any Session) throws(SQLError) {
        let (bound, amount) = agreement.terms.bound.columns
        try session.run(
            """
            INSERT INTO agreement (id, marketplace, merchant, external_identifier, type, currency, bound, bound_amount,
                description, reference, created_at, state, suspension, first_order, first_open, first_reference,
                details, announced, version, updated_at)
            VALUES (\(agreement.id), \(agreement.marketplace), \(agreement.merchant), \(agreement.externalIdentifier),
                \(agreement.terms.type.rawValue), \(agreement.terms.currency.code), \(bound), \(amount),
                \(agreement.terms.description), \(agreement.reference), \(agreement.createdAt),
                \(agreement.state.rawValue), \(agreement.suspension?.rawValue), \(agreement.firstOrder),
                \(agreement.isFirstPaymentOpen ? 1 : 0), \(agreement.firstReference),
                \(AgreementDocument.text(agreement)), \(agreement.announced), \(agreement.version),
                \(agreement.updatedAt))
            """
        )
    }

    /// Stores a step of an agreement, whose row the caller has locked.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func update(_ agreement: Agreement, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE agreement SET state = \(agreement.state.rawValue), suspension = \(agreement.suspension?.rawValue),
                first_order = \(agreement.firstOrder), first_open = \(agreement.isFirstPaymentOpen ? 1 : 0),
                first_reference = \(agreement.firstReference), details = \(AgreementDocument.text(agreement)),
                announced = \(agreement.announced), version = \(agreement.version), updated_at = \(agreement.updatedAt)
            WHERE id = \(agreement.id)
            """
        )
    }

    /// The agreement with that id, if it is one of the marketplace; of any, if none is named.
    ///
    /// - Throws: `SQLError`.
    package static func find(
        _ id: AgreementID,
        of marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> Agreement? {
        try read(session.rows("SELECT * FROM agreement WHERE \(condition(id, marketplace))")).first
    }

    /// The agreement with that id, its row locked until the transaction ends.
    ///
    /// - Throws: `SQLError`.
    package static func lock(
        _ id: AgreementID,
        of marketplace: String?,
        in session: any Session
    ) throws(SQLError) -> Agreement? {
        try read(
            session.rows(
                "SELECT * FROM agreement WHERE \(condition(id, marketplace)) \(unsafeText: session.dialect.lock)"
            )
        ).first
    }

    /// The agreements that pass the filter, newest first, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func list(_ filter: Filter, limit: Int, in session: any Session) throws(SQLError) -> [Agreement] {
        var conditions =
            filter.created.bounds(on: "id", AgreementID.self) + filter.created.conditions(on: "created_at")
        if let marketplace = filter.marketplace { conditions.append("marketplace = \(marketplace)") }
        if let merchant = filter.merchant { conditions.append("merchant = \(merchant)") }
        if let state = filter.state { conditions.append("state = \(state.rawValue)") }
        if let reference = filter.reference { conditions.append("reference = \(reference)") }
        if let before = filter.before { conditions.append("id < \(before)") }
        return try read(
            session.rows("SELECT * FROM agreement WHERE \(SQL.all(conditions)) ORDER BY id DESC LIMIT \(Int64(limit))")
        )
    }

    /// The orders under an agreement, newest first, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func orders(
        of id: AgreementID,
        before: OrderID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [OrderID] {
        let rest: SQL = before.map { "AND id < \($0)" } ?? ""
        return try session.rows(
            "SELECT id FROM orders WHERE agreement = \(id) \(rest) ORDER BY id DESC LIMIT \(Int64(limit))"
        ).map { row throws(SQLError) in try row.identifier("id") }
    }

    /// Says when the PSP is to be asked after an agreement's method; nil for never.
    ///
    /// - Throws: `SQLError`.
    package static func ask(after id: AgreementID, at time: Timestamp?, in session: any Session) throws(SQLError) {
        try session.run("UPDATE agreement SET ask_at = \(time) WHERE id = \(id)")
    }

    /// Whether a PSP is due to be asked after a method, whoever has it in hand.
    ///
    /// - Throws: `SQLError`.
    package static func isAskDue(at now: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        try !session.rows("SELECT id FROM agreement WHERE ask_at <= \(now) LIMIT 1").isEmpty
    }

    /// Takes questions in hand that are due, the longest due first: until `until` nobody else does.
    ///
    /// - Throws: `SQLError`.
    package static func claimAsks(
        at now: Timestamp,
        until: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Agreement] {
        let due = try read(
            session.rows("SELECT * FROM agreement WHERE ask_at <= \(now) ORDER BY ask_at LIMIT \(Int64(limit))")
        )
        var claimed: [Agreement] = []
        for agreement in due {
            let count = try session.change(
                "UPDATE agreement SET ask_at = \(until) WHERE id = \(agreement.id) AND ask_at <= \(now)"
            )
            if count == 1 { claimed.append(agreement) }
        }
        return claimed
    }

    private static func condition(_ id: AgreementID, _ marketplace: String?) -> SQL {
        SQL.all(["id = \(id)"] + (marketplace.map { ["marketplace = \($0)"] } ?? []))
    }

    private static func read(_ rows: [Row]) throws(SQLError) -> [Agreement] {
        try rows.map { row throws(SQLError) in
            var agreement = Agreement(
                id: try row.identifier("id"),
                marketplace: try row.text("marketplace"),
                merchant: try row.identifier("merchant"),
                externalIdentifier: try row.text("external_identifier"),
                terms: AgreementTerms(
                    type: try row.word("type"),
                    currency: try row.currency("currency"),
                    bound: try bound(row),
                    description: try row.text("description")
                ),
                reference: try row.optionalText("reference"),
                createdAt: try row.time("created_at")
            )
            agreement.state = try row.word("state")
            agreement.suspension = try row.optionalWord("suspension")
            agreement.firstOrder = try row.optionalIdentifier("first_order")
            agreement.isFirstPaymentOpen = try row.integer("first_open") == 1
            agreement.firstReference = try row.optionalText("first_reference")
            agreement.announced = try row.integer("announced")
            agreement.version = try row.integer("version")
            agreement.updatedAt = try row.time("updated_at")
            try AgreementDocument.read(try row.text("details"), into: &agreement)
            return agreement
        }
    }

    private static func bound(_ row: Row) throws(SQLError) -> AgreementTerms.Bound {
        let amount = try row.integer("bound_amount")
        return try row.text("bound") == "fixed" ? .fixed(amount) : .maximum(amount)
    }
}

extension AgreementTerms.Bound {
    fileprivate var columns: (name: String, amount: Int64) {
        switch self {
        case .fixed(let amount): ("fixed", amount)
        case .maximum(let amount): ("maximum", amount)
        }
    }
}
