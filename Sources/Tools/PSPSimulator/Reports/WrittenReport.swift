extension DialectName {
    /// How the PSP writes the settlement report that its adapter reads; nil if that reads none.
    package var reportLayout: (any ReportLayout.Type)? {
        switch self {
        case .simulator: SimulatorLayout.self
        case .stripe: StripeLayout.self
        case .adyen: AdyenLayout.self
        case .square: SquareLayout.self
        case .checkout: CheckoutLayout.self
        case .worldpay: WorldpayLayout.self
        case .braintree: BraintreeLayout.self
        case .authorizeNet: nil
        }
    }
}

/// An account's settlement report: what happened day by day in UTC, each day and currency a batch that is paid out on
/// that day.
///
/// A report that is made later has everything of an earlier one, under the same names.
package struct WrittenReport: Hashable, Sendable {
    /// The file.
    package let text: String
    /// What it is called.
    package let fileName: String

    /// Writes a report; nil if the account never sent anything.
    ///
    /// - Parameters:
    ///   - account: the account in the books; those that stand below it, as `account:merchant`, are part of it.
    ///   - books: the books.
    ///   - now: the time, in milliseconds since 1970.
    ///   - layout: how the PSP writes.
    ///   - days: the first and the last day in UTC, `2026-11-23`.
    ///   - fee: what is taken of each capture, in minor units.
    package init?(
        of account: String,
        _ books: Books,
        at now: Int64,
        layout: any ReportLayout.Type,
        days: ClosedRange<String> = "0000-01-01"..."9999-12-31",
        fee: Int64 = 0
    ) {
        let accounts = books.accounts.filter { $0 == account || $0.hasPrefix(account + ":") }
        guard !accounts.isEmpty else { return nil }
        var lines = accounts.flatMap { books.authorizations(of: $0, at: now) }
            .flatMap { ReportLine.lines(of: $0, in: layout) }
            .filter { days.contains($0.day) && $0.at <= now }
        lines.sort { ($0.at, $0.name) < ($1.at, $1.name) }
        for index in lines.indices where lines[index].kind == .payment { lines[index].fee = fee }
        let batches = Dictionary(grouping: lines) { Day(day: $0.day, currency: $0.currency) }
        let rows = batches.sorted { ($0.key.day, $0.key.currency) < ($1.key.day, $1.key.currency) }
            .flatMap { day, lines in Self.rows(of: lines, in: day.batch(of: account), layout) }
        text = layout.text(of: rows)
        let last = String(Moment.text(now).prefix(10))
        fileName = "settlement-\(Self.plain(account))-\(last).\(layout.fileExtension)"
    }

    /// The rows of a batch, the payout last.
    private static func rows(
        of lines: [ReportLine],
        in batch: ReportBatch,
        _ layout: any ReportLayout.Type
    ) -> [ReportRow] {
        let rows = lines.flatMap { layout.rows(of: $0, in: batch) }
        let paid = layout.paidOut(lines)
        guard paid != 0, let currency = lines.first?.currency else { return rows }
        return rows + [layout.payout(paid, currency, of: batch)]
    }

    /// The text with nothing in it that a file name, or a field of a head, may not have.
    private static func plain(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) ? $0 : "_" })
    }

    /// What is settled together.
    private struct Day: Hashable {
        let day: String
        let currency: String

        func batch(of account: String) -> ReportBatch {
            let digits = day.replacing("-", with: "")
            let suffix = "\(account)_\(digits)_\(currency.lowercased())"
            return ReportBatch(
                payout: "po_\(suffix)",
                merchantsPayout: "po_merchants_\(suffix)",
                number: digits,
                day: day
            )
        }
    }
}
