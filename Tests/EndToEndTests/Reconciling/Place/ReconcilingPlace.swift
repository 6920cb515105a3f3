import Domain
import Foundation
import SQL
import StrictJSON
import Testing
import TributaryTestKit

/// A workplace beside a database with ``SettledBooks``, from a template or played, where files of PSPs and banks are handed to the program.
struct ReconcilingPlace: Sendable {
    let work: Workplace
    let location: DatabaseLocation
    let books: SettledBooks

    /// Lends a place with a database of its own.
    static func with(_ engine: DatabaseEngine = .sqlite, _ body: (ReconcilingPlace) async throws -> Void) async throws {
        let books = try await SettledBooks.read()
        try await withDatabase(engine) { location in try await with(location, books, body) }
    }

    /// Lends a place beside a database with other books.
    static func with(
        _ location: DatabaseLocation,
        _ books: SettledBooks,
        _ body: (ReconcilingPlace) async throws -> Void
    ) async throws {
        try await Workplace.with { work in
            var work = work
            work.environment["TRIBUTARY_DATABASE_URL"] = location.text
            // Whatever is spilled, so that a test sees whether it stays.
            try FileManager.default.createDirectory(atPath: work.path("tmp"), withIntermediateDirectories: true)
            work.environment["TMPDIR"] = work.path("tmp")
            try await body(ReconcilingPlace(work: work, location: location, books: books))
        }
    }

    private static func withDatabase(
        _ engine: DatabaseEngine,
        _ body: (DatabaseLocation) async throws -> Void
    ) async throws {
        guard engine == .sqlite else {
            return try await DatabaseLocation.with(engine, prepare: SettledBooks.template, body)
        }
        let file = try await SettledBooks.file()
        try await TemporaryFolder.with { folder in
            let path = folder.path("books.sqlite")
            try file.write(to: URL(fileURLWithPath: path))
            try await body(.sqlite(path: path))
        }
    }

    /// The report of a PSP's month.
    func report(_ psp: SettledPSP) -> PSPReport { PSPReport(psp, books) }

    /// Writes a report under its usual name, and answers that.
    @discardableResult
    func write(_ report: PSPReport) throws -> String {
        try work.write(report.text, to: report.psp.file)
        return report.psp.file
    }

    /// Writes every PSP's report and the bank's statement, and answers their names.
    func writeMonth(_ format: BankStatement.Format = .mt940) throws -> [String] {
        let reports = SettledPSP.allCases.map(report)
        let names = try reports.map(write)
        return try names + [write(BankStatement(paying: reports), format)]
    }

    /// Writes a statement, and answers its name.
    func write(_ statement: BankStatement, _ format: BankStatement.Format = .mt940) throws -> String {
        let name = format == .mt940 ? "bank.sta" : "bank.xml"
        try work.write(statement.text(format), to: name)
        return name
    }

    /// Runs `tributary reconcile`.
    func reconcile(_ arguments: [String]) async throws -> Finished { try await work.run(["reconcile"] + arguments) }

    /// Runs `tributary reconcile --format json`, whatever its exit code, and answers the JSON, too.
    func reconciled(_ arguments: [String]) async throws -> (finished: Finished, json: JSON) {
        let finished = try await reconcile(arguments + ["--format", "json"])
        let json = try? JSON.parse(Array(finished.out.utf8))
        return (finished, try #require(json, "\(finished.status): \(finished.err)"))
    }

    /// The types of the breaks in a result, as often as there are any.
    static func types(_ json: JSON) -> [String] {
        (json["breaks"]?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }.sorted()
    }

    /// The breaks that are listed, without what depends on today.
    func breaks(_ arguments: String...) async throws -> [JSON] {
        let finished = try await work.run(
            ["breaks", "list", "--limit", "10000", "--format", "json"] + arguments
        )
        try #require([0, 1].contains(finished.status), "\(finished.err)")
        let rows = try JSON.parse(Array(finished.out.utf8)).arrayValue ?? []
        return rows.map { row in .object((row.objectValue ?? []).filter { $0.key != "age_days" }) }
    }

    /// What the journal's accounts hold, by their names; memos and what holds nothing are left out.
    func balances() async throws -> [String: Int64] {
        let rows = try await work.json("ledger", "balances", "--accounts").arrayValue ?? []
        var balances: [String: Int64] = [:]
        for row in rows {
            guard let name = row["account"]?.stringValue, let held = row["balance"]?.integerValue, held != 0 else {
                continue
            }
            balances[name] = held
        }
        return balances
    }

    /// Whether the books keep every rule, and nothing that was spilled is left.
    func expectSound(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let verified = try await work.run("ledger", "verify")
        #expect(verified.status == 0, "\(verified.out)\(verified.err)", sourceLocation: sourceLocation)
        let left = try FileManager.default.contentsOfDirectory(atPath: work.path("tmp"))
        #expect(left == [], sourceLocation: sourceLocation)
    }
}
