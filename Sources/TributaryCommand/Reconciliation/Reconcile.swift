import AdapterKit
import ArgumentParser
import Domain
import Foundation
import Reconciliation
import SQL
import Settings
import StatementFiles
import Storage
import Wiring

/// `tributary reconcile`.
struct Reconcile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take in files of PSPs and banks, compare them with the books, and say what differs.",
        discussion: """
            Settlement reports of PSPs, camt.052/.053/.054, MT940/MT942 and the tables that Config/reconciliation.yaml
            declares, packed by gzip or zip or not; what a file is, is seen in it. Its lines are matched by rules in order,
            the first that fits wins. What does not fit is a break; `tributary breaks` has them all. PSP fees and payouts
            are posted. A file counts once; a corrected one takes the place of the one before.

            Nothing counts until all of it is read; interrupted, it is run again with the same files.

            Exits 0 if nothing differs, 1 with breaks, 2 if a file cannot be used, 3 if some rows cannot be read and
            nothing else differs, 4 if our own books are wrong.

            Examples:
              tributary reconcile payouts-2026-11.csv statement.xml
              tributary reconcile payouts.csv.gz --psp stripe-main --dry-run --format json --out breaks.json
            """
    )

    @Argument(help: ArgumentHelp("Files of PSPs and banks.", valueName: "file"))
    var files: [String]

    @OptionGroup(title: "What is compared") var selection: ReconcileSelection

    @Flag(name: .long, help: "Store nothing and post nothing.")
    var dryRun = false

    @Flag(name: .long, help: "Files that were taken in before are no mistake; nothing of them changes.")
    var again = false

    @Flag(name: .long, help: "A file in whose place a later version came counts again, in the place of that one.")
    var reinstate = false

    @Flag(name: .long, help: "A file may end inside its last line; else it is taken to be cut there, and exits 3.")
    var unterminated = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Say how what has this name was matched: an order, payment, operation, batch, break or PSP reference.",
            valueName: "id"
        )
    )
    var explain: String?

    @Option(
        name: .long,
        parsing: .singleValue,
        help: ArgumentHelp(
            "Exit 1 for breaks of these types only; repeat it, or separate by commas.",
            valueName: "type"
        )
    )
    var failOn: [String] = []

    @Option(name: .long, help: "How to write the result: table, json, jsonl or csv.")
    var format: ReconcileFormat = .table

    @Option(name: .long, help: ArgumentHelp("Write the result to a file.", valueName: "file"))
    var out: String?

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("name at least one file") }
        guard !again || !reinstate else {
            throw ValidationError("--again changes nothing of files that count or did, and --reinstate does: say one")
        }
        _ = try failingTypes()
        try selection.check()
    }

    func run() async throws {
        let settings = try selection.settings()
        let formats = ReportFormats(
            settlementReports: AdapterCatalog.settlementReports.flatMap(\.value),
            tables: settings.bankTables
        )
        let psps = AdapterCatalog.settlementReports.flatMap { psp, reports in reports.map { ($0.format, psp) } }
        let output = try ResultOutput(out)
        try await DatabaseUse.looking.open(database.settings()) { [self] database in
            let request = try await request(in: database)
            let run = ReconciliationRun(
                request,
                rules: settings.rules,
                formats: formats,
                psps: Dictionary(uniqueKeysWithValues: psps),
                database: database
            )
            let (result, report) = try await result(of: run)
            note(result)
            try report.write(result, to: output)
            try await ReconcileAudit(of: request.marketplace, result).run(on: database)
            let code = try Self.exitCode(of: result.summary, failingOn: failingTypes())
            guard code == 0 else { throw ExitCode(code) }
        }
    }

    /// Runs, and once more if another reconciliation was faster.
    private func result(of run: ReconciliationRun) async throws -> (ReconciliationResult, ReconcileReport) {
        for turn in 1... {
            var report = try ReconcileReport(format, explaining: explain)
            let bar = ReconcileProgress()
            defer { bar.end() }
            do {
                return (try await run.run(into: &report) { bar.show($0) }, report)
            } catch ReconciliationRefusal.disturbed where turn < Self.turnLimit {
                Console.note("Another reconciliation came to count meanwhile; beginning again.")
            }
        }
        throw ReconciliationRefusal.disturbed
    }

    /// How often a run is begun before it gives way to others.
    private static let turnLimit = 3

    private func request(in database: any Database) async throws -> ReconciliationRequest {
        let owner = try await database.read { [marketplace] session in try marketplace.choose(in: session) }
        var request = ReconciliationRequest(paths: files, marketplace: owner)
        request.actor = .commandLine
        request.psp = selection.psp
        request.format = selection.inputFormat
        request.scope = try selection.scope()
        request.isDryRun = dryRun
        request.knownFiles = reinstate ? .reinstated : again ? .passed : .refused
        request.allowsUnterminated = unterminated
        return request
    }

    /// Other breaks are worse than rows that cannot be read, and hide them.
    private static func exitCode(of summary: ReconciliationSummary, failingOn types: Set<BreakType>) -> Int32 {
        let found = Set(summary.breaks.filter { $0.value > 0 }.keys)
        let failing = types.isEmpty ? found.subtracting([.unparseableRow]) : found.intersection(types)
        guard failing.isEmpty else { return 1 }
        return summary.unusableRows > 0 ? 3 : 0
    }

    private func failingTypes() throws -> Set<BreakType> {
        var types: Set<BreakType> = []
        for word in failOn.flatMap({ $0.split(separator: ",") }) {
            guard let type = BreakType(rawValue: String(word)) else {
                let known = BreakType.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("there is no break type \(String(word).harmless); there are \(known)")
            }
            types.insert(type)
        }
        return types
    }

    /// What is no data: what was stored.
    private func note(_ result: ReconciliationResult) {
        let takes = result.outcome == nil ? "would take" : "took"
        for input in result.inputs {
            let path = input.path.harmless
            for file in input.replaced {
                let other = "\(file.name.harmless) (\(file.id))"
                Console.note("\(path) \(takes) the place of \(other), which was taken in on \(file.importedAt).")
            }
        }
        guard let outcome = result.outcome else { return Console.note("A dry run: nothing was stored.") }
        let recorded = outcome.recorded
        Console.note(
            "\(recorded.opened) breaks opened, \(recorded.reopened) again, \(recorded.kept) known, "
                + "\(outcome.closed) closed; \(outcome.entries) journal entries posted."
        )
    }
}

/// How a reconciliation is written.
enum ReconcileFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people; at most a thousand breaks.
    case table
    /// One JSON object; amounts as integers in minor units.
    case json
    /// A JSON object a line: inputs, breaks, the summary.
    case jsonl
    /// The breaks as comma-separated values (RFC 4180).
    case csv
}

/// Shows on a terminal how far a reconciliation is; elsewhere nothing.
final class ReconcileProgress {
    private static let width = 30

    private let isShown = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private var file: (path: String, since: ContinuousClock.Instant)?
    private var shownAt: ContinuousClock.Instant?

    /// Shows a stage, ten times a second at most.
    func show(_ stage: ReconciliationStage) {
        guard isShown else { return }
        let now = clock.now
        if case .reading(let path, _, _, _) = stage, file?.path != path { file = (path, now) }
        if let shownAt, now - shownAt < .milliseconds(100) { return }
        shownAt = now
        write(text(of: stage, at: now))
    }

    /// Takes the bar away.
    func end() {
        guard isShown, shownAt != nil else { return }
        write("")
    }

    private func text(of stage: ReconciliationStage, at now: ContinuousClock.Instant) -> String {
        switch stage {
        case .reading(let path, let bytes, let size, let rows):
            let seconds = file.map { Double((now - $0.since).components.seconds) + 0.5 } ?? 1
            let share = size > 0 ? min(1, Double(bytes) / Double(size)) : 1
            let done = Int(share * Double(Self.width))
            let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
            let left = share > 0 ? Int(seconds / share - seconds) : 0
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return "\(name.harmless) [\(bar)] \(Int(share * 100)) %  \(rows) rows, \(Int(Double(rows) / seconds))/s, "
                + "\(left) s left"
        case .expecting(let count): return "reading our books: \(count) movements"
        case .matching(let matches, let breaks): return "matching: \(matches) matches, \(breaks) breaks"
        }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
    }
}
