package import Domain
package import SQL

/// Apple's merchant tokens by their names, with the agreements behind which they stand, and which of them Apple still has to
/// unlink.
package enum MerchantTokenTable {
    /// A token of an agreement.
    package struct Entry: Hashable, Sendable {
        /// The agreement.
        package let agreement: AgreementID
        /// Apple's name of the token.
        package let identifier: String
        /// The marketplace.
        package let marketplace: String
        /// The merchant that the token is good for.
        package let merchant: MerchantID
        /// How many times unlinking it was tried in vain.
        package let failures: Int64

        fileprivate init(_ row: Row) throws(SQLError) {
            agreement = try row.identifier("agreement_id")
            identifier = try row.text("identifier")
            marketplace = try row.text("marketplace")
            merchant = try row.identifier("merchant")
            failures = try row.integer("failures")
        }
    }

    /// Stores a token of an agreement, whose row the caller has locked.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(
        _ identifier: String,
        of agreement: Agreement,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO merchant_token (agreement_id, identifier, marketplace, merchant)
            VALUES (\(agreement.id), \(identifier), \(agreement.marketplace), \(agreement.merchant))
            ON CONFLICT (agreement_id, identifier) DO NOTHING
            """
        )
    }

    /// Forgets tokens of an agreement.
    ///
    /// - Throws: `SQLError`.
    package static func forget(
        _ identifiers: [String],
        of agreement: AgreementID,
        in session: any Session
    ) throws(SQLError) {
        guard !identifiers.isEmpty else { return }
        try session.run(
            """
            DELETE FROM merchant_token
            WHERE agreement_id = \(agreement) AND identifier IN (\(list: identifiers.map(\.sqlValue)))
            """
        )
    }

    /// The agreements of a marketplace that are paid with a token, in the order in which they are to be locked.
    ///
    /// - Throws: `SQLError`.
    package static func agreements(
        with identifier: String,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> [AgreementID] {
        try session.rows(
            """
            SELECT agreement_id FROM merchant_token WHERE marketplace = \(marketplace) AND identifier = \(identifier)
            ORDER BY agreement_id
            """
        ).map { row throws(SQLError) in try row.identifier("agreement_id") }
    }

    /// Has Apple unlink tokens from now on.
    ///
    /// - Throws: `SQLError`.
    package static func unlink(
        _ identifiers: [String],
        of agreement: AgreementID,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard !identifiers.isEmpty else { return }
        try session.run(
            """
            UPDATE merchant_token SET unlink_at = \(now)
            WHERE agreement_id = \(agreement) AND identifier IN (\(list: identifiers.map(\.sqlValue)))
                AND unlink_at IS NULL
            """
        )
    }

    /// Whether something is to be unlinked that nobody has in hand.
    ///
    /// - Throws: `SQLError`.
    package static func isDue(at now: Timestamp, in session: any Session) throws(SQLError) -> Bool {
        try !session.rows(
            """
            SELECT identifier FROM merchant_token
            WHERE unlink_at <= \(now) AND COALESCE(leased_until, 0) <= \(now) LIMIT 1
            """
        ).isEmpty
    }

    /// Takes tokens in hand that are to be unlinked and that nobody has in hand, the longest due first.
    ///
    /// - Parameters:
    ///   - instance: who takes them.
    ///   - now: the moment.
    ///   - until: when they are free again.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: what is to be unlinked.
    /// - Throws: `SQLError`.
    package static func claim(
        by instance: String,
        at now: Timestamp,
        until: Timestamp,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        let rows = try session.rows(
            """
            SELECT * FROM merchant_token WHERE unlink_at <= \(now) AND COALESCE(leased_until, 0) <= \(now)
            ORDER BY unlink_at, agreement_id, identifier LIMIT \(Int64(limit))
            """
        )
        var claimed: [Entry] = []
        for row in rows {
            let entry = try Entry(row)
            let count = try session.change(
                """
                UPDATE merchant_token SET leased_by = \(instance), leased_until = \(until)
                WHERE agreement_id = \(entry.agreement) AND identifier = \(entry.identifier)
                    AND COALESCE(leased_until, 0) <= \(now)
                """
            )
            if count == 1 { claimed.append(entry) }
        }
        return claimed
    }

    /// Whether another agreement that goes on is paid with the token, so that it has to stay.
    ///
    /// - Throws: `SQLError`.
    package static func isShared(_ entry: Entry, in session: any Session) throws(SQLError) -> Bool {
        try !session.rows(
            """
            SELECT agreement_id FROM merchant_token
            WHERE marketplace = \(entry.marketplace) AND identifier = \(entry.identifier)
                AND agreement_id <> \(entry.agreement) AND unlink_at IS NULL LIMIT 1
            """
        ).isEmpty
    }

    /// Takes note that there is nothing left to unlink.
    ///
    /// - Throws: `SQLError`.
    package static func finish(_ entry: Entry, in session: any Session) throws(SQLError) {
        try session.run(
            """
            UPDATE merchant_token SET unlink_at = NULL, failure = NULL, leased_by = NULL, leased_until = NULL
            WHERE agreement_id = \(entry.agreement) AND identifier = \(entry.identifier)
            """
        )
    }

    /// Puts off what has failed.
    ///
    /// - Throws: `SQLError`.
    package static func postpone(
        _ entry: Entry,
        until: Timestamp,
        because reason: String,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            UPDATE merchant_token SET unlink_at = \(until), failures = failures + 1, failure = \(reason),
                leased_by = NULL, leased_until = NULL
            WHERE agreement_id = \(entry.agreement) AND identifier = \(entry.identifier) AND unlink_at IS NOT NULL
            """
        )
    }

    /// Why Apple has not unlinked tokens of an agreement that it was asked to unlink, the latest reason of each.
    ///
    /// - Throws: `SQLError`.
    package static func failures(of agreement: AgreementID, in session: any Session) throws(SQLError) -> [String] {
        try session.rows(
            """
            SELECT failure FROM merchant_token WHERE agreement_id = \(agreement) AND failure IS NOT NULL
            ORDER BY identifier
            """
        ).map { row throws(SQLError) in try row.text("failure") }
    }
}
