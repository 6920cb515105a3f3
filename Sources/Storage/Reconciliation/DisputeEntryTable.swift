package import Domain
package import SQL

/// What disputes took and gave back, entry by entry: one that was won may take again, and its PSP reports each of them.
package enum DisputeEntryTable {
    /// How many disputes are asked for at once.
    private static let disputesPerStatement = 1000

    /// What a dispute took or gave back at a time.
    package struct Entry: Hashable, Sendable {
        /// The journal entry.
        package let id: String
        /// What moved.
        package let kind: Expectation.Kind
        /// In minor units, as it changed the balance at the PSP.
        package let amount: Int64
        /// When it was posted.
        package let at: Timestamp
        /// Whether lines of files that count confirm it: what they confirm of the dispute is of its first entries.
        package var isConfirmed: Bool
    }

    /// The entries of disputes, first the earlier ones.
    ///
    /// - Parameters:
    ///   - disputes: the disputes.
    ///   - releasing: files that are about to be superseded: they confirm nothing.
    ///   - session: the transaction.
    /// - Returns: the entries by dispute.
    /// - Throws: `SQLError`.
    package static func entries(
        of disputes: Set<DisputeID>,
        releasing: Set<ImportID> = [],
        in session: any Session
    ) throws(SQLError) -> [DisputeID: [Entry]] {
        var entries: [DisputeID: [Entry]] = [:]
        var rest = disputes.sorted()[...]
        while !rest.isEmpty {
            let page = rest.prefix(disputesPerStatement).map(\.sqlValue)
            rest = rest.dropFirst(disputesPerStatement)
            let (posted, lines) = try session.rows(posted(page, session.dialect), confirmed(page, releasing))
            let confirmed = try amounts(of: lines)
            var found: [DisputeID: [Entry]] = [:]
            for row in posted {
                let isTaken = try row.text("kind") == JournalEntry.Kind.chargeback.rawValue
                let amount = try row.integer("amount")
                found[try row.identifier("dispute_id"), default: []].append(
                    Entry(
                        id: try row.text("id"),
                        kind: isTaken ? .chargeback : .chargebackReversal,
                        amount: isTaken ? -amount : amount,
                        at: try row.time("at"),
                        isConfirmed: false
                    )
                )
            }
            for (dispute, own) in found {
                var own = own
                for kind in [Expectation.Kind.chargeback, .chargebackReversal] {
                    claim(&own, kind, confirmed[Key(dispute: dispute.text, kind: kind.rawValue)] ?? [])
                }
                entries[dispute] = own
            }
        }
        return entries
    }

    /// Says which entries of a kind lines confirm: each line the first entry of its amount, and what is left of them the first
    /// entries that it comes to.
    private static func claim(_ entries: inout [Entry], _ kind: Expectation.Kind, _ lines: [Int64]) {
        let places = entries.indices.filter { entries[$0].kind == kind }
        func amount(_ place: Int) -> Int64 { kind == .chargeback ? -entries[place].amount : entries[place].amount }
        var left: Int64 = 0
        for line in lines {
            let exact = places.first { !entries[$0].isConfirmed && amount($0) == line && line > 0 }
            if let exact { entries[exact].isConfirmed = true } else { left += line }
        }
        for place in places where !entries[place].isConfirmed {
            let amount = amount(place)
            // A tolerance may keep what is confirmed and what was posted a little apart.
            guard amount > 0, left >= amount - amount / 2 else { continue }
            entries[place].isConfirmed = true
            left -= amount
        }
    }

    private struct Key: Hashable {
        let dispute: String
        let kind: String
    }

    /// What each line says that it moved, in minor units, by dispute and direction.
    private static func amounts(of lines: [Row]) throws(SQLError) -> [Key: [Int64]] {
        var amounts: [Key: [Int64]] = [:]
        for row in lines {
            let key = Key(dispute: try row.text("subject_id"), kind: try row.text("subject_kind"))
            var compared = try row.optionalAmount("presentment")
            if compared == nil { compared = try row.optionalAmount("gross") }
            if compared == nil { compared = try row.optionalAmount("net") }
            amounts[key, default: []].append(abs(compared?.minorUnits ?? 0))
        }
        return amounts
    }

    private static func posted(_ disputes: [SQLValue], _ dialect: Dialect) -> SQL {
        """
        SELECT e.id, e.dispute_id, e.kind, e.at,
            CAST(SUM(\(moved("e"))) AS \(unsafeText: dialect.integerType)) AS amount
        FROM journal_entry AS e \(PostingRows.join(dialect))
        WHERE e.dispute_id IN (\(list: disputes)) AND e.kind IN ('chargeback', 'chargeback_reversal')
        GROUP BY e.id, e.dispute_id, e.kind, e.at ORDER BY e.at, e.id
        """
    }

    private static func confirmed(_ disputes: [SQLValue], _ releasing: Set<ImportID>) -> SQL {
        """
        SELECT DISTINCT m.subject_id, m.subject_kind, l.import_id, l.member, l.line, l.presentment, l.gross, l.net
        FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id
            JOIN settlement_line AS l ON l.import_id = m.import_id AND l.member = m.member AND l.line = m.line
        WHERE m.subject_id IN (\(list: disputes)) AND m.subject_kind IN ('chargeback', 'chargeback_reversal')
            AND \(SubjectColumns.counts("f", releasing))
        ORDER BY l.import_id, l.member, l.line
        """
    }

    /// What a posting `p` of an entry about a dispute moved at the PSP, whoever bears it; above zero as the kind says.
    static func moved(_ entry: String) -> SQL {
        let isTaken: SQL = "\(unsafeText: entry).kind = 'chargeback'"
        return """
            CASE WHEN \(isPSPSide("p.credit")) THEN
                CASE WHEN \(isTaken) THEN p.amount ELSE 0 - p.amount END
            WHEN \(isPSPSide("p.debit")) THEN
                CASE WHEN \(isTaken) THEN 0 - p.amount ELSE p.amount END
            ELSE 0 END
            """
    }

    /// Whether an account of a posting is the PSP's side of it: our balance there, or what it pays merchants directly.
    static func isPSPSide(_ column: SQL) -> SQL {
        "(substr(\(column), 1, 4) = 'psp/' OR substr(\(column), 1, 11) = 'direct/psp/')"
    }
}
