import AdapterKit

/// Finds out what a file is written in, by its first bytes.
struct FormatDetection {
    /// How many bytes are looked at, if there are as many.
    static let headBytes = 16_384

    private let formats: ReportFormats
    private let chosen: String?

    init(_ formats: ReportFormats, chosen: String?) {
        self.formats = formats
        self.chosen = chosen
    }

    /// The names of all formats that a file may be in.
    var known: [String] {
        formats.settlementReports.map { $0.format } + (formats.readsBankStatements ? ["camt", "mt940"] : [])
            + formats.tables.map { $0.name }
    }

    /// What begins with these bytes.
    ///
    /// - Throws: ``ReportFileProblem/unknownFormat(member:seen:known:)``,
    ///   ``ReportFileProblem/ambiguous(member:formats:)`` or ``ReportFileProblem/noSuchFormat(_:known:)``.
    func format(_ head: [UInt8], member: String?) throws(ReportFileProblem) -> DetectedFormat {
        if let chosen { return try named(chosen) }
        let found = candidates(head)
        guard found.count <= 1 else {
            throw .ambiguous(member: member, formats: found.map { $0.format.description })
        }
        guard let format = found.first else {
            throw .unknownFormat(member: member, seen: FileAppearance.describe(head), known: known)
        }
        return format
    }

    private func candidates(_ head: [UInt8]) -> [DetectedFormat] {
        var found: [DetectedFormat] = formats.settlementReports.filter { $0.recognises(head) }.map { .settlement($0) }
        if formats.readsBankStatements {
            if CamtReader.recognises(head) { found.append(.camt) }
            if MTReader.recognises(head) { found.append(.mt940) }
        }
        return found + formats.tables.filter { BankTableReader.recognises(head, as: $0) }.map { .table($0) }
    }

    private func named(_ name: String) throws(ReportFileProblem) -> DetectedFormat {
        if let report = formats.settlementReports.first(where: { $0.format == name }) { return .settlement(report) }
        if let table = formats.tables.first(where: { $0.name == name }) { return .table(table) }
        if formats.readsBankStatements, name == "camt" { return .camt }
        if formats.readsBankStatements, name == "mt940" { return .mt940 }
        throw .noSuchFormat(name, known: known)
    }
}
