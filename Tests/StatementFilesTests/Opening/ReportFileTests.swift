import AdapterKit
import Crypto
import Domain
import Foundation
import StatementFiles
import Testing

@Suite("A file that an operator hands over")
struct ReportFileTests {
    private static let camt = "genkgo/camt053.v2.multi.statement.xml"
    private static let mt940 = "jejik/rabobank-iban.sta"

    private static func problem(_ body: () throws -> Void) -> ReportFileProblem? {
        do {
            try body()
            return nil
        } catch {
            return error as? ReportFileProblem
        }
    }

    @Test(
        "is read as what it is, and hashed as it lies on disk",
        arguments: [
            (camt, ReportFormat.camt, 2), (mt940, .mt940, 4), ("packed/statement.xml.gz", .camt, 2),
        ]
    )
    func single(_ path: String, _ format: ReportFormat, _ rows: Int) throws {
        let reading = try ReportReading(path: Fixture.url(path).path)
        let bytes = try Fixture.bytes(path)
        #expect(reading.members == [ReportMember(number: 1, name: nil, format: format)])
        #expect(reading.trailers.map(\.rows) == [rows])
        let hash = SHA256.hash(data: bytes).map { String($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(reading.digest == FileDigest(sha256: hash, byteCount: Int64(bytes.count)))
        #expect(reading.sizeBytes == Int64(bytes.count))
    }

    @Test("may be a zip archive of several", arguments: ["two.zip", "two-stored.zip", "two-streamed.zip"])
    func archive(_ name: String) throws {
        let reading = try ReportReading(path: Fixture.url("packed/\(name)").path)
        #expect(
            reading.members == [
                ReportMember(number: 1, name: "2026/camt.xml", format: .camt),
                ReportMember(number: 2, name: "2026/mt940.sta", format: .mt940),
            ]
        )
        #expect(reading.trailers.map(\.rows) == [2, 4])
        let camt = try BankReading(CamtReader(), Fixture.bytes(Self.camt))
        let mt940 = try BankReading(MTReader(), Fixture.bytes(Self.mt940))
        #expect(reading.items == camt.items + mt940.items)
        #expect(reading.digest?.byteCount == Int64(try Fixture.bytes("packed/\(name)").count))
    }

    @Test("may be a PSP's report, or a table, as long as it is only one of them")
    func detection() throws {
        let formats = ReportFormats(
            settlementReports: [TabularReport<TestReport>.self],
            tables: [
                BankTable(
                    name: "bank",
                    amount: .signed(.name("amount")),
                    currencyColumn: .name("currency"),
                    columns: BankTableColumns(bookedOn: .name("day"))
                )
            ]
        )
        let report = Array("id,amount,currency\n1,2.00,EUR\n".utf8)
        let reading = try ReportReading(report, formats: formats)
        #expect(reading.members.map(\.format) == [.settlement("t-settlement")] && reading.lines.count == 1)
        #expect(reading.settlementTrailers.map(\.rows) == [1])
        let both = Array("day,amount,currency\n2026-11-20,2.00,EUR\n".utf8)
        #expect(
            Self.problem { _ = try ReportReading(both, formats: formats) }
                == .ambiguous(member: nil, formats: ["t-settlement", "bank"])
        )
        let chosen = try ReportReading(both, formats: formats, chosen: "bank")
        #expect(chosen.members.map(\.format) == [.table("bank")] && chosen.trailers.map(\.rows) == [1])
        let known = ["t-settlement", "camt", "mt940", "bank"]
        #expect(
            Self.problem { _ = try ReportReading(both, formats: formats, chosen: "x") }
                == .noSuchFormat("x", known: known)
        )
        let wrong = Self.problem { _ = try ReportReading(both, formats: formats, chosen: "camt") }
        #expect(wrong == .bank(member: nil, .malformed(line: 1, "no well-formed XML: syntax error")))
    }

    @Test(
        "in none of the formats is refused, and what it looks like is said",
        arguments: [
            ("%PDF-1.7", "a PDF document"), ("BZh91AY", "a bzip2 file"), ("{\"a\": 1}", "JSON"),
            ("<?xml version=\"1.0\"?><!-- a --><pain:Document/>", "XML whose first element is pain:Document"),
            ("a;b;c\n1;2;3\n", "a table of 3 columns separated by semicolons"), ("hello", "text"),
            (":61:2611201121C1,00NTRFA\n", "a part of a SWIFT message"), ("\u{1}\u{2}", "a file that is no text"),
            ("{1:F01X}{2:O103}{4:\n:20:A\n-}", "a SWIFT message that is no MT940 or MT942"),
        ]
    )
    func unknown(_ text: String, _ seen: String) {
        let problem = Self.problem { _ = try ReportReading(Array(text.utf8)) }
        #expect(problem == .unknownFormat(member: nil, seen: seen, known: ["camt", "mt940"]))
        #expect(problem?.description == "This looks like \(seen); known are camt, mt940.")
    }

    @Test("that is not there, no file, or empty is refused")
    func noFile() throws {
        let folder = try Fixture.url("packed").path
        #expect(Self.problem { _ = try ReportReading(path: folder + "/missing") } == .system(code: ENOENT))
        #expect(Self.problem { _ = try ReportReading(path: folder) } == .notAFile)
        #expect(Self.problem { _ = try ReportReading(path: "/dev/null") } == .notAFile)
        #expect(Self.problem { _ = try ReportReading([]) } == .empty)
        #expect(
            ReportFileProblem.system(code: ENOENT).description == "The file cannot be read: No such file or directory."
        )
    }

    @Test("that is one part of a SWIFT message is refused")
    func parts() throws {
        for part in try FixtureFolder.names("cmxl", suffix: ".sta").subtracting(["cmxl/mt940.sta"]) {
            let problem = Self.problem { _ = try ReportReading(path: Fixture.url(part).path) }
            #expect(
                problem == .unknownFormat(member: nil, seen: "a part of a SWIFT message", known: ["camt", "mt940"])
            )
        }
    }
}
