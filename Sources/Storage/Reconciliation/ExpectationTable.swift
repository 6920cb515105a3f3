package import Domain
package import SQL

/// What our books say that moved at a PSP, as far as no line of a file that counts has met it.
///
/// An effect is an operation that succeeded, with the amount that the PSP acted on, whoever is settled and whatever
/// became of commission; or what a dispute took and gave back, each time that it did. What was done and then failed after
/// all is two, there and back, of which a PSP may report both or neither (``FailedEffectTable``).
package enum ExpectationTable {
    /// A place among the expectations of a scope: by moment of posting, then by what was posted.
    package struct Place: Hashable, Sendable, Comparable {
        /// When it was posted.
        package let at: Timestamp
        /// The operation, or the dispute's journal entry.
        package let key: String

        /// By moment, then by key.
        package static func < (left: Place, right: Place) -> Bool { (left.at, left.key) < (right.at, right.key) }
    }

    /// Some expectations, and where the next ones begin.
    package struct Page: Hashable, Sendable {
        /// The expectations, in order.
        package let expectations: [Expectation]
        /// How far the page looked; nil if there are no more.
        package let last: Place?
    }

    /// The unmet expectations of a scope among the effects behind `place`, of which it looks at `limit`, and at as many
    /// entries about disputes.
    ///
    /// Where most are met, a page may have few expectations or none, and a place to go on from all the same.
    ///
    /// - Throws: `SQLError`.
    package static func page(
        _ scope: ExpectationScope,
        after place: Place?,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> Page {
        let (effects, lastEffects, disputed, lastDisputed) = try session.rows(
            operations(scope, after: place, limit: limit),
            lastOperation(scope, after: place, limit: limit),
            disputes(scope, after: place, limit: limit, session.dialect),
            lastDispute(scope, after: place, limit: limit)
        )
        var last: Place?
        for row in lastEffects + lastDisputed {
            let end = try Self.place(row)
            last = last.map { min($0, end) } ?? end
        }
        var found = try operations(effects, scope, in: session)
        found += try disputes(disputed, scope, in: session)
        if !disputed.isEmpty { found.sort { $0.place < $1.place } }
        if let last { found.removeAll { $0.place > last } }
        return Page(expectations: found.map(\.expectation), last: last)
    }

    private static func place(_ row: Row) throws(SQLError) -> Place {
        Place(at: try row.time("at"), key: try row.text("key"))
    }

    /// What is expected of operations, those that failed after all among them.
    private static func operations(
        _ rows: [Row],
        _ scope: ExpectationScope,
        in session: any Session
    ) throws(SQLError) -> [(place: Place, expectation: Expectation)] {
        var failed: [OperationID] = []
        for row in rows where try row.text("state") == "reversed" { failed.append(try row.identifier("subject_id")) }
        let effects = try FailedEffectTable.effects(
            of: failed,
            releasing: Set(scope.releasing),
            reopening: scope.reopening,
            in: session
        )
        var found: [(place: Place, expectation: Expectation)] = []
        for row in rows {
            let expectation = try operation(row)
            guard case .operation(let id) = expectation.subject, try row.text("state") == "reversed" else {
                found.append((try place(row), expectation))
                continue
            }
            for part in effects[id]?.expected(of: expectation) ?? [] { found.append((try place(row), part)) }
        }
        return found
    }

    private static func operation(_ row: Row) throws(SQLError) -> Expectation {
        let isPayment = try row.text("kind") == "capture"
        let sign: Int64 = isPayment ? 1 : -1
        let told = try row.optionalInteger("commission")
        var expectation = try expectation(
            row,
            subject: .operation(try row.identifier("subject_id")),
            kind: isPayment ? .payment : .refund,
            amount: sign * (try row.integer("amount"))
        )
        expectation.commission = told.map { sign * $0 }
        expectation.isVoided = try row.integer("is_voided") == 1
        return expectation
    }

    /// What is expected of disputes: of one that took more than once, or gave back so, what no line has confirmed yet.
    private static func disputes(
        _ rows: [Row],
        _ scope: ExpectationScope,
        in session: any Session
    ) throws(SQLError) -> [(place: Place, expectation: Expectation)] {
        var repeated: Set<DisputeID> = []
        for row in rows where try row.integer("is_repeated") == 1 {
            repeated.insert(try row.identifier("subject_id"))
        }
        let confirmed = try DisputeEntryTable.entries(of: repeated, releasing: Set(scope.releasing), in: session)
            .values.joined().filter(\.isConfirmed)
        let met = Set(confirmed.map(\.id))
        var found: [(place: Place, expectation: Expectation)] = []
        for row in rows where !met.contains(try row.text("key")) {
            found.append((try place(row), try dispute(row)))
        }
        return found
    }

    private static func dispute(_ row: Row) throws(SQLError) -> Expectation {
        let id: DisputeID = try row.identifier("subject_id")
        let isTaken = try row.text("kind") == JournalEntry.Kind.chargeback.rawValue
        return try expectation(
            row,
            subject: isTaken ? .chargeback(id) : .chargebackReversal(id),
            kind: isTaken ? .chargeback : .chargebackReversal,
            amount: (isTaken && !PlantedBug.chargebackTurned.isPlanted ? -1 : 1) * (try row.integer("amount"))
        )
    }

    private static func expectation(
        _ row: Row,
        subject: Expectation.Subject,
        kind: Expectation.Kind,
        amount: Int64
    ) throws(SQLError) -> Expectation {
        Expectation(
            subject: subject,
            kind: kind,
            order: try row.identifier("order_id"),
            payment: try row.identifier("payment_id"),
            attempt: try row.identifier("attempt_id"),
            merchant: try row.identifier("merchant"),
            psp: try row.text("psp"),
            pspAccount: try row.text("psp_account"),
            merchantAccount: try row.optionalText("merchant_account"),
            currency: try row.currency("currency"),
            amount: amount,
            commission: nil,
            paymentReference: try row.optionalText("payment_reference"),
            objectReference: try row.optionalText("object_reference"),
            at: try row.time("at")
        )
    }
}

extension ExpectationTable {
    /// When effects were posted, by which they are handed over.
    ///
    /// - Throws: `SQLError`.
    package static func postedAt(
        _ operations: [OperationID],
        in session: any Session
    ) throws(SQLError) -> [OperationID: Timestamp] {
        var moments: [OperationID: Timestamp] = [:]
        var rest = operations[...]
        while !rest.isEmpty {
            let page = rest.prefix(1000).map(\.sqlValue)
            rest = rest.dropFirst(1000)
            for row in try session.rows(
                "SELECT operation_id, posted_at FROM effect WHERE operation_id IN (\(list: page))"
            ) {
                moments[try row.identifier("operation_id")] = try row.time("posted_at")
            }
        }
        return moments
    }
}

/// The questions behind expectations.
extension ExpectationTable {
    /// What the PSP was told to capture or give back, and what it did by itself.
    ///
    /// The effects that are looked at are taken by index first, so that no plan reads all there ever were for a page.
    package static func operations(_ scope: ExpectationScope, after place: Place?, limit: Int) -> SQL {
        """
        SELECT o.operation_id AS subject_id, o.operation_id AS key, o.kind, o.posted_at AS at, o.amount, o.order_id,
            o.payment_id, o.attempt_id, o.merchant, o.psp, o.psp_account, o.merchant_account, o.currency,
            o.payment_reference, o.reference AS object_reference, o.commission, o.is_voided, o.state
        FROM (SELECT o.* FROM effect AS o WHERE \(posted(scope, place))
                ORDER BY o.posted_at, o.operation_id LIMIT \(limit)) AS o
        WHERE o.state = 'reversed' OR (o.state = 'succeeded' AND o.amount > 0
            AND (\(unmet("o.operation_id", "'operation'", scope)) \(reopened("o.operation_id", scope))))
        ORDER BY o.posted_at, o.operation_id
        """
    }

    /// The place of the last effect that ``operations(_:after:limit:)`` looks at; no row if it looks at all there are.
    static func lastOperation(_ scope: ExpectationScope, after place: Place?, limit: Int) -> SQL {
        """
        SELECT o.posted_at AS at, o.operation_id AS key FROM effect AS o WHERE \(posted(scope, place))
        ORDER BY o.posted_at, o.operation_id LIMIT 1 OFFSET \(limit - 1)
        """
    }

    private static func posted(_ scope: ExpectationScope, _ place: Place?) -> SQL {
        """
        o.marketplace = \(scope.marketplace) AND o.psp_account = \(scope.pspAccount)
            AND \(bounds(scope, place, "o.posted_at", "o.operation_id"))
        """
    }

    /// What buyers' banks took and gave back, entry by entry; of disputes that took, or gave back, more than once also what is
    /// confirmed.
    package static func disputes(
        _ scope: ExpectationScope,
        after place: Place?,
        limit: Int,
        _ dialect: Dialect
    ) -> SQL {
        let isRepeated: SQL = """
            EXISTS (SELECT 1 FROM journal_entry AS g WHERE g.dispute_id = e.dispute_id AND g.kind = e.kind
                AND g.id <> e.id)
            """
        return """
            SELECT e.dispute_id AS subject_id, e.id AS key, e.kind, e.at, e.order_id, e.payment_id, d.attempt_id,
                e.merchant, d.psp, d.psp_account, d.merchant_account, e.currency, d.payment_reference,
                NULLIF(d.reference, '') AS object_reference, CASE WHEN \(isRepeated) THEN 1 ELSE 0 END AS is_repeated,
                (SELECT CAST(SUM(\(DisputeEntryTable.moved("g"))) AS \(unsafeText: dialect.integerType))
                    FROM journal_entry AS g \(PostingRows.join(of: "g", dialect))
                    WHERE g.dispute_id = e.dispute_id AND g.kind = e.kind AND g.at = e.at AND g.id = e.id) AS amount
            FROM (SELECT e.* FROM journal_entry AS e WHERE \(disputed(scope, place))
                    ORDER BY e.at, e.id LIMIT \(limit)) AS e
                JOIN dispute AS d ON d.id = e.dispute_id
            WHERE e.kind IN ('chargeback', 'chargeback_reversal') AND d.psp_account = \(scope.pspAccount)
                AND (\(unmet("e.dispute_id", "e.kind", scope)) OR \(isRepeated))
            ORDER BY e.at, e.id
            """
    }

    /// The place of the last entry that ``disputes(_:after:limit:_:)`` looks at; no row if it looks at all there are.
    static func lastDispute(_ scope: ExpectationScope, after place: Place?, limit: Int) -> SQL {
        """
        SELECT e.at, e.id AS key FROM journal_entry AS e WHERE \(disputed(scope, place))
        ORDER BY e.at, e.id LIMIT 1 OFFSET \(limit - 1)
        """
    }

    private static func disputed(_ scope: ExpectationScope, _ place: Place?) -> SQL {
        """
        e.marketplace = \(scope.marketplace) AND e.dispute_id IS NOT NULL AND \(bounds(scope, place, "e.at", "e.id"))
        """
    }

    private static func bounds(
        _ scope: ExpectationScope,
        _ place: Place?,
        _ moment: String,
        _ key: String
    ) -> SQL {
        let end: SQL = "\(unsafeText: moment) < \(scope.to)"
        guard let place else { return "\(unsafeText: moment) >= \(scope.from) AND \(end)" }
        return "(\(unsafeText: moment), \(unsafeText: key)) > (\(place.at), \(place.key)) AND \(end)"
    }

    /// Whether the lines that confirmed an operation are about to be looked at again.
    private static func reopened(_ id: String, _ scope: ExpectationScope) -> SQL {
        guard !scope.reopening.isEmpty else { return "" }
        return "OR \(unsafeText: id) IN (\(list: scope.reopening.sorted().map(\.sqlValue)))"
    }

    /// Whether no line of a file that counts is about a subject, rightly or wrongly.
    private static func unmet(_ id: String, _ kind: String, _ scope: ExpectationScope) -> SQL {
        let released: SQL =
            scope.releasing.isEmpty ? "" : "AND f.id NOT IN (\(list: scope.releasing.map(\.sqlValue)))"
        return """
            NOT EXISTS (SELECT 1 FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
                WHERE m.subject_id = \(unsafeText: id) AND m.subject_kind = \(unsafeText: kind)
                AND f.state = 'done' \(released))
            """
    }
}

/// Which expectations are asked for.
package struct ExpectationScope: Hashable, Sendable {
    /// The marketplace.
    package let marketplace: String
    /// The PSP account.
    package let pspAccount: String
    /// The first moment of posting.
    package let from: Timestamp
    /// The first moment that is not asked for any more.
    package let to: Timestamp
    /// Imports that are about to be superseded: what they met counts as unmet.
    package let releasing: [ImportID]
    /// Operations whose lines are about to be looked at again: they count as unmet.
    package let reopening: Set<OperationID>

    /// Makes a scope; of all time unless said.
    package init(
        marketplace: String,
        pspAccount: String,
        from: Timestamp = Timestamp(microseconds: .min),
        to: Timestamp = Timestamp(microseconds: .max),
        releasing: [ImportID] = [],
        reopening: Set<OperationID> = []
    ) {
        self.marketplace = marketplace
        self.pspAccount = pspAccount
        self.from = from
        self.to = to
        self.releasing = releasing
        self.reopening = reopening
    }
}
