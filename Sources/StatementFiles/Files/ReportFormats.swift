package import AdapterKit

/// The formats that a file may be in.
package struct ReportFormats: Sendable {
    /// The PSPs' settlement reports.
    package var settlementReports: [any SettlementReport.Type]
    /// Whether camt.052, .053 and .054, MT940 and MT942 are among them.
    package var readsBankStatements: Bool
    /// The banks' tables that the operator declared.
    package var tables: [BankTable]

    /// Makes a list.
    package init(
        settlementReports: [any SettlementReport.Type] = [],
        readsBankStatements: Bool = true,
        tables: [BankTable] = []
    ) {
        self.settlementReports = settlementReports
        self.readsBankStatements = readsBankStatements
        self.tables = tables
    }
}

/// What a report is written in.
package enum ReportFormat: Hashable, Sendable, CustomStringConvertible {
    /// A PSP's settlement report; the name is `SettlementReport.format`.
    case settlement(String)
    /// camt.052, camt.053 or camt.054 of ISO 20022.
    case camt
    /// SWIFT MT940 or MT942.
    case mt940
    /// A bank's table that the operator declared; the name is ``BankTable/name``.
    case table(String)

    /// Its name: lower case with hyphens.
    package var description: String {
        switch self {
        case .settlement(let name), .table(let name): name
        case .camt: "camt"
        case .mt940: "mt940"
        }
    }
}

/// A format with what it takes to read it.
enum DetectedFormat {
    case settlement(any SettlementReport.Type)
    case camt
    case mt940
    case table(BankTable)

    /// Its name.
    var format: ReportFormat {
        switch self {
        case .settlement(let report): .settlement(report.format)
        case .camt: .camt
        case .mt940: .mt940
        case .table(let table): .table(table.name)
        }
    }

    /// A reader at the beginning of a file.
    func reader() -> MemberReader {
        switch self {
        case .settlement(let report): .settlement(report.init())
        case .camt: .bank(CamtReader())
        case .mt940: .bank(MTReader())
        case .table(let table): .bank(BankTableReader(table))
        }
    }
}

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

/// Says what a file that is in no known format looks like.
enum FileAppearance {
    private static let signatures: [(name: String, bytes: [UInt8])] = [
        ("a gzip file inside an archive", [0x1F, 0x8B]), ("a zip archive inside an archive", [0x50, 0x4B, 0x03, 0x04]),
        ("a bzip2 file", Array("BZh".utf8)), ("an xz file", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ("a Zstandard file", [0x28, 0xB5, 0x2F, 0xFD]), ("a 7-Zip archive", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
        ("a RAR archive", Array("Rar!".utf8)), ("a PDF document", Array("%PDF".utf8)),
        ("an Excel or Word document", [0xD0, 0xCF, 0x11, 0xE0]), ("a PGP message", Array("-----BEGIN PGP".utf8)),
    ]

    /// What the first bytes of a file look like, in words of ours; of the file only names of XML elements are repeated.
    static func describe(_ head: [UInt8]) -> String {
        if head.isEmpty { return "an empty file" }
        for signature in signatures where head.starts(with: signature.bytes) { return signature.name }
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) { return "a tar archive" }
        let text = head.filter { $0 != 0 }
        if TextStart.isXML(text) { return xml(text) }
        if let first = TextStart.withoutMark(text).first(where: { !TextStart.isSpace($0) }) {
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
                return text.firstRange(of: Array("{1:".utf8)) == nil
                    ? "JSON" : "a SWIFT message that is no MT940 or MT942"
            }
            if first == UInt8(ascii: ":") { return "a part of a SWIFT message" }
        }
        if head.contains(where: { $0 < 0x20 && !TextStart.isSpace($0) }) { return "a file that is no text" }
        return table(head)
    }

    private static func xml(_ text: [UInt8]) -> String {
        var rest = text[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            let name = rest[(start + 1)...].prefix { isNameByte($0) }
            if !name.isEmpty { return "XML whose first element is \(String(decoding: name.prefix(60), as: UTF8.self))" }
            rest = rest[(start + 1)...]
        }
        return "XML without an element"
    }

    private static func table(_ head: [UInt8]) -> String {
        let line = head.prefix { $0 != 0x0A && $0 != 0x0D }
        let counts: [(name: String, byte: UInt8)] = [
            ("commas", UInt8(ascii: ",")), ("semicolons", UInt8(ascii: ";")), ("tabs", UInt8(ascii: "\t")),
            ("vertical bars", UInt8(ascii: "|")),
        ]
        let best = counts.map { separator in (separator.name, line.count { $0 == separator.byte }) }.max { $0.1 < $1.1 }
        guard let best, best.1 > 0 else { return "text" }
        return "a table of \(best.1 + 1) columns separated by \(best.0)"
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        Digits.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
            || [UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }
}
