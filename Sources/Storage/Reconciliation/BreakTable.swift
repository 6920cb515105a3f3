package import Domain
package import SQL
import StrictJSON

/// Breaks and what was done about them.
package enum BreakTable {
    /// What to look for; nil means anything.
    package struct Filter: Hashable, Sendable {
        /// The marketplace.
        package var marketplace: String
        /// The states; empty for all.
        package var states: Set<BreakState> = []
        /// How they differ; empty for all.
        package var types: Set<BreakType> = []
        /// The PSP.
        package var psp: String?
        /// The PSP account.
        package var pspAccount: String?
        /// The merchant.
        package var merchant: MerchantID?
        /// The order.
        package var order: OrderID?
        /// What differs, in minor units.
        package var amount: Int64?
        /// The currency.
        package var currency: Currency?
        /// When they were found first.
        package var created = CreationRange()

        /// A filter that lets all of a marketplace's through.
        package init(marketplace: String) { self.marketplace = marketplace }
    }

    /// The breaks that pass the filter behind `after`, oldest first, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package static func list(
        _ filter: Filter,
        after: BreakID?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [StoredBreak] {
        var condition: SQL = "marketplace = \(filter.marketplace)"
        if !filter.states.isEmpty {
            let states = filter.states.map(\.rawValue).sorted().map(\.sqlValue)
            condition = "\(condition) AND state IN (\(list: states))"
        }
        if !filter.types.isEmpty {
            condition = "\(condition) AND type IN (\(list: filter.types.map(\.rawValue).sorted().map(\.sqlValue)))"
        }
        if let psp = filter.psp { condition = "\(condition) AND psp = \(psp)" }
        if let account = filter.pspAccount { condition = "\(condition) AND psp_account = \(account)" }
        if let merchant = filter.merchant { condition = "\(condition) AND merchant = \(merchant)" }
        if let order = filter.order { condition = "\(condition) AND order_id = \(order)" }
        if let amount = filter.amount { condition = "\(condition) AND amount = \(amount)" }
        if let currency = filter.currency { condition = "\(condition) AND currency = \(currency.code)" }
        condition = SQL.all([condition] + filter.created.conditions(on: "opened_at"))
        if let after { condition = "\(condition) AND id > \(after)" }
        return try breaks("\(condition) ORDER BY id LIMIT \(limit)", in: session)
    }

    /// A break with its actions, the first one first; nil if the marketplace has no such break.
    ///
    /// - Throws: `SQLError`.
    package static func show(
        _ id: BreakID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> (difference: StoredBreak, actions: [BreakAction])? {
        guard let found = try breaks("marketplace = \(marketplace) AND id = \(id)", in: session).first else {
            return nil
        }
        var actions: [BreakAction] = []
        for row in try session.rows("SELECT * FROM break_action WHERE break_id = \(id) ORDER BY number") {
            actions.append(
                BreakAction(
                    number: Int(try row.integer("number")),
                    actor: try row.text("actor"),
                    reason: try row.text("reason"),
                    at: try row.time("at"),
                    from: try row.word("from_state"),
                    to: try row.word("to_state")
                )
            )
        }
        return (found, actions)
    }

    /// The breaks of a marketplace with these keys; locked, nobody else resolves them before the transaction ends.
    ///
    /// - Throws: `SQLError`.
    package static func find(
        keys: [String],
        of marketplace: String,
        isLocked: Bool = false,
        in session: any Session
    ) throws(SQLError) -> [StoredBreak] {
        try breaks(
            """
            marketplace = \(marketplace) AND key IN (\(list: keys.map(\.sqlValue))) ORDER BY key
            \(unsafeText: isLocked ? session.dialect.lock : "")
            """,
            in: session
        )
    }

    /// The breaks that satisfy a condition on `recon_break`.
    static func breaks(_ condition: SQL, in session: any Session) throws(SQLError) -> [StoredBreak] {
        var breaks: [StoredBreak] = []
        for row in try session.rows("SELECT * FROM recon_break WHERE \(condition)") { breaks.append(try read(row)) }
        return breaks
    }

    private static func read(_ row: Row) throws(SQLError) -> StoredBreak {
        StoredBreak(
            id: try row.identifier("id"),
            marketplace: try row.text("marketplace"),
            difference: try difference(row),
            state: try row.word("state"),
            openedAt: try row.time("opened_at"),
            asOf: try row.text("as_of"),
            resolvedAt: try row.optionalTime("resolved_at"),
            actions: Int(try row.integer("actions"))
        )
    }

    private static func difference(_ row: Row) throws(SQLError) -> Break {
        Break(
            type: try row.word("type"),
            key: try row.text("key"),
            currency: try row.value("currency") == .null ? nil : try row.currency("currency"),
            amount: try row.integer("amount"),
            day: try row.optionalText("day"),
            psp: try row.optionalText("psp"),
            pspAccount: try row.optionalText("psp_account"),
            merchant: try row.optionalIdentifier("merchant"),
            order: try row.optionalIdentifier("order_id"),
            payment: try row.optionalIdentifier("payment_id"),
            subject: try SubjectColumns.read(row),
            lines: try BreakPlaces.read(try row.text("places")),
            explanation: try row.text("explanation"),
            suggestion: try row.text("suggestion")
        )
    }
}

/// A break as it is stored: what differs, and what became of it.
package struct StoredBreak: Hashable, Sendable {
    /// Its identifier.
    package let id: BreakID
    /// Whose books it is about.
    package let marketplace: String
    /// What differs.
    package let difference: Break
    /// What became of it.
    package let state: BreakState
    /// When it was first found.
    package let openedAt: Timestamp
    /// The day that the run which saw it last looked back from, `YYYY-MM-DD`.
    package let asOf: String
    /// When it was resolved; nil if it was not.
    package let resolvedAt: Timestamp?
    /// How many actions it has.
    package let actions: Int
}

/// One change of a break's state; never changed itself.
package struct BreakAction: Hashable, Sendable {
    /// Counts a break's actions, from 1.
    package let number: Int
    /// Who did it.
    package let actor: String
    /// Why.
    package let reason: String
    /// When.
    package let at: Timestamp
    /// The state before.
    package let from: BreakState
    /// The state after.
    package let to: BreakState

    /// Makes an action.
    package init(number: Int, actor: String, reason: String, at: Timestamp, from: BreakState, to: BreakState) {
        self.number = number
        self.actor = actor
        self.reason = reason
        self.at = at
        self.from = from
        self.to = to
    }
}

/// The lines that a break is about, as JSON text in one column.
enum BreakPlaces {
    static func text(_ places: [LinePlace]) -> String {
        JSON.array(
            places.map { place in
                .object([
                    .init("file", .string(place.file)), .init("member", .integer(Int64(place.member))),
                    .init("row", .integer(Int64(place.row))),
                ])
            }
        ).text
    }

    static func read(_ text: String) throws(SQLError) -> [LinePlace] {
        guard let documents = (try? JSON.parse(text: text))?.arrayValue else {
            throw .unexpectedValue(column: "places")
        }
        var places: [LinePlace] = []
        for document in documents {
            guard let file = document["file"]?.stringValue, let member = document["member"]?.integerValue,
                let row = document["row"]?.integerValue
            else { throw .unexpectedValue(column: "places") }
            places.append(LinePlace(file: file, member: Int(member), row: Int(row)))
        }
        return places
    }
}
