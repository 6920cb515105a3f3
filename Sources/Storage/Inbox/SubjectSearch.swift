package import Domain
package import SQL

/// Finds what a PSP speaks of.
package enum SubjectSearch {
    /// An attempt and its order.
    package struct Found: Hashable, Sendable {
        /// The order.
        package let order: OrderID
        /// The attempt.
        package let attempt: AttemptID
    }

    /// The attempt at a PSP account that a notice is about, by the first of its names that is known there: our
    /// operation, our attempt, the PSP's payment, the PSP's capture, void or refund, the PSP's dispute.
    ///
    /// A name that belongs to another account is as good as unknown: who can write at one account says nothing of
    /// what is at another.
    package static func find(
        _ subject: Notice.Subject,
        at account: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Found? {
        let here: SQL = "attempt.psp_account = \(account) AND attempt.marketplace = \(marketplace)"
        var queries: [SQL] = []
        if let operation = subject.operation {
            queries.append("\(attempts(joining: "operation")) WHERE operation.id = \(operation) AND \(here)")
        }
        if let attempt = subject.attempt {
            queries.append("\(columns) WHERE attempt.id = \(attempt) AND \(here)")
        }
        if let payment = subject.payment {
            queries.append("\(columns) WHERE attempt.psp_reference = \(payment) AND \(here) ORDER BY attempt.id")
        }
        if let object = subject.object {
            queries.append(
                "\(attempts(joining: "operation")) WHERE operation.reference = \(object) AND \(here) ORDER BY attempt.id"
            )
            queries.append(
                "\(attempts(joining: "dispute")) WHERE dispute.reference = \(object) AND \(here) ORDER BY attempt.id"
            )
        }
        guard !queries.isEmpty, let row = try session.rows(queries).first(where: { !$0.isEmpty })?.first else {
            return nil
        }
        return Found(order: try row.identifier("order_id"), attempt: try row.identifier("id"))
    }

    private static let columns: SQL = "SELECT attempt.id, attempt.order_id FROM attempt"

    private static func attempts(joining table: String) -> SQL {
        "\(columns) JOIN \(unsafeText: table) ON attempt.id = \(unsafeText: table).attempt_id"
    }
}
