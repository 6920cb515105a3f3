package import Domain
package import SQL

/// What rows of imported files were matched to.
///
/// A match stands while every import it names is `done`; those that are being taken in do not count yet, and those that
/// were superseded do not count any more.
package enum MatchTable {
    /// Stores matches of lines; one that is stored already is replaced.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func add(
        _ matches: [LineMatch],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) {
        let rows: [[SQLValue]] = matches.map { match in
            let (kind, id) = match.subject.map(SubjectColumns.values) ?? (.null, .null)
            return [
                match.line.file.sqlValue, match.line.member.sqlValue, match.line.row.sqlValue,
                match.position.sqlValue, marketplace.sqlValue, match.rule.sqlValue, (match.isExact ? 1 : 0).sqlValue,
                kind, id, match.order.sqlValue, match.payment.sqlValue, match.attempt.sqlValue,
                match.merchant.sqlValue,
            ]
        }
        try BulkInsert.run(
            rows,
            """
            INSERT INTO line_match (import_id, member, line, position, marketplace, rule, is_exact, subject_kind,
                subject_id, order_id, payment_id, attempt_id, merchant)
            """,
            """
            ON CONFLICT (import_id, member, line, position) DO UPDATE SET rule = excluded.rule,
                is_exact = excluded.is_exact, subject_kind = excluded.subject_kind, subject_id = excluded.subject_id,
                order_id = excluded.order_id, payment_id = excluded.payment_id, attempt_id = excluded.attempt_id,
                merchant = excluded.merchant
            """,
            in: session
        )
    }

    /// Stores which payout lines batches come to.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func add(
        _ matches: [BatchMatch],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) {
        let rows: [[SQLValue]] = matches.map { match in
            [
                match.file.sqlValue, match.batch.sqlValue, match.payout.file.sqlValue, match.payout.member.sqlValue,
                match.payout.row.sqlValue, marketplace.sqlValue, match.rule.sqlValue,
            ]
        }
        try BulkInsert.run(
            rows,
            """
            INSERT INTO batch_match (import_id, batch, payout_import, payout_member, payout_line, marketplace, rule)
            """,
            """
            ON CONFLICT (import_id, batch, payout_import, payout_member, payout_line) DO UPDATE SET
                rule = excluded.rule
            """,
            in: session
        )
    }

    /// Stores which payouts explain bank entries.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func add(
        _ matches: [BankMatch],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) {
        let rows: [[SQLValue]] = matches.map { match in
            let payout: [SQLValue] =
                switch match.payout {
                case .line(let place): [place.file.sqlValue, place.member.sqlValue, place.row.sqlValue, .null]
                case .recorded(let id): [.null, .null, .null, id.sqlValue]
                }
            return [
                match.entry.file.sqlValue, match.entry.member.sqlValue, match.entry.row.sqlValue,
                match.position.sqlValue, marketplace.sqlValue, match.rule.sqlValue,
            ] + payout
        }
        try BulkInsert.run(
            rows,
            """
            INSERT INTO bank_match (bank_import, bank_member, bank_line, position, marketplace, rule, payout_import,
                payout_member, payout_line, payout_id)
            """,
            """
            ON CONFLICT (bank_import, bank_member, bank_line, position) DO UPDATE SET rule = excluded.rule,
                payout_import = excluded.payout_import, payout_member = excluded.payout_member,
                payout_line = excluded.payout_line, payout_id = excluded.payout_id
            """,
            in: session
        )
    }

    /// Leaves open again which payouts explain entries, as far as one of them is in a file that is to be superseded.
    ///
    /// - Throws: `SQLError`.
    package static func release(_ files: Set<ImportID>, in session: any Session) throws(SQLError) {
        for file in files.sorted() {
            try session.run(
                """
                DELETE FROM bank_match WHERE (bank_import, bank_member, bank_line) IN
                    (SELECT bank_import, bank_member, bank_line FROM bank_match WHERE payout_import = \(file))
                """
            )
        }
    }

    /// Leaves open again the payouts that entries explain together with those of statements that are to be superseded: the next
    /// run compares them with what is there by then.
    ///
    /// - Parameters:
    ///   - statements: the statements.
    ///   - own: the files of this run, whose matches stand.
    ///   - session: the transaction.
    /// - Throws: `SQLError`.
    static func release(
        partsOf statements: Set<ImportID>,
        besides own: Set<ImportID>,
        in session: any Session
    ) throws(SQLError) {
        let kept = (own.union(statements)).sorted().map(\.sqlValue)
        for statement in statements.sorted() {
            try session.run(
                """
                DELETE FROM bank_match WHERE bank_import NOT IN (\(list: kept)) AND (
                    payout_id IN (SELECT payout_id FROM bank_match WHERE bank_import = \(statement) AND payout_id IS NOT NULL)
                    OR (payout_import, payout_member, payout_line) IN (SELECT payout_import, payout_member, payout_line
                        FROM bank_match WHERE bank_import = \(statement) AND payout_import IS NOT NULL))
                """
            )
        }
    }

    /// Forgets what lines of files that count were matched to, since it turned out to be another operation's: they are open
    /// again, with whatever else they had confirmed.
    ///
    /// - Throws: `SQLError`.
    package static func reopen(
        _ lines: [ImportPlace],
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) {
        try OpenLineTable.reopen(lines, of: marketplace, in: session)
    }

    /// The operations that lines of files confirm.
    ///
    /// - Throws: `SQLError`.
    package static func operations(
        confirmedBy lines: [ImportPlace],
        in session: any Session
    ) throws(SQLError) -> Set<OperationID> {
        var found: Set<OperationID> = []
        for line in lines {
            for row in try session.rows(
                """
                SELECT subject_id FROM line_match WHERE import_id = \(line.file) AND member = \(line.member)
                    AND line = \(line.row) AND subject_kind = 'operation'
                """
            ) { found.insert(try row.identifier("subject_id")) }
        }
        return found
    }

    /// Which of the subjects a line of a file that counts, and goes on to, confirms.
    ///
    /// - Throws: `SQLError`.
    package static func matched(
        _ subjects: [Expectation.Subject],
        releasing: Set<ImportID> = [],
        in session: any Session
    ) throws(SQLError) -> Set<Expectation.Subject> {
        var found: Set<Expectation.Subject> = []
        let isKept: SQL =
            releasing.isEmpty ? "" : "AND f.id NOT IN (\(list: releasing.sorted().map(\.sqlValue)))"
        var rest = subjects[...]
        while !rest.isEmpty {
            let names = rest.prefix(1000).map { SubjectColumns.values($0).1 }
            rest = rest.dropFirst(1000)
            let rows = try session.rows(
                """
                SELECT DISTINCT m.subject_kind, m.subject_id FROM line_match AS m
                    JOIN import_file AS f ON f.id = m.import_id
                WHERE m.subject_id IN (\(list: names)) AND f.state = 'done' \(isKept)
                """
            )
            for row in rows { if let subject = try SubjectColumns.read(row) { found.insert(subject) } }
        }
        return found
    }

    /// Forgets what a file that never counted was matched to.
    ///
    /// - Throws: `SQLError`.
    static func forget(_ file: ImportID, in session: any Session) throws(SQLError) {
        try session.run("DELETE FROM line_match WHERE import_id = \(file)")
        try session.run("DELETE FROM batch_match WHERE import_id = \(file) OR payout_import = \(file)")
        try session.run("DELETE FROM bank_match WHERE bank_import = \(file) OR payout_import = \(file)")
    }
}

/// What a settlement line is about: a payment, and mostly an effect of it that the line confirms.
package struct LineMatch: Hashable, Sendable {
    /// The line.
    package let line: ImportPlace
    /// Which of the line's matches it is, from 0; a line that confirms several effects has one for each.
    package let position: Int
    /// The rule that found it.
    package let rule: String
    /// Whether they agree.
    ///
    /// If not, the effect is met wrongly: there is a break, and it is not expected any more.
    package let isExact: Bool
    /// The effect; nil for a line that merely belongs to the payment, as fees and commissions do.
    package let subject: Expectation.Subject?
    /// The order.
    package let order: OrderID
    /// The payment.
    package let payment: PaymentID
    /// The attempt.
    package let attempt: AttemptID
    /// The merchant.
    package let merchant: MerchantID

    /// Makes a match.
    package init(
        line: ImportPlace,
        position: Int = 0,
        rule: String,
        isExact: Bool = true,
        subject: Expectation.Subject?,
        order: OrderID,
        payment: PaymentID,
        attempt: AttemptID,
        merchant: MerchantID
    ) {
        self.line = line
        self.position = position
        self.rule = rule
        self.isExact = isExact
        self.subject = subject
        self.order = order
        self.payment = payment
        self.attempt = attempt
        self.merchant = merchant
    }

    /// Makes the match of a line with an expectation.
    package init(
        line: ImportPlace,
        position: Int = 0,
        rule: String,
        isExact: Bool = true,
        with expectation: Expectation
    ) {
        self.init(
            line: line,
            position: position,
            rule: rule,
            isExact: isExact,
            subject: expectation.subject,
            order: expectation.order,
            payment: expectation.payment,
            attempt: expectation.attempt,
            merchant: expectation.merchant
        )
    }
}

/// A batch of an import whose lines come to what a payout line says.
package struct BatchMatch: Hashable, Sendable {
    /// The import that the batch's lines are in.
    package let file: ImportID
    /// The batch, as the PSP names it.
    package let batch: String
    /// The payout line.
    package let payout: ImportPlace
    /// The rule that found it.
    package let rule: String

    /// Makes a match.
    package init(file: ImportID, batch: String, payout: ImportPlace, rule: String) {
        self.file = file
        self.batch = batch
        self.payout = payout
        self.rule = rule
    }
}

/// A bank entry that a payout explains.
package struct BankMatch: Hashable, Sendable {
    /// What was paid out.
    package enum Payout: Hashable, Sendable {
        /// By a PSP to us, as a settlement line says.
        case line(ImportPlace)
        /// By us to a merchant, as it was recorded.
        case recorded(PayoutID)
    }

    /// The bank entry.
    package let entry: ImportPlace
    /// Which of the entry's payouts it is, from 0.
    package let position: Int
    /// What was paid out.
    package let payout: Payout
    /// The rule that found it.
    package let rule: String

    /// Makes a match.
    package init(entry: ImportPlace, position: Int = 0, payout: Payout, rule: String) {
        self.entry = entry
        self.position = position
        self.payout = payout
        self.rule = rule
    }
}

/// An expectation's subject in two columns: what kind of thing it is, and its identifier.
enum SubjectColumns {
    static func values(_ subject: Expectation.Subject) -> (kind: SQLValue, id: SQLValue) {
        switch subject {
        case .operation(let id): ("operation".sqlValue, id.sqlValue)
        case .chargeback(let id): ("chargeback".sqlValue, id.sqlValue)
        case .chargebackReversal(let id): ("chargeback_reversal".sqlValue, id.sqlValue)
        }
    }

    static func read(_ row: Row) throws(SQLError) -> Expectation.Subject? {
        switch try row.optionalText("subject_kind") {
        case nil: nil
        case "operation": .operation(try row.identifier("subject_id"))
        case "chargeback": .chargeback(try row.identifier("subject_id"))
        case "chargeback_reversal": .chargebackReversal(try row.identifier("subject_id"))
        default: throw .unexpectedValue(column: "subject_kind")
        }
    }

    /// Whether several lines may confirm the subject of a row, one after the other: an operation that failed after all has one there
    /// and one back, a dispute that takes more than once has one each time.
    static func isRepeated(_ table: String) -> SQL {
        let (kind, id): (SQL, SQL) = ("\(unsafeText: table).subject_kind", "\(unsafeText: table).subject_id")
        return """
            CASE WHEN \(kind) = 'operation'
                THEN EXISTS (SELECT 1 FROM effect AS x WHERE x.operation_id = \(id) AND x.state = 'reversed')
                ELSE (SELECT COUNT(*) FROM journal_entry AS x WHERE x.dispute_id = \(id) AND x.kind = \(kind)) > 1 END
            """
    }

    /// Whether an import counts, and goes on to.
    static func counts(_ table: String, _ releasing: Set<ImportID>) -> SQL {
        let isDone: SQL = "\(unsafeText: table).state = 'done'"
        guard !releasing.isEmpty else { return isDone }
        return "\(isDone) AND \(unsafeText: table).id NOT IN (\(list: releasing.sorted().map(\.sqlValue)))"
    }
}
