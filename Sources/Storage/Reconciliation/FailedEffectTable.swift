package import Domain
package import SQL

/// Operations that were done and failed after all, such as a refund that the buyer's bank sent back.
///
/// The books post them and post them back. Of each its PSP may report two lines, that the money moved and that it came back,
/// in one file or in several, or neither.
package enum FailedEffectTable {
    /// How many operations are asked for at once.
    private static let operationsPerStatement = 1000

    /// What an operation moved before it failed, and what of it lines of files that count confirm.
    package struct FailedEffect: Hashable, Sendable {
        /// In minor units, as it changed the balance at the PSP; what came back is the opposite.
        package let amount: Int64
        /// When it was posted back.
        package let returnedAt: Timestamp
        /// Whether a line confirms that the money moved.
        package var isConfirmed: Bool
        /// Whether a line confirms that it came back.
        package var isReturnConfirmed: Bool

        /// What is still expected of the operation; what has only one of its lines has to get the other one.
        func expected(of operation: Expectation) -> [Expectation] {
            let sign: Int64 = operation.kind == .payment ? 1 : -1
            var (there, back) = (operation, operation)
            there.amount = amount
            there.isVoided = !isReturnConfirmed
            back.amount = -amount
            back.at = returnedAt
            back.commission = operation.commission.map { -$0 }
            back.isVoided = !isConfirmed
            guard amount.signum() == sign else { return [] }
            return (isConfirmed ? [] : [there]) + (isReturnConfirmed ? [] : [back])
        }
    }

    /// What each of some operations moved and gave back; those that moved nothing are left out.
    ///
    /// - Parameters:
    ///   - operations: operations that failed after all.
    ///   - releasing: files that are about to be superseded: they confirm nothing.
    ///   - reopening: operations whose lines are about to be looked at again: nothing of them is confirmed.
    ///   - session: the transaction.
    /// - Returns: the effects by operation.
    /// - Throws: `SQLError`.
    package static func effects(
        of operations: [OperationID],
        releasing: Set<ImportID> = [],
        reopening: Set<OperationID> = [],
        in session: any Session
    ) throws(SQLError) -> [OperationID: FailedEffect] {
        var found: [OperationID: FailedEffect] = [:]
        var rest = operations[...]
        while !rest.isEmpty {
            let page = Array(rest.prefix(operationsPerStatement))
            rest = rest.dropFirst(operationsPerStatement)
            let (posted, confirmed) = try session.rows(posted(page, session.dialect), confirmed(page, releasing))
            for row in posted where try row.integer("amount") != 0 {
                found[try row.identifier("operation_id")] = FailedEffect(
                    amount: try row.integer("amount"),
                    returnedAt: try row.time("returned_at"),
                    isConfirmed: false,
                    isReturnConfirmed: false
                )
            }
            for row in confirmed {
                let id: OperationID = try row.identifier("subject_id")
                guard let effect = found[id], !reopening.contains(id) else { continue }
                let isReturn = try row.integer("is_gain") == (effect.amount > 0 ? 0 : 1)
                if isReturn { found[id]?.isReturnConfirmed = true } else { found[id]?.isConfirmed = true }
            }
        }
        return found
    }

    /// What was posted of operations before it was posted back: at the PSP, and the commission in what it pays merchants
    /// directly, for which they are invoiced.
    private static func posted(_ operations: [OperationID], _ dialect: Dialect) -> SQL {
        func isTheirs(_ column: SQL) -> SQL {
            "(\(DisputeEntryTable.isPSPSide(column)) OR \(column) LIKE '%/receivable')"
        }
        return """
            SELECT e.operation_id, MAX(e.at) AS returned_at, CAST(SUM(CASE WHEN e.kind = 'reversal' THEN 0
                WHEN \(isTheirs("p.debit")) THEN p.amount WHEN \(isTheirs("p.credit")) THEN 0 - p.amount ELSE 0 END)
                AS \(unsafeText: dialect.integerType)) AS amount
            FROM journal_entry AS e \(PostingRows.join(dialect))
            WHERE e.order_id IN (\(list: Set(operations.map(OrderID.init(of:))).sorted().map(\.sqlValue)))
                AND e.operation_id IN (\(list: operations.map(\.sqlValue)))
            GROUP BY e.operation_id
            """
    }

    private static func confirmed(_ operations: [OperationID], _ releasing: Set<ImportID>) -> SQL {
        """
        SELECT DISTINCT m.subject_id, CASE WHEN l.change_units > 0 THEN 1 ELSE 0 END AS is_gain
        FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
            JOIN settlement_line AS l ON l.import_id = m.import_id AND l.member = m.member AND l.line = m.line
        WHERE m.subject_id IN (\(list: operations.map(\.sqlValue))) AND m.subject_kind = 'operation'
            AND \(SubjectColumns.counts("f", releasing))
        """
    }
}
