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
        let answers = try session.rows([
            operations(scope, after: place, limit: limit), lastOperation(scope, after: place, limit: limit),
            disputes(scope, after: place, limit: limit, session.dialect),
            lastDispute(scope, after: place, limit: limit),
        ])
        var last: Place?
        for row in answers[1] + answers[3] {
            let end = try Self.place(row)
            last = last.map { min($0, end) } ?? end
        }
        var found: [(place: Place, expectation: Expectation)] = []
        for row in answers[0] { found.append((try Self.place(row), try operation(row))) }
        for row in answers[2] { found.append((try Self.place(row), try dispute(row))) }
        if !answers[2].isEmpty { found.sort { $0.place < $1.place } }
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
