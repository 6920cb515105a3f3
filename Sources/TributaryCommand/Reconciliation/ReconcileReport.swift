import Domain
import ExternalJoin
import Foundation
import Reconciliation
import SQL
import Storage
import StrictJSON

/// Gathers what is found, in memory that does not grow with it, and writes it once it counts.
struct ReconcileReport: FindingOutput {
    /// The most breaks that a table shows.
    private static let tableLimit = 1_000
    /// How much is gathered before it is put aside.
    private static let bufferBytes = 262_144

    private let format: ReconcileFormat
    private let name: String?
    private let file: SpillFile
    private var blocks: [SpillBlock] = []
    private var buffer: [UInt8] = []
    private var table = Table("type", "amount", "currency", "age", "psp_account", "order", "id", "explanation")
    private var count = 0
    private var explanations: [String] = []
    private var asOf: CalendarDay?

    /// Makes a report.
    ///
    /// - Parameters:
    ///   - format: how it is written.
    ///   - name: what is to be explained, if anything.
    /// - Throws: `SpillProblem`.
    init(_ format: ReconcileFormat, explaining name: String?) throws {
        self.format = format
        self.name = name
        file = try SpillFile(in: NSTemporaryDirectory())
    }

    mutating func take(_ matches: [Match]) {
        guard let name else { return }
        for match in matches where match.concerns(name) && explanations.count < Self.tableLimit {
            explanations.append(match.explanation)
        }
    }

    mutating func take(_ breaks: [(id: BreakID, difference: Break)]) throws {
        for (id, difference) in breaks {
            if let name, difference.concerns(name) || id.text == name, explanations.count < Self.tableLimit {
                explanations.append("\(difference.type.rawValue): \(difference.explanation) \(difference.suggestion)")
            }
            try add(BreakRow(id: id, difference: difference, asOf: asOf))
            count += 1
        }
    }

    mutating func begin(asOf: CalendarDay?) { self.asOf = asOf }

    private mutating func add(_ row: BreakRow) throws {
        switch format {
        case .table: if count < Self.tableLimit { table.add(row.cells) }
        case .json: try append((count == 0 ? "" : ",\n") + row.json.text)
        case .jsonl: try append(row.json.tagged("break").text + "\n")
        case .csv: try append(row.csv + "\n")
        }
    }

    private mutating func append(_ text: String) throws {
        buffer += text.utf8
        guard buffer.count >= Self.bufferBytes else { return }
        blocks.append(try file.append(buffer))
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes everything, to standard output or a file, which is there whole or not at all.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be written.
    func write(_ result: ReconciliationResult, to output: ResultOutput) throws {
        let page = ResultPage(result: result, explanations: name == nil ? nil : explanations)
        switch format {
        case .table: try output.write(page.text(table, hidden: count - table.rows.count) + "\n")
        case .json:
            try output.write(page.jsonHead)
            try body(to: output)
            try output.write(page.jsonFoot + "\n")
        case .jsonl:
            try output.write(page.lines.joined(separator: "\n") + "\n")
            try body(to: output)
            try output.write(page.summary.tagged("summary").text + "\n")
        case .csv:
            try output.write(BreakRow.csvHead + "\n")
            try body(to: output)
        }
        try output.finish()
    }

    private func body(to output: ResultOutput) throws {
        for block in blocks { try output.write(file.read([block], followedBy: [])) }
        try output.write(buffer)
    }
}

extension Match {
    /// Whether it is about what has this name.
    fileprivate func concerns(_ name: String) -> Bool {
        shared == name || batch == name || payouts.contains { $0.text == name } || subjects.contains { $0.name == name }
            || owners.contains { [$0.order.text, $0.payment.text, $0.attempt.text].contains(name) }
    }
}

extension Break {
    /// Whether it is about what has this name.
    fileprivate func concerns(_ name: String) -> Bool {
        [order?.text, payment?.text, subject?.name, merchant?.text].contains(name) || key.hasSuffix("/" + name)
    }
}

extension Expectation.Subject {
    /// The operation's or the dispute's identifier.
    fileprivate var name: String {
        switch self {
        case .operation(let id): id.text
        case .chargeback(let id), .chargebackReversal(let id): id.text
        }
    }
}

/// Whether our own books keep their rules, as far as a reconciliation is about them.
///
/// Entries, orders, payouts, imports, breaks and reversals since a week before the first day that a file names, two months
/// at most; `tributary ledger verify` goes through everything.
struct ReconcileAudit {
    /// How many findings are shown one by one.
    private static let shownLimit = 5
    /// How many findings make it needless to look on in a part of the books.
    private static let enough = 100
    private static let daysBefore: Int32 = 7
    private static let daysAtMost: Int32 = 62

    private let marketplace: String
    private let result: ReconciliationResult

    init(of marketplace: String, _ result: ReconciliationResult) {
        self.marketplace = marketplace
        self.result = result
    }

    /// Holds the books to their rules.
    ///
    /// - Throws: ``CommandFailure`` with what breaks a rule, and `SQLError`.
    func run(on database: any Database) async throws {
        let start = start() ?? result.startedAt
        let audit = LedgerAudit(of: marketplace, in: start..<LedgerAudit.allTime.upperBound)
        let walk = AuditWalk(audit: audit) { "our \($0.rawValue)" }
        var findings: [LedgerFinding] = []
        try await walk.go(through: [.entries, .orders, .payouts, .imports, .breaks, .reversals], database) { found in
            findings += found
            return findings.count < Self.enough
        }
        guard let first = findings.first else { return }
        for finding in findings.prefix(Self.shownLimit) {
            Console.note(
                "\(finding.rule.rawValue): \(finding.subject.harmless): \(finding.expected) expected, \(finding.found)"
            )
        }
        throw CommandFailure.brokenBooks(
            "our own books break a rule, as \(first.rule.rawValue); see `tributary ledger verify`"
        )
    }

    /// The beginning of the first day that is looked at, in UTC.
    private func start() -> Timestamp? {
        guard let first = result.firstDay, let last = result.summary.asOf else { return nil }
        let day = max(first.adding(days: -Self.daysBefore), last.adding(days: -Self.daysAtMost))
        return BusinessCalendar.utc.end(of: day.adding(days: -1))
    }
}
