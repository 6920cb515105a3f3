import Domain
package import SQL

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
