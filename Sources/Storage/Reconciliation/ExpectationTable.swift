package import Domain
package import SQL

/// What our books say that moved at a PSP, as far as no line of a file that counts has met it.
///
/// An effect is an operation that succeeded, with the amount that the PSP acted on, whoever is settled and whatever
/// became of commission; or what a dispute took and gave back. What was posted and then failed after all is none.
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
        var found: [(place: Place, expectation: Expectation)] = []
        for row in effects { found.append((try Self.place(row), try operation(row))) }
        for row in disputed { found.append((try Self.place(row), try dispute(row))) }
        if !disputed.isEmpty { found.sort { $0.place < $1.place } }
        if let last { found.removeAll { $0.place > last } }
        return Page(expectations: found.map(\.expectation), last: last)
    }

    private static func place(_ row: Row) throws(SQLError) -> Place {
        Place(at: try row.time("at"), key: try row.text("key"))
    }

    private static func operation(_ row: Row) throws(SQLError) -> Expectation {
        let isPayment = try row.text("kind") == "capture"
        let sign: Int64 = isPayment ? 1 : -1
        var told = try row.optionalInteger("commission")
        if let allocation = try row.optionalText("told_allocation") {
            let kept = try OrderDocuments.allocation(allocation).commission
            told = kept > 0 ? kept : nil
        }
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

    private static func dispute(_ row: Row) throws(SQLError) -> Expectation {
        let id: DisputeID = try row.identifier("subject_id")
        let isTaken = try row.text("kind") == JournalEntry.Kind.chargeback.rawValue
        return try expectation(
            row,
            subject: isTaken ? .chargeback(id) : .chargebackReversal(id),
            kind: isTaken ? .chargeback : .chargebackReversal,
            amount: (isTaken ? -1 : 1) * (try row.integer("amount"))
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
            paymentReference: try row.optionalText("psp_reference"),
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
            for row in try session.rows("SELECT id, posted_at FROM operation WHERE id IN (\(list: page))") {
                moments[try row.identifier("id")] = try row.optionalTime("posted_at")
            }
        }
        return moments
    }
}

/// The questions behind expectations.
extension ExpectationTable {
    /// What the PSP was told to capture or give back, and what it did by itself.
    ///
    /// The effects that are looked at are taken by index first, so that no plan reads all there ever were for a page. A
    /// sale in one call is told the commission with its authorization; its capture is the PSP's own operation.
    package static func operations(_ scope: ExpectationScope, after place: Place?, limit: Int) -> SQL {
        """
        SELECT o.id AS subject_id, o.id AS key, o.kind, o.posted_at AS at, o.done_amount AS amount, o.order_id,
            a.payment_id, a.id AS attempt_id, y.merchant, a.psp, a.psp_account, a.merchant_account, r.currency,
            a.psp_reference, o.reference AS object_reference,
            CASE WHEN a.settles_to = 'merchant' AND a.commission_by = 'psp' THEN o.commission END AS commission,
            CASE WHEN a.settles_to = 'merchant' AND a.commission_by = 'psp' AND o.kind = 'capture'
                AND o.origin = 'psp' AND o.reference IS NULL THEN y.allocation END AS told_allocation,
            CASE WHEN o.kind IN ('capture', 'reverse') AND EXISTS (SELECT 1 FROM operation AS v
                WHERE v.order_id = o.order_id AND v.attempt_id = o.attempt_id AND v.kind = 'reverse'
                AND v.state = 'succeeded') THEN 1 ELSE 0 END AS is_voided
        FROM (SELECT o.* FROM operation AS o WHERE \(posted(scope, place))
                ORDER BY o.posted_at, o.id LIMIT \(limit)) AS o
            JOIN attempt AS a ON a.id = o.attempt_id JOIN payment AS y ON y.id = a.payment_id
            JOIN orders AS r ON r.id = o.order_id
        WHERE o.kind IN ('capture', 'refund', 'reverse') AND o.state = 'succeeded' AND o.done_amount > 0
            AND \(unmet("o.id", "'operation'", scope))
        ORDER BY o.posted_at, o.id
        """
    }

    /// The place of the last effect that ``operations(_:after:limit:)`` looks at; no row if it looks at all there are.
    static func lastOperation(_ scope: ExpectationScope, after place: Place?, limit: Int) -> SQL {
        """
        SELECT o.posted_at AS at, o.id AS key FROM operation AS o WHERE \(posted(scope, place))
        ORDER BY o.posted_at, o.id LIMIT 1 OFFSET \(limit - 1)
        """
    }

    private static func posted(_ scope: ExpectationScope, _ place: Place?) -> SQL {
        """
        o.marketplace = \(scope.marketplace) AND o.psp_account = \(scope.pspAccount)
            AND \(bounds(scope, place, "o.posted_at", "o.id"))
        """
    }

    /// What buyers' banks took and gave back: of each dispute and direction the sum, as of the first entry.
    package static func disputes(
        _ scope: ExpectationScope,
        after place: Place?,
        limit: Int,
        _ dialect: Dialect
    ) -> SQL {
        """
        SELECT e.dispute_id AS subject_id, e.id AS key, e.kind, e.at, e.order_id, e.payment_id, a.id AS attempt_id,
            e.merchant, a.psp, a.psp_account, a.merchant_account, e.currency, a.psp_reference,
            NULLIF(d.reference, '') AS object_reference,
            (SELECT CAST(SUM(\(moved)) AS \(unsafeText: dialect.integerType)) FROM journal_entry AS g
                JOIN posting AS p ON p.entry_id = g.id
                WHERE g.dispute_id = e.dispute_id AND g.kind = e.kind) AS amount
        FROM (SELECT e.* FROM journal_entry AS e WHERE \(disputed(scope, place))
                ORDER BY e.at, e.id LIMIT \(limit)) AS e
            JOIN dispute AS d ON d.id = e.dispute_id JOIN attempt AS a ON a.id = d.attempt_id
        WHERE e.kind IN ('chargeback', 'chargeback_reversal') AND a.psp_account = \(scope.pspAccount)
            AND NOT EXISTS (SELECT 1 FROM journal_entry AS g WHERE g.dispute_id = e.dispute_id AND g.kind = e.kind
                AND (g.at, g.id) < (e.at, e.id))
            AND \(unmet("e.dispute_id", "e.kind", scope))
        ORDER BY e.at, e.id
        """
    }

    /// What a posting `p` of an entry `e` about a dispute moved at the PSP, whoever bears it; above zero as the kind says.
    private static let moved: SQL = {
        func isPSPSide(_ column: SQL) -> SQL {
            "(substr(\(column), 1, 4) = 'psp/' OR substr(\(column), 1, 11) = 'direct/psp/')"
        }
        return """
            CASE WHEN \(isPSPSide("p.credit")) THEN
                CASE WHEN e.kind = 'chargeback' THEN p.amount ELSE 0 - p.amount END
            WHEN \(isPSPSide("p.debit")) THEN
                CASE WHEN e.kind = 'chargeback' THEN 0 - p.amount ELSE p.amount END
            ELSE 0 END
            """
    }()

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

    /// Makes a scope; of all time unless said.
    package init(
        marketplace: String,
        pspAccount: String,
        from: Timestamp = Timestamp(microseconds: .min),
        to: Timestamp = Timestamp(microseconds: .max),
        releasing: [ImportID] = []
    ) {
        self.marketplace = marketplace
        self.pspAccount = pspAccount
        self.from = from
        self.to = to
        self.releasing = releasing
    }
}

/// Payments by whatever a file may call them, for lines that match no expectation.
package enum PaymentCandidateTable {
    /// How many references one statement looks for.
    private static let referencesPerStatement = 2000

    /// The payments that references name: our attempt, payment or order, the marketplace's reference of an order or a
    /// payment, or the PSP's name of a payment, an operation or a dispute.
    ///
    /// - Parameters:
    ///   - references: any number of them.
    ///   - marketplace: the marketplace.
    ///   - session: the transaction.
    /// - Returns: an attempt for each reference that it is known by, by reference and attempt.
    /// - Throws: `SQLError`.
    package static func find(
        _ references: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [PaymentMatchCandidate] {
        let wanted = Set(references).sorted()
        var found: Set<PaymentMatchCandidate> = []
        var start = 0
        while start < wanted.count {
            let end = min(start + referencesPerStatement, wanted.count)
            let list = wanted[start..<end].map(\.sqlValue)
            for rows in try session.rows(questions(list, marketplace)) {
                for row in rows { found.insert(try read(row)) }
            }
            start = end
        }
        return found.sorted { ($0.reference, $0.attempt) < ($1.reference, $1.attempt) }
    }

    private static func questions(_ list: [SQLValue], _ marketplace: String) -> [SQL] {
        func question(_ key: String, _ tables: SQL = "") -> SQL {
            """
            SELECT \(unsafeText: key) AS found, a.order_id, a.payment_id, a.id AS attempt_id, y.merchant,
                a.psp_account, y.status
            FROM attempt AS a JOIN payment AS y ON y.id = a.payment_id AND y.order_id = a.order_id
                JOIN orders AS r ON r.id = a.order_id \(tables)
            WHERE a.marketplace = \(marketplace) AND \(unsafeText: key) IN (\(list: list))
            """
        }
        return [
            question("a.id"), question("a.psp_reference"), question("y.id"), question("y.reference"),
            question("r.id"), question("r.reference", "AND r.marketplace = \(marketplace)"),
            question("o.id", "JOIN operation AS o ON o.attempt_id = a.id"),
            question("o.reference", "JOIN operation AS o ON o.attempt_id = a.id"),
            question("d.reference", "JOIN dispute AS d ON d.attempt_id = a.id"),
        ]
    }

    private static func read(_ row: Row) throws(SQLError) -> PaymentMatchCandidate {
        PaymentMatchCandidate(
            reference: try row.text("found"),
            order: try row.identifier("order_id"),
            payment: try row.identifier("payment_id"),
            attempt: try row.identifier("attempt_id"),
            merchant: try row.identifier("merchant"),
            pspAccount: try row.text("psp_account"),
            status: try row.text("status")
        )
    }
}
