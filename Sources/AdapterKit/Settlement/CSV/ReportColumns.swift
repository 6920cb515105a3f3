/// The header of a report: where in this file the columns are that a table knows.
///
/// Names are compared without regard to case and to spaces around them; their order does not matter, and columns that
/// the table does not know are passed over.
public struct ReportColumns<Name: ReportColumnName>: Sendable {
    private let columns: [Name: ReportColumn]
    /// How many fields each row must have.
    let width: Int

    /// Reads a header.
    ///
    /// - Throws: ``SettlementProblem/malformedHeader``, ``SettlementProblem/missingColumns(_:)`` or
    ///   ``SettlementProblem/repeatedColumn(_:)``, the last for any column that the table knows.
    init(header: CSVRow, required: [Name]) throws(SettlementProblem) {
        guard !header.isMalformed else { throw .malformedHeader }
        var places: [String: [Int]] = [:]
        for index in 0..<header.count {
            guard let text = String(validating: header[index], as: UTF8.self) else { throw .malformedHeader }
            places[Self.normal(text), default: []].append(index)
        }
        let missing = required.map { Self.normal($0.rawValue) }.filter { places[$0] == nil }
        guard missing.isEmpty else { throw .missingColumns(missing) }
        var columns: [Name: ReportColumn] = [:]
        for name in Name.allCases {
            let text = Self.normal(name.rawValue)
            let found = places[text] ?? []
            guard found.count <= 1 else { throw .repeatedColumn(text) }
            columns[name] = ReportColumn(name: text, index: found.first)
        }
        self.columns = columns
        width = header.count
    }

    /// A column.
    public subscript(name: Name) -> ReportColumn {
        columns[name] ?? ReportColumn(name: Self.normal(name.rawValue), index: nil)
    }

    private static func normal(_ name: String) -> String {
        String(name.lowercased().drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
