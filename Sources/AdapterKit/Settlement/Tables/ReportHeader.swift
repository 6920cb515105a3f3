import Domain

/// The header of a report, asked for its columns by a table, which looks at what is wrong once at the end.
///
/// Names are compared without regard to case and to spaces around them; their order does not matter, and columns that
/// nobody asks for are passed over.
public final class ReportHeader {
    /// How many fields each row must have.
    let width: Int
    private let places: [String: [Int]]
    private var missing: [String] = []
    private var repeated: String?

    /// Reads a header.
    ///
    /// - Throws: ``SettlementProblem/malformedHeader``.
    init(_ row: CSVRow) throws(SettlementProblem) {
        guard !row.isMalformed else { throw .malformedHeader }
        var places: [String: [Int]] = [:]
        for index in 0..<row.count {
            let name = String(validating: row[index], as: UTF8.self)?.withBoundedRuns
            guard let name else { throw .malformedHeader }
            places[Self.normal(name), default: []].append(index)
        }
        self.places = places
        width = row.count
    }

    /// A column without which the file is not this report.
    public func required(_ name: String) -> ReportColumn {
        let column = optional(name)
        if column.index == nil { missing.append(column.name) }
        return column
    }

    /// A column that is read where it is.
    public func optional(_ name: String) -> ReportColumn {
        let name = Self.normal(name)
        let found = places[name] ?? []
        if found.count > 1 { repeated = repeated ?? name }
        return ReportColumn(name: name, index: found.first)
    }

    /// What is wrong with what was asked for.
    var problem: SettlementProblem? {
        guard missing.isEmpty else { return .missingColumns(missing) }
        return repeated.map { .repeatedColumn($0) }
    }

    /// A name in small letters, without spaces around it.
    ///
    /// By bytes: going back by characters takes the square of a run of regional indicators, which are flags.
    private static func normal(_ name: String) -> String {
        let bytes = name.lowercased().utf8.drop { $0 == 0x20 }
        guard let last = bytes.lastIndex(where: { $0 != 0x20 }) else { return "" }
        return String(decoding: bytes[...last], as: UTF8.self)
    }
}
