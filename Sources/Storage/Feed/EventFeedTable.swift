package import Domain
package import SQL

/// What others are told, in the one order of a marketplace: by moment, then by subject.
///
/// It is read off the history of orders, whose steps name what is told of them, off payouts, and off what is told of
/// agreements, which has a table of its own (``AgreementEventTable``).
package enum EventFeedTable {
    /// The place of an event.
    package struct Place: Hashable, Comparable, Sendable {
        /// When it came about.
        package let at: Timestamp
        /// What it is about: an order, a payout or an agreement.
        package let subject: String
        /// The order's version after the step; of a payout, 1 once it has failed; of an agreement, the sequence.
        package let version: Int64
        /// Its number among what is told of the step.
        package let number: Int64

        /// The place of what is told of a step.
        package init(_ step: ToldStep, _ item: ToldStep.Item) {
            (at, subject, version, number) = (step.at, step.order.text, step.version, item.number)
        }

        /// The place of what is told of a payout.
        package init(_ news: PayoutNews) {
            (at, subject, version, number) = (news.at, news.payout.text, news.isFailure ? 1 : 0, 0)
        }

        /// The place of what is told of an agreement.
        init(of agreement: AgreementID, _ sequence: Int64, at time: Timestamp) {
            (at, subject, version, number) = (time, agreement.text, sequence, 0)
        }

        /// Orders by moment, subject, version and number.
        package static func < (left: Place, right: Place) -> Bool {
            (left.at.microseconds, left.subject, left.version, left.number)
                < (right.at.microseconds, right.subject, right.version, right.number)
        }
    }

    /// The moment before which nothing is added any more.
    ///
    /// A step carries the moment at which its transaction reads the clock, and is seen once that is committed; so what is read
    /// stops before the oldest transaction that has written anything and still runs, and a second before now, by which the
    /// clocks of instances may differ. It has to be asked in a transaction of its own, before the one that reads: whoever
    /// ends between the two is seen. SQLite has one writer at a time, whose moments follow each other; but a payout's is the
    /// beginning of its millisecond, before which a step may stand that was taken in the same one, so a second is left there
    /// too.
    ///
    /// - Throws: `SQLError`.
    package static func horizon(at now: Timestamp, in session: any Session) throws(SQLError) -> Timestamp {
        guard session.dialect == .postgres else { return Timestamp(microseconds: now.microseconds - 1_000_000) }
        let rows = try session.rows(
            """
            SELECT CAST(COALESCE(MAX(EXTRACT(EPOCH FROM clock_timestamp() - xact_start)), 0) * 1000000 AS BIGINT) AS age
            FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
                AND backend_type = 'client backend'
                AND (backend_xid IS NOT NULL OR xact_start > clock_timestamp() - INTERVAL '5 seconds')
            """
        )
        let age = try rows.first?.integer("age") ?? 0
        return Timestamp(microseconds: now.microseconds - max(0, age) - 1_000_000)
    }

    /// The place of an event, if the marketplace has it.
    ///
    /// - Throws: `SQLError`.
    package static func place(
        of id: CallbackID,
        marketplace: String,
        in session: any Session
    ) throws(SQLError) -> Place? {
        let rows = try session.rows(
            """
            SELECT order_id, version, at, document FROM order_step
            WHERE order_id = \(OrderID(of: id)) AND version = \(id.step) AND marketplace = \(marketplace)
                AND told IS NOT NULL
            """
        )
        if let row = rows.first {
            let step = try ToldStep.read(row)
            return step.items.first { $0.number == id.number }.map { Place(step, $0) }
        }
        if let entry = try AgreementEventTable.find(id, of: marketplace, in: session) { return entry.place }
        let times = PayoutNews.times(of: id)
        let isFailure = PayoutNews.isFailure(id)
        let column: SQL = isFailure ? "failed_at" : "recorded_at"
        var range = CreationRange()
        (range.from, range.to) = (isFailure ? nil : times.lowerBound, times.upperBound)
        let payouts = try PayoutTable.payouts(
            """
            marketplace = \(marketplace) AND \(SQL.all(range.bounds(on: "id", PayoutID.self)))
                AND \(column) >= \(times.lowerBound) AND \(column) < \(times.upperBound) ORDER BY id LIMIT 1000
            """,
            in: session
        )
        return payouts.compactMap { news(of: $0, isFailure: isFailure) }.first { $0.isNamed(id) }.map { Place($0) }
    }

    /// The steps behind a place of which something is told, in the order of the feed; the first may be the place's own.
    ///
    /// - Parameters:
    ///   - marketplace: whose.
    ///   - merchant: only orders with a payment of this merchant; nil for all.
    ///   - place: where to begin; nil for `since`.
    ///   - times: the moments to read.
    ///   - limit: how many steps at most.
    ///   - session: the transaction.
    /// - Returns: the steps, and the step behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    package static func steps(
        of marketplace: String,
        merchant: MerchantID?,
        from place: Place?,
        _ times: Range<Timestamp>,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> (steps: [ToldStep], last: ToldStep?) {
        func behind(_ row: Row) throws(SQLError) -> SQL {
            """
            (s.at, s.order_id, s.version)
                > (\(try row.time("at")), \(try row.text("order_id")), \(try row.integer("version")))
            """
        }
        let condition: SQL =
            merchant.map {
                "EXISTS (SELECT 1 FROM payment AS p WHERE p.order_id = looked.order_id AND p.merchant = \($0))"
            } ?? "1 = 1"
        let scan = BoundedScan(
            source: """
                SELECT s.order_id AS order_id, s.version AS version, s.at AS at, s.document AS document
                FROM order_step AS s WHERE s.marketplace = \(marketplace) AND s.told IS NOT NULL
                    AND s.at >= \(max(times.lowerBound, place?.at ?? times.lowerBound)) AND s.at < \(times.upperBound)
                """,
            columns: "order_id, version, at, document",
            condition: condition,
            order: "at, order_id, version",
            place: behind
        )
        let start: SQL? = place.map { place in
            "(s.at, s.order_id, s.version) >= (\(place.at), \(place.subject), \(place.version))"
        }
        let found = try scan.page(limit: limit, from: start, in: session)
        var steps: [ToldStep] = []
        for row in found.rows { steps.append(try ToldStep.read(row)) }
        return (steps, try found.last.map { row throws(SQLError) in try ToldStep.read(row) })
    }

    /// What is told of payouts behind a place, at most `limit` of each kind, in the order of the feed.
    ///
    /// - Parameters:
    ///   - marketplace: whose.
    ///   - merchant: only payouts to this merchant; nil for all.
    ///   - place: where to begin; nil for the beginning of `times`.
    ///   - times: the moments to read.
    ///   - limit: how many of each kind at most.
    ///   - session: the transaction.
    /// - Returns: the payouts, each with what is told of it and where that stands.
    /// - Throws: `SQLError`.
    package static func payouts(
        of marketplace: String,
        merchant: MerchantID?,
        from place: Place?,
        _ times: Range<Timestamp>,
        limit: Int,
        in session: any Session
    ) throws(SQLError) -> [(place: Place, news: PayoutNews, payout: Payout)] {
        var range = CreationRange()
        (range.from, range.to) = (times.lowerBound, times.upperBound)
        let owner: SQL = merchant.map { "AND merchant = \($0)" } ?? ""
        let paid = try PayoutTable.payouts(
            """
            marketplace = \(marketplace) AND \(SQL.all(range.bounds(on: "id", PayoutID.self))) \(owner)
                AND recorded_at >= \(times.lowerBound) AND recorded_at < \(times.upperBound)
                AND \(behind(place, at: "recorded_at", version: 0))
            ORDER BY recorded_at, id LIMIT \(limit)
            """,
            in: session
        )
        let failed = try PayoutTable.payouts(
            """
            marketplace = \(marketplace) \(owner) AND failed_at >= \(times.lowerBound) AND failed_at < \(times.upperBound)
                AND \(behind(place, at: "failed_at", version: 1))
            ORDER BY failed_at, id LIMIT \(limit)
            """,
            in: session
        )
        func items(_ payouts: [Payout], isFailure: Bool) -> [(place: Place, news: PayoutNews, payout: Payout)] {
            payouts.compactMap { payout in
                news(of: payout, isFailure: isFailure).map { (place: Place($0), news: $0, payout: payout) }
            }
        }
        let all = items(paid, isFailure: false) + items(failed, isFailure: true)
        return all.sorted { $0.place < $1.place }
    }

    /// Which number what is told of a payout has among all payouts of its merchant in its currency.
    ///
    /// - Throws: `SQLError`.
    package static func sequence(
        of payout: Payout,
        at time: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Int64 {
        let integer = session.dialect.integerType
        let rows = try session.rows(
            """
            SELECT CAST(COUNT(*) AS \(unsafeText: integer)) AS paid,
                CAST(COUNT(CASE WHEN failed_at <= \(time) THEN 1 END) AS \(unsafeText: integer)) AS failed
            FROM payout WHERE marketplace = \(payout.marketplace) AND merchant = \(payout.merchant)
                AND currency = \(payout.amount.currency.code) AND recorded_at <= \(time)
            """
        )
        return try (rows.first?.integer("paid") ?? 0) + (rows.first?.integer("failed") ?? 0)
    }

    /// The bodies of callbacks that were written down, by their identifiers.
    ///
    /// - Throws: `SQLError`.
    package static func payloads(of ids: [CallbackID], in session: any Session) throws(SQLError) -> [CallbackID: String]
    {
        var payloads: [CallbackID: String] = [:]
        for row in try session.rows("SELECT id, payload FROM callback WHERE id IN (\(list: ids.map(\.sqlValue)))") {
            payloads[try row.identifier("id")] = try row.text("payload")
        }
        return payloads
    }

    /// Whether what is told of a payout with that version, at the moment in a column, is behind a place.
    private static func behind(_ place: Place?, at column: SQL, version: Int64) -> SQL {
        guard let place else { return "1 = 1" }
        // Of the payout at the place itself, only what has a later version.
        let later: SQL = version > place.version ? ">=" : ">"
        return "(\(column) > \(place.at) OR id \(later) \(place.subject))"
    }

    /// What is told of a payout; nil if it did not come about.
    private static func news(of payout: Payout, isFailure: Bool) -> PayoutNews? {
        guard isFailure else { return PayoutNews(payout.id, isFailure: false, at: payout.recordedAt) }
        guard case .failed(let failure) = payout.state else { return nil }
        return PayoutNews(payout.id, isFailure: true, at: failure.at)
    }
}
