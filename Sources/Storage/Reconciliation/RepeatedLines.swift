package import Domain
package import SQL

/// Lines of settlement files that tell again what another line of the account tells: what they say is posted already.
///
/// Reports overlap, and none but those of batches is known to be another version of one before it. Of what belongs to no
/// payment, the line that counted first is posted, by the PSP's name of the entry; which line of a payment repeats another,
/// the run that met it said in a break.
package enum RepeatedLines {
    /// How many entries are asked for at once.
    private static let entriesPerStatement = 500

    /// The kinds of lines that belong to no payment, and are posted by what they say.
    private static let ownKinds: SQL = "('fee', 'adjustment', 'reserve', 'other', 'payout')"

    /// Whether a line `l` of a file repeats another.
    static func isRepeated(in file: ImportID) -> SQL {
        """
        CASE WHEN l.kind IN \(ownKinds) THEN \(hasEarlierEntry())
            ELSE (l.member, l.line) IN (SELECT d.member, d.line \(reported) AND d.import_id = \(file)) END
        """
    }

    /// Whether a line `l` of any file repeats another, for few of them; files that are about to be superseded are repeated by none.
    static func isRepeated(releasing: Set<ImportID>) -> SQL {
        """
        CASE WHEN l.kind IN \(ownKinds) THEN \(hasEarlierEntry(releasing: releasing))
            ELSE EXISTS (SELECT 1 \(reported) AND d.import_id = l.import_id AND d.member = l.member AND d.line = l.line) END
        """
    }

    /// Whether the entry of a line `l` stands in another one that counted before it, or is before it among what counted at once;
    /// none of a file that is about to be superseded is.
    static func hasEarlierEntry(releasing: Set<ImportID> = []) -> SQL {
        """
        EXISTS (SELECT 1 FROM settlement_line AS o WHERE o.marketplace = l.marketplace
            AND o.entry_reference = l.entry_reference AND o.kind = l.kind AND o.currency = l.currency
            AND o.kind IN \(ownKinds)
            AND (SELECT CASE WHEN NOT (\(SubjectColumns.counts("f", releasing))) OR f.psp_account <> w.psp_account THEN 0
                    WHEN f.done_at < w.done_at THEN 1
                    WHEN f.done_at = w.done_at AND (o.import_id, o.member, o.line) < (l.import_id, l.member, l.line)
                        THEN 1 ELSE 0 END
                FROM import_file AS f, import_file AS w WHERE f.id = o.import_id AND w.id = l.import_id) = 1)
        """
    }

    /// Which payouts of an account files tell that count and go on to.
    ///
    /// - Parameters:
    ///   - entries: the PSP's names of the entries.
    ///   - account: the PSP account.
    ///   - marketplace: the marketplace.
    ///   - releasing: files that are about to be superseded.
    ///   - session: the transaction.
    /// - Returns: those that are told, with the currency.
    /// - Throws: `SQLError`.
    package static func payouts(
        _ entries: [String],
        of account: String,
        marketplace: String,
        releasing: Set<ImportID> = [],
        in session: any Session
    ) throws(SQLError) -> [(entry: String, currency: Currency)] {
        var told: [(entry: String, currency: Currency)] = []
        var rest = Set(entries).sorted()[...]
        while !rest.isEmpty {
            let page = rest.prefix(entriesPerStatement).map(\.sqlValue)
            rest = rest.dropFirst(entriesPerStatement)
            let rows = try session.rows(
                """
                SELECT DISTINCT l.entry_reference, l.currency
                FROM settlement_line AS l CROSS JOIN import_file AS f
                WHERE f.id = l.import_id AND l.marketplace = \(marketplace) AND l.entry_reference IN (\(list: page))
                    AND l.kind IN \(ownKinds) AND l.kind = 'payout' AND l.currency IS NOT NULL
                    AND f.psp_account = \(account) AND \(SubjectColumns.counts("f", releasing))
                """
            )
            for row in rows { told.append((try row.text("entry_reference"), try row.currency("currency"))) }
        }
        return told
    }

    /// The breaks `d` that say of a line that it is repeated: nothing was said of it later, and it is matched to nothing.
    ///
    /// What somebody decides about the break does not change that.
    private static var reported: SQL {
        """
        FROM recon_break AS d WHERE d.type = 'duplicate_line'
            AND COALESCE((SELECT MAX(b.seen_in) FROM recon_break AS b WHERE \(isOfSameLine)), '') <= d.seen_in
            AND (SELECT COUNT(*) FROM line_match AS m WHERE m.import_id = d.import_id AND m.member = d.member
                AND m.line = d.line) = 0
        """
    }

    /// Whether a break `b` says something else of the line of a break `d`.
    private static var isOfSameLine: SQL {
        """
        b.import_id = d.import_id AND b.member = d.member AND b.line = d.line AND b.id <> d.id
            AND b.type IN ('missing_in_ours', 'refund_without_origin', 'status_mismatch', 'amount_mismatch',
                'currency_mismatch', 'direction_mismatch', 'rounding_residue', 'split_mismatch')
        """
    }

    /// Whether the key of a break `d` begins as those of repeated lines do, by which they are found among all breaks there ever were.
    private static var hasKey: SQL {
        // "0" is the character behind "/".
        let type = BreakType.duplicateLine.rawValue
        return "d.key >= \("\(type)/") AND d.key < \("\(type)0")"
    }

    /// The lines of files that counted before a run, and that may repeat another since it, or may not any more.
    ///
    /// - Parameters:
    ///   - run: the run, all of whose breaks are recorded.
    ///   - released: the files that it superseded.
    ///   - marketplace: the marketplace.
    ///   - now: when its files came to count (``ImportCompletion/counting(at:of:in:)``).
    ///   - session: the transaction.
    /// - Returns: the lines.
    /// - Throws: `SQLError`.
    static func changed(
        by run: BreakRun,
        superseding released: Set<ImportID>,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> [ImportPlace] {
        let counted: SQL = "f.state = 'done' AND f.done_at < \(now)"
        var rows = try session.rows(
            """
            SELECT d.import_id, d.member, d.line FROM recon_break AS d JOIN import_file AS f ON f.id = d.import_id
            WHERE d.marketplace = \(marketplace) AND \(hasKey) AND d.type = 'duplicate_line' AND \(counted)
                AND (d.seen_in = \(run.id)
                    OR EXISTS (SELECT 1 FROM recon_break AS b WHERE \(isOfSameLine) AND b.seen_in = \(run.id)))
            """
        )
        if !released.isEmpty {
            rows += try session.rows(
                """
                SELECT DISTINCT o.import_id, o.member, o.line FROM settlement_line AS l
                    JOIN settlement_line AS o ON o.marketplace = l.marketplace AND o.kind IN \(ownKinds)
                        AND o.entry_reference = l.entry_reference AND o.kind = l.kind
                    JOIN import_file AS f ON f.id = o.import_id
                WHERE l.import_id IN (\(list: released.sorted().map(\.sqlValue))) AND l.kind IN \(ownKinds) AND \(counted)
                """
            )
        }
        var places: [ImportPlace] = []
        for row in rows { places.append(try row.place()) }
        return places
    }
}
