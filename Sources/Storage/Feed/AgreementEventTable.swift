package import Domain
package import SQL

/// What others are told of agreements, for the feed of events.
package enum AgreementEventTable {
    /// Something that is told.
    package struct Entry: Hashable, Sendable {
        /// What it is about.
        package let agreement: AgreementID
        /// Its number among all that is told of the agreement, from 1.
        package let sequence: Int64
        /// The marketplace.
        package let marketplace: String
        /// The merchant.
        package let merchant: MerchantID
        /// What is told.
        package let kind: Announcement.Kind
        /// When it came about, by the marketplace's clock.
        package let at: Timestamp
        /// The callback that tells the marketplace.
        package let toMarketplace: CallbackID
        /// The callback that tells the merchant.
        package let toMerchant: CallbackID

        /// Makes an entry.
        package init(
            _ kind: Announcement.Kind,
            _ sequence: Int64,
            of agreement: Agreement,
            at time: Timestamp,
            toMarketplace: CallbackID,
            toMerchant: CallbackID
        ) {
            (self.agreement, self.kind, self.sequence, at) = (agreement.id, kind, sequence, time)
            (marketplace, merchant) = (agreement.marketplace, agreement.merchant)
            (self.toMarketplace, self.toMerchant) = (toMarketplace, toMerchant)
        }

        fileprivate init(_ row: Row) throws(SQLError) {
            agreement = try row.identifier("agreement_id")
            sequence = try row.integer("sequence")
            marketplace = try row.text("marketplace")
            merchant = try row.identifier("merchant")
            kind = try row.word("type")
            at = try row.time("at")
            toMarketplace = try row.identifier("told_marketplace")
            toMerchant = try row.identifier("told_merchant")
        }

        /// Its place in the feed.
        package var place: EventFeedTable.Place { EventFeedTable.Place(of: agreement, sequence, at: at) }
    }

    /// Writes down what is told.
    ///
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    package static func insert(_ entries: [Entry], in session: any Session) throws(SQLError) {
        for entry in entries {
            try session.run(
                """
                INSERT INTO agreement_event (agreement_id, sequence, marketplace, merchant, type, at, told_marketplace,
                    told_merchant)
                VALUES (\(entry.agreement), \(entry.sequence), \(entry.marketplace), \(entry.merchant),
                    \(entry.kind.rawValue), \(entry.at), \(entry.toMarketplace), \(entry.toMerchant))
                """
            )
        }
    }

    /// What a callback tells, to the marketplace or a merchant of it; nil if it is about no agreement.
    ///
    /// - Throws: `SQLError`.
    static func find(
        _ id: CallbackID,
        of marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Entry? {
        try session.rows(
            """
            SELECT * FROM agreement_event
            WHERE marketplace = \(marketplace) AND (told_marketplace = \(id) OR told_merchant = \(id))
            """
        ).first.map { row throws(SQLError) in try Entry(row) }
    }

    /// What is told behind a place of the feed, at most `limit`, in the order of the feed.
    ///
    /// - Parameters:
    ///   - marketplace: whose.
    ///   - merchant: only agreements with this merchant; nil for all.
    ///   - place: where to begin; nil for the first of `times`.
    ///   - times: the moments to read.
    ///   - limit: how many at most.
    ///   - session: the transaction.
    /// - Returns: what is told.
    /// - Throws: `SQLError`.
    package static func page(
        of marketplace: String,
        merchant: MerchantID?,
        from place: EventFeedTable.Place?,
        _ times: Range<Timestamp>,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [Entry] {
        let owner: SQL = merchant.map { "AND merchant = \($0)" } ?? ""
        let rest: SQL =
            place.map { "AND (at, agreement_id, sequence) > (\($0.at), \($0.subject), \($0.version))" } ?? ""
        let rows = try session.rows(
            """
            SELECT * FROM agreement_event
            WHERE marketplace = \(marketplace) \(owner) AND at >= \(times.lowerBound) AND at < \(times.upperBound) \(rest)
            ORDER BY at, agreement_id, sequence LIMIT \(Int64(limit))
            """
        )
        var entries: [Entry] = []
        for row in rows { entries.append(try Entry(row)) }
        return entries
    }
}
