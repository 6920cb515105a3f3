public import Domain

/// The fields of a row by what they hold. An empty field, and a column that the file does not have, read as nil.
extension CSVRow {
    /// The bytes of a field.
    private func bytes(_ column: ReportColumn) -> ArraySlice<UInt8>? {
        guard let index = column.index else { return nil }
        let field = self[index]
        return field.isEmpty ? nil : field
    }

    /// Text.
    ///
    /// - Throws: ``RowProblem/notText(column:)``.
    public func text(_ column: ReportColumn) throws(RowProblem) -> String? {
        guard let bytes = bytes(column) else { return nil }
        guard let text = try? UTF8Span(validating: bytes.span) else { throw .notText(column: column.name) }
        return String(copying: text)
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
        guard let code = bytes(column) else { return nil }
        guard let currency = Currency(anyCase: code) else {
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
        guard let bytes = bytes(column) else { return nil }
        do throws(AmountProblem) {
            return try SettlementAmount(decimal: bytes, currency: currency)
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
        guard let bytes = bytes(column) else { return nil }
        if let date = SettlementDate(short: bytes.span, zone: zone) { return date }
        return try text(column).map { SettlementDate($0, zone: zone) }
    }
}
