public import Domain

/// The fields of a row by what they hold. An empty field, and a column that the file does not have, read as nil.
extension CSVRow {
    /// Where a field stands among the row's bytes; nil if nothing does.
    private func range(_ column: ReportColumn) -> Range<Int>? {
        guard let index = column.index else { return nil }
        let range = range(index)
        return range.isEmpty ? nil : range
    }

    /// Text.
    ///
    /// - Throws: ``RowProblem/notText(column:)``.
    public func text(_ column: ReportColumn) throws(RowProblem) -> String? {
        guard let range = range(column) else { return nil }
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else {
            throw .notText(column: column.name)
        }
        return String(copying: text).withBoundedRuns
    }

    /// Copies text into a line, as ``text(_:)`` reads it; false, and nothing is copied, if there is none.
    ///
    /// - Throws: ``RowProblem/notText(column:)``.
    @discardableResult
    public func copy(
        _ column: ReportColumn,
        to text: SettlementLine.Text,
        of line: inout SettlementLine
    ) throws(RowProblem) -> Bool {
        guard let range = range(column) else { return false }
        guard (try? UTF8Span(validating: bytes.span.extracting(range))) != nil else {
            throw .notText(column: column.name)
        }
        let start = bytes.startIndex
        line.write(text, utf8: bytes[(start + range.lowerBound)..<(start + range.upperBound)])
        return true
    }

    /// Copies text that must be there into a line.
    ///
    /// - Throws: ``RowProblem/missing(column:)`` or ``RowProblem/notText(column:)``.
    public func copyRequired(
        _ column: ReportColumn,
        to text: SettlementLine.Text,
        of line: inout SettlementLine
    ) throws(RowProblem) {
        guard try copy(column, to: text, of: &line) else { throw .missing(column: column.name) }
    }

    /// One of our identifiers; nil if the text is none.
    ///
    /// - Throws: ``RowProblem/notText(column:)``.
    public func identifier<Tag>(_ column: ReportColumn) throws(RowProblem) -> Identifier<Tag>? {
        guard let range = range(column) else { return nil }
        if let identifier = Identifier<Tag>(utf8: bytes.span.extracting(range)) { return identifier }
        _ = try text(column)
        return nil
    }

    /// The text of the first of several columns that has one.
    ///
    /// - Throws: ``RowProblem/notText(column:)``.
    public func text(firstOf columns: ReportColumn...) throws(RowProblem) -> String? {
        for column in columns { if let text = try text(column) { return text } }
        return nil
    }

    /// Text that must be there.
    ///
    /// - Throws: ``RowProblem/missing(column:)`` or ``RowProblem/notText(column:)``.
    public func required(_ column: ReportColumn) throws(RowProblem) -> String {
        guard let text = try text(column) else { throw .missing(column: column.name) }
        return text
    }

    /// A currency by its code in either case.
    ///
    /// - Throws: ``RowProblem/unknownCurrency(column:)`` or ``RowProblem/notText(column:)``.
    public func currency(_ column: ReportColumn) throws(RowProblem) -> Currency? {
        guard let range = range(column) else { return nil }
        guard let currency = Currency(anyCase: bytes.span.extracting(range)) else {
            _ = try text(column)
            throw .unknownCurrency(column: column.name)
        }
        return currency
    }

    /// A currency that must be there.
    ///
    /// - Throws: ``RowProblem/missing(column:)``, ``RowProblem/unknownCurrency(column:)`` or
    ///   ``RowProblem/notText(column:)``.
    public func requiredCurrency(_ column: ReportColumn) throws(RowProblem) -> Currency {
        guard let currency = try currency(column) else { throw .missing(column: column.name) }
        return currency
    }

    /// An amount in major units.
    ///
    /// - Throws: ``RowProblem/amount(column:_:)``.
    public func amount(_ column: ReportColumn, in currency: Currency) throws(RowProblem) -> SettlementAmount? {
        guard let range = range(column) else { return nil }
        do throws(AmountProblem) {
            return try SettlementAmount(decimal: bytes.span.extracting(range), currency: currency)
        } catch {
            throw .amount(column: column.name, error)
        }
    }

    /// An amount in major units that must be there.
    ///
    /// - Throws: ``RowProblem/missing(column:)`` or ``RowProblem/amount(column:_:)``.
    public func requiredAmount(_ column: ReportColumn, in currency: Currency) throws(RowProblem) -> SettlementAmount {
        guard let amount = try amount(column, in: currency) else { throw .missing(column: column.name) }
        return amount
    }

    /// A date, with the zone that another column names or that is known.
    ///
    /// - Throws: ``RowProblem/notText(column:)``.
    public func date(_ column: ReportColumn, zone: String? = nil) throws(RowProblem) -> SettlementDate? {
        guard let range = range(column) else { return nil }
        if let date = SettlementDate(short: bytes.span.extracting(range), zone: zone) { return date }
        return try text(column).map { SettlementDate($0, zone: zone) }
    }
}
