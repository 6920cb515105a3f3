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
            o.payment_reference, o.reference AS object_reference, o.commission, o.is_voided
        FROM (SELECT o.* FROM effect AS o WHERE \(posted(scope, place))
                ORDER BY o.posted_at, o.operation_id LIMIT \(limit)) AS o
        WHERE o.state = 'succeeded' AND o.amount > 0
            AND (\(unmet("o.operation_id", "'operation'", scope)) \(reopened("o.operation_id", scope)))
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

    /// What buyers' banks took and gave back: of each dispute and direction the sum, as of the first entry.
    package static func disputes(
        _ scope: ExpectationScope,
        after place: Place?,
        limit: Int,
        _ dialect: Dialect
    ) -> SQL {
        """
        SELECT e.dispute_id AS subject_id, e.id AS key, e.kind, e.at, e.order_id, e.payment_id, d.attempt_id,
            e.merchant, d.psp, d.psp_account, d.merchant_account, e.currency, d.payment_reference,
            NULLIF(d.reference, '') AS object_reference,
            (SELECT CAST(SUM(\(moved)) AS \(unsafeText: dialect.integerType)) FROM journal_entry AS g
                \(PostingRows.join(of: "g", dialect))
                WHERE g.dispute_id = e.dispute_id AND g.kind = e.kind) AS amount
        FROM (SELECT e.* FROM journal_entry AS e WHERE \(disputed(scope, place))
                ORDER BY e.at, e.id LIMIT \(limit)) AS e
            JOIN dispute AS d ON d.id = e.dispute_id
        WHERE e.kind IN ('chargeback', 'chargeback_reversal') AND d.psp_account = \(scope.pspAccount)
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

/// Payments by whatever a file may call them, for lines that match no expectation.
package enum PaymentCandidateTable {
    /// How many references one statement looks for.
    private static let referencesPerStatement = 2000
    /// How many orders are read at once.
    private static let ordersPerStatement = 500

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
        let wanted = Set(references)
        var found: Set<PaymentMatchCandidate> = []
        var rest = wanted.sorted()[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(referencesPerStatement))
            rest = rest.dropFirst(referencesPerStatement)
            for order in try orders(named: page, of: marketplace, in: session) {
                for candidate in candidates(in: order) where wanted.contains(candidate.reference) {
                    found.insert(candidate)
                }
            }
        }
        return found.sorted { ($0.reference, $0.attempt) < ($1.reference, $1.attempt) }
    }

    /// The orders of a marketplace that have anything of these names, some perhaps that have not.
    private static func orders(
        named names: [String],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [Order] {
        var ids: Set<OrderID> = []
        for name in names {
            if let order = OrderID(name) { ids.insert(order) }
            if let attempt = AttemptID(name) { ids.insert(OrderID(of: attempt)) }
            if let operation = OperationID(name) { ids.insert(OrderID(of: operation)) }
            if let payment = PaymentID(name) { ids.insert(OrderID(of: payment)) }
        }
        let list = names.map(\.sqlValue)
        for rows in try session.rows([
            "SELECT order_id FROM psp_name WHERE name IN (\(list: list)) AND marketplace = \(marketplace)",
            "SELECT order_id FROM payment WHERE reference IN (\(list: list)) AND marketplace = \(marketplace)",
            "SELECT id AS order_id FROM orders WHERE marketplace = \(marketplace) AND reference IN (\(list: list))",
            "SELECT order_id FROM dispute WHERE reference IN (\(list: list)) AND marketplace = \(marketplace)",
        ]) {
            for row in rows { ids.insert(try row.identifier("order_id")) }
        }
        var orders: [Order] = []
        var rest = ids.sorted()[...]
        while !rest.isEmpty {
            orders += try OrderReader.loadReadable(Array(rest.prefix(ordersPerStatement)), in: session).orders
            rest = rest.dropFirst(ordersPerStatement)
        }
        return orders.filter { $0.marketplace == marketplace }
    }

    /// An attempt for each of the names that it is known by.
    private static func candidates(in order: Order) -> [PaymentMatchCandidate] {
        order.payments.flatMap { payment in
            payment.attempts.flatMap { attempt in
                var names: [String?] = [
                    order.id.text, order.reference, payment.id.text, payment.reference, attempt.id.text,
                    attempt.pspReference,
                ]
                for operation in attempt.operations { names += [operation.id.text, operation.reference] }
                names += payment.disputes.filter { $0.attempt == attempt.id }.map(\.reference)
                return names.compactMap(\.self).map { name in
                    PaymentMatchCandidate(
                        reference: name,
                        order: order.id,
                        payment: payment.id,
                        attempt: attempt.id,
                        merchant: payment.merchant,
                        pspAccount: attempt.route.pspAccount,
                        status: payment.state.rawValue
                    )
                }
            }
        }
    }
}
