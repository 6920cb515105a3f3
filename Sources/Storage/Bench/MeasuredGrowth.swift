package import Domain
package import SQL

/// Fills a PostgreSQL database with finished orders of one marketplace, without placing them; for measurements.
///
/// The orders are copies of a few that were placed, of many merchants in turn, over the 90 days that end two hours before
/// the copied ones. The number of a copy is its place in time, so that a database that is filled further is filled as it
/// would have grown.
package struct MeasuredGrowth: Hashable, Sendable {
    /// Over how long a time the orders are spread, in microseconds.
    private static let spread: Int64 = 90 * 86_400_000_000
    /// How long before the copied orders the last one is, in microseconds.
    private static let margin: Int64 = 2 * 3_600_000_000
    /// The most orders: a billion, which identifiers and times have room for.
    private static let most: Int64 = 1_000_000_000

    /// How many merchants there are.
    package let merchants: Int64
    /// How much later than the one before it an order is, in microseconds.
    let step: Int64

    /// Plans for so many orders at the end.
    package init(orders: Int64, merchants: Int64) {
        self.merchants = max(1, merchants)
        step = max(1, Self.spread / max(1, orders))
    }

    /// Reads sizes, as in `10000,1000000`: ascending and none twice; nil if a part is none.
    package static func sizes(_ text: String) -> [Int64]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let sizes = parts.compactMap { part -> Int64? in
            guard !part.isEmpty, part.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                return nil
            }
            return Int64(part).flatMap { (1...most).contains($0) ? $0 : nil }
        }
        return sizes.count == parts.count ? Set(sizes).sorted() : nil
    }

    /// When the order with a number is placed, if the copied ones were at `template`.
    package func time(of number: Int64, after template: Timestamp) -> Timestamp {
        Timestamp(microseconds: template.microseconds + number * step - Self.spread - Self.margin)
    }

    /// Copies a merchant, as many times as there are merchants.
    ///
    /// - Throws: `SQLError`.
    package func copyMerchants(_ template: MeasuredTemplate, in session: any Session) throws(SQLError) {
        try copy(template, 0..<merchants, every: 1, in: session)
    }

    /// Copies orders in turn, to those with these numbers; much is lost if the server stops soon after.
    ///
    /// - Throws: `SQLError`.
    package func copyOrders(
        _ templates: [MeasuredTemplate],
        _ numbers: Range<Int64>,
        in session: any Session
    ) throws(SQLError) {
        try session.run("SET LOCAL synchronous_commit = off")
        for (place, template) in templates.enumerated() where numbers.lowerBound + Int64(place) < numbers.upperBound {
            let start = numbers.lowerBound + Int64(place)
            try copy(template, start..<numbers.upperBound, every: Int64(templates.count), in: session)
        }
    }

    private func copy(
        _ template: MeasuredTemplate,
        _ numbers: Range<Int64>,
        every stride: Int64,
        in session: any Session
    ) throws(SQLError) {
        let statement = template.statement(
            numbers,
            every: stride,
            merchants: merchants,
            step: step,
            shift: -Self.spread - Self.margin
        )
        _ = try session.rows(statement)
    }

    /// Rolls the marketplace's books up to the last hour that is over at a moment, hour by hour, as a server does.
    ///
    /// Nobody else posts there, so that there is nobody to wait for.
    ///
    /// - Returns: the end of what is rolled up.
    /// - Throws: `SQLError`.
    package static func rollUp(
        _ marketplace: String,
        before moment: Timestamp,
        in database: some Database
    ) async throws -> Timestamp {
        let end = LedgerRollup.lastEnd(before: moment)
        try await database.write { session in try LedgerRollup.close(marketplace, before: end, in: session) }
        while try await database.write({ try LedgerRollup.roll(marketplace, before: end, in: $0) }) {
            try Task.checkCancellation()
        }
        return end
    }

    /// The reference of an order in the midst of a marketplace's newest.
    ///
    /// - Throws: `SQLError`.
    package static func reference(
        in marketplace: String,
        skipping count: Int,
        in session: any Session
    ) throws(SQLError) -> String? {
        try session.rows(
            """
            SELECT reference FROM orders WHERE marketplace = \(marketplace) ORDER BY id DESC LIMIT 1 OFFSET \(count)
            """
        ).first?.optionalText("reference")
    }

    /// Has the planner know what there is, and later readers find rows' visibility settled.
    package static let vacuum: SQL = "VACUUM (ANALYZE)"
    /// The same of what rolling up wrote.
    package static let vacuumBalances: SQL = "VACUUM (ANALYZE) ledger_balance, ledger_period"
    /// Writes out what was changed, so that no measurement pays for it.
    package static let checkpoint: SQL = "CHECKPOINT"
}
