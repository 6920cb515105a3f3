import Domain
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

/// Files that cannot be used: never taken for clean, and nothing of them counts.
@Suite("Files that cannot be reconciled", .timeLimit(.minutes(10)))
struct UnusableInputTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]?
        let sentence: String
        var options: [String] = []
        var testDescription: String { name }
    }

    private static func cases(_ report: PSPReport, _ statement: BankStatement) -> [Case] {
        let whole = Array(report.text.utf8)
        let head = Array(report.text.prefix { $0 != "\n" }.utf8) + [10]
        let garbled = PSPReport.garbled(report)
        let bank = Array(statement.text(.camt053).utf8)
        let packed = PackedFile.gzip(whole)
        return [
            Case(name: "absent.csv", bytes: nil, sentence: "absent.csv"),
            Case(name: "empty.csv", bytes: [], sentence: "empty.csv"),
            Case(name: "blank.csv", bytes: [10, 10], sentence: "blank.csv"),
            Case(name: "head.csv", bytes: head, sentence: "has no rows"),
            Case(name: "bare.csv", bytes: head.dropLast(), sentence: "bare.csv"),
            Case(name: "garbled.csv", bytes: garbled, sentence: "can be read; is it the right file?"),
            Case(name: "letter.txt", bytes: Array("Dear Sir or Madam,\n".utf8), sentence: "letter.txt"),
            Case(name: "zeros.bin", bytes: Array(repeating: 0, count: 5_000), sentence: "zeros.bin"),
            Case(name: "cut.csv.gz", bytes: Array(packed.dropLast(5)), sentence: "cut.csv.gz"),
            Case(name: "flipped.csv.gz", bytes: packed.flipped(at: packed.count / 2), sentence: "flipped.csv.gz"),
            Case(name: "empty.zip", bytes: PackedFile.zip([]), sentence: "empty.zip"),
            Case(name: "cut.xml", bytes: Array(bank.dropLast(30)), sentence: "cut.xml"),
            Case(name: "other.csv", bytes: whole, sentence: "no account there", options: ["--psp", "adyen-main"]),
            Case(name: "wrong.csv", bytes: whole, sentence: "wrong.csv", options: ["--input-format", "mt940"]),
            Case(name: "rules.csv", bytes: whole, sentence: "no-rules.yaml", options: ["--rules", "no-rules.yaml"]),
        ]
    }

    @Test("end with 2 and a sentence, and leave no trace", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await ReconcilingPlace.with(engine) { place in
            let files = MonthFiles(.stripe, place.books)
            let before = try await place.stored()
            for one in Self.cases(files.report, files.statement) {
                if let bytes = one.bytes { try place.work.write(bytes, to: one.name) }
                let finished = try await place.reconcile([one.name] + one.options)
                #expect(finished.status == 2, "\(one.name): \(finished.out)")
                #expect(finished.out.isEmpty, "\(one.name)")
                #expect(finished.err.contains(one.sentence), "\(one.name): \(finished.err)")
            }
            let directory = try await place.reconcile(["tmp"])
            #expect(directory.status == 2, "\(directory.err)")
            let good = try place.write(files.report)
            let halfGood = try await place.reconcile([good, "empty.csv"])
            #expect(halfGood.status == 2, "\(halfGood.out)")
            var after = try await place.stored()
            // What was begun and refused has rows that do not count until its file is handed in again.
            for table in ["import_file", "settlement_line", "bank_entry"] { after[table] = before[table] }
            #expect(after == before)
            let clean = try await place.reconcile([good, place.write(files.statement)])
            #expect(clean.status == 0, "\(clean.out)\(clean.err)")
            try await place.expectSound()
        }
    }

    @Test(
        "are refused as they are typed",
        arguments: [
            (["--fail-on", "rain"], "there is no break type rain"), (["--as-of", "2025-13-01"], "--as-of is no date"),
            (["--from", "2025-10-02", "--to", "2025-10-01"], "--to is before --from"),
            (["--time-zone", "Mars/Olympus"], "no time zone Mars/Olympus"), (["--cut-off", "25:00"], "--cut-off"),
            (["--tolerance", "-1"], "--tolerance"), (["--format", "xml"], "xml"),
            (["--marketplace", "events"], "events"), ([], "Missing expected argument"),
        ]
    )
    func typed(_ options: [String], _ sentence: String) async throws {
        try await ReconcilingPlace.with { place in
            let name = try place.write(place.report(.stripe))
            let finished = try await place.reconcile(options.isEmpty ? [] : [name] + options)
            #expect(finished.status == 2)
            #expect(finished.err.contains(sentence), "\(finished.err)")
            #expect(finished.out.isEmpty)
        }
    }

    @Test("are never clean when they are cut, wherever that is")
    func cut() async throws {
        try await ReconcilingPlace.with { place in
            let sale = try #require(place.books.lines(at: .stripe).first)
            let text = """
                balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,payment_intent_id
                t1,2025-10-01,usd,\(sale.amount.dollars),0,\(sale.amount.dollars),charge,c1,\(sale.payment)

                """
            let bytes = Array(text.utf8)
            let options = ["--dry-run", "--from", "2025-10-01", "--to", "2025-10-01", "--as-of", "2025-10-31"]
            try place.work.write(bytes, to: "whole.csv")
            let whole = try await place.reconcile(["whole.csv"] + options)
            #expect(whole.status == 0, "\(whole.out)\(whole.err)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<2 {
                    group.addTask {
                        for count in stride(from: part, to: bytes.count, by: 2) {
                            try place.work.write(Array(bytes[..<count]), to: "\(count).csv")
                            let finished = try await place.reconcile(["\(count).csv"] + options)
                            #expect([1, 2, 3].contains(finished.status), "\(count): \(finished.out)\(finished.err)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            try place.work.write(bytes.dropLast(), to: "unended.csv")
            let refused = try await place.reconcile(["unended.csv"] + options)
            #expect(refused.status == 2, "\(refused.out)")
            #expect(refused.err.contains("ends inside its only row, and may be cut there"), "\(refused.err)")
            #expect(try await place.reconcile(["unended.csv", "--unterminated"] + options).status == 0)
            let other = "t2,2025-10-01,usd,1.00,0,1.00,charge,c2,pi_2"
            try place.work.write(Array((text + other).utf8), to: "two.csv")
            #expect([1, 3].contains(try await place.reconcile(["two.csv"] + options).status))
        }
    }
}

extension PSPReport {
    /// The report with an amount in no row that could be read.
    fileprivate static func garbled(_ report: PSPReport) -> [UInt8] {
        var report = report
        for index in report.rows.indices { report.rows[index]["gross"] = "?" }
        report.paidOut = 0
        return Array(report.text.utf8)
    }
}

extension [UInt8] {
    /// The bytes with one of them changed.
    fileprivate func flipped(at place: Int) -> [UInt8] {
        var bytes = self
        bytes[place] ^= 1
        return bytes
    }
}
