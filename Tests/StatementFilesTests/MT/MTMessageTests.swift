import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("MT940 and MT942 messages")
struct MTMessageTests {
    private static func problem(_ text: String) -> BankProblem? { problem(Array(text.utf8)) }

    private static func problem(_ bytes: [UInt8]) -> BankProblem? {
        do throws(BankProblem) {
            _ = try BankReading(MTReader(), bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("know credits, debits, their reversals and funds codes, and the year of the entry date")
    func entryLines() throws {
        let rows: [(line: String, summary: String, isReversal: Bool)] = [
            ("2611201121C1,00NTRFA", "2026-11-21 2026-11-20 1.00 EUR BOOK", false),
            ("2611201121D1,NTRFA", "2026-11-21 2026-11-20 -1.00 EUR BOOK", false),
            ("2611201121RC1,5NTRFA", "2026-11-21 2026-11-20 -1.50 EUR BOOK", true),
            ("2611201121RDR0,25NTRFA", "2026-11-21 2026-11-20 0.25 EUR BOOK", true),
            ("261120CR000000000001,001FMSCA", "- 2026-11-20 1.001 EUR BOOK", false),
            ("2612310102C7NTRFA", "2027-01-02 2026-12-31 7.00 EUR BOOK", false),
            ("2701021231C7,NTRFA", "2026-12-31 2027-01-02 7.00 EUR BOOK", false),
            ("2403010229C7,NTRFA", "2024-02-29 2024-03-01 7.00 EUR BOOK", false),
            ("9912311231C7,S940A", "1999-12-31 1999-12-31 7.00 EUR BOOK", false),
        ]
        for row in rows {
            let text = MTMessageText.statement(":61:\(row.line)", closing: "C261120EUR100,00")
            let entry = try #require(try BankReading(mt: text).entries.first)
            #expect(entry.summary == row.summary && entry.isReversal == row.isReversal && entry.ownerReference == "A")
        }
    }

    @Test("report entries that cannot be read, and read the rest")
    func unusable() throws {
        let rows: [(String, EntryProblem)] = [
            ("2613011121C1,00NTRFA", .date(field: ":61: value date")),
            ("2611200231C1,00NTRFA", .date(field: ":61: entry date")),
            ("2611201121X1,00NTRFA", .malformed(field: ":61: debit/credit mark")),
            ("2611201121C1,0,0NTRFA", .amount(field: ":61: amount", .malformed)),
            ("2611201121RD,25NTRFA", .amount(field: ":61: amount", .malformed)),
            ("2611201121C-1,00NTRFA", .amount(field: ":61: amount", .malformed)),
            ("2611201121C99999999999999999999,NTRFA", .amount(field: ":61: amount", .overflow)),
            ("2611201121C1,00XTRFA", .malformed(field: ":61: transaction type")),
            ("2611201121C1,00N", .malformed(field: ":61: transaction type")),
        ]
        for (line, problem) in rows {
            let entries = ":61:261120C5,00NTRFA\n:61:\(line)\n:86:lost\n:61:261120D2,00NTRFB\n:86:kept"
            let text = MTMessageText.statement(entries, closing: "C261120EUR103,00")
            let reading = try BankReading(mt: text)
            #expect(reading.trailer.unusable == [UnusableEntry(line: 6, problem: problem)])
            #expect(reading.entries.map(\.ownerReference) == ["A", "B"] && reading.checks == [])
            #expect(reading.transactions.map(\.remittance) == [["kept"]])
        }
    }

    @Test("are read with SWIFT's blocks, several in a file")
    func blocks() throws {
        let plain = MTMessageText.statement(":61:261120C5,00NTRFA", closing: "C261120EUR105,00")
        let blocks = MTMessageText.inBlocks(plain)
        let reading = try BankReading(mt: blocks + blocks.replacing("\n", with: "\r\n"))
        #expect(reading.trailer.statements == 2 && reading.trailer.disagreementCount == 0)
        #expect(reading.trailer.booked.summary == "EUR 10.00 0.00")
        #expect(reading.ends.first?.balance(.closingAvailable)?.amount.description == "90.00 EUR")
        let oneLine = blocks.replacing("}}\n", with: "}}") + blocks
        #expect(try BankReading(mt: oneLine).trailer.statements == 2)
        let payment = MTMessageText.inBlocks(plain, type: "103")
        #expect(Self.problem(payment) == .malformed(line: 1, "a SWIFT message that is no MT940 or MT942"))
    }

    @Test("of the day have totals of their own, which are checked")
    func intraday() throws {
        let reading = try BankReading(mt: MTMessageText.report)
        let head = try #require(reading.heads.first)
        #expect(head.kind == .report && head.createdOn?.text == "2026-11-20T10:30:00+01:00")
        #expect(head.createdOn?.timestamp != nil)
        #expect(
            reading.entries.map(\.summary) == [
                "2026-11-20 2026-11-20 3.50 EUR BOOK", "2026-11-20 2026-11-20 -1.25 EUR PDNG",
            ]
        )
        let transaction = try #require(reading.transactions.first)
        #expect(transaction.debtor == BankParty(name: "A. Buyer", account: "NL71RABO0123456789", agent: "RABONL2U"))
        #expect(transaction.remittance == ["Order 7"] && transaction.references.endToEnd == "E2E-1")
        #expect(
            reading.checks == [
                "debit_count 1 = 1", "debit_sum 1.25 EUR = 1.25 EUR", "credit_count 1 = 1",
                "credit_sum 3.50 EUR = 3.50 EUR",
            ]
        )
        let wrong = try BankReading(mt: MTMessageText.report.replacing(":90C:1EUR3,50", with: ":90C:2EUR3,51"))
        #expect(wrong.trailer.disagreementCount == 2)
        #expect(Self.problem(MTMessageText.report.replacing("\n-\n", with: "\n")) == .truncated(line: 1))
    }

    @Test("that were cut off anywhere are refused")
    func truncation() {
        let entries = ":61:261120C5,00NTRFA\n:86:one\ntwo\n:61:261120D1,00NTRFB"
        let text = MTMessageText.statement(entries, closing: "C261120EUR104,00")
        let blocks = Array(MTMessageText.inBlocks(text).utf8)
        let end = blocks.lastIndex(of: UInt8(ascii: "-")).map { $0 + 2 } ?? 0
        for length in 0..<end { #expect(Self.problem(Array(blocks.prefix(length))) != nil, "cut to \(length) bytes") }
        #expect(Self.problem(Array(blocks.prefix(end))) == nil)
        // Without blocks, all is there once the closing balance's line is.
        let plain = Array(text.utf8)
        let closing = text.utf8.count - Array(":64:C261120EUR90,00\n-\n".utf8).count
        for length in 0..<closing {
            #expect(Self.problem(Array(plain.prefix(length))) != nil, "cut to \(length) bytes")
        }
        #expect(Self.problem(Array(plain.prefix(closing))) == nil)
    }

    @Test("that break the rules are refused, with the line")
    func refusals() {
        let good = MTMessageText.statement(":61:261120C5,00NTRFA", closing: "C261120EUR105,00")
        let cases: [(String, BankProblem)] = [
            (
                good.replacing(":60F:C261120EUR100,00\n", with: ""),
                .malformed(line: 4, ":61: that is not between opening and closing balance")
            ),
            (good.replacing(":60F:C", with: ":60F:X"), .malformed(line: 4, ":60F: is no balance")),
            (good.replacing("EUR105,00", with: "EUR105,0,0"), .malformed(line: 6, ":62F: is no balance")),
            (
                good.replacing(":62F:C261120EUR105,00\n", with: ""),
                .malformed(line: 7, "the message ends, and there is no :62F: or :62M:")
            ),
            (
                good.replacing(":25:DE02120300000000202051\n", with: ""),
                .malformed(line: 7, "the message ends, and there is no :25:")
            ),
            (good + ":61:261120C5,00NTRFA\n", .malformed(line: 9, ":61: outside of a message")),
            (good.replacing("NTRFA", with: "NTRFA\0"), .malformed(line: 5, "a zero byte")),
            (
                good.replacing("NTRFA", with: "NTRFA" + String(repeating: "x", count: 5_000)),
                .tooLarge(line: 5, "a line of more than 4096 bytes")
            ),
            (
                good.replacing("NTRFA", with: "NTRFA" + String(repeating: "\nx", count: 300)),
                .tooLarge(line: 205, "a field of more than 200 lines")
            ),
            (
                good.replacing(":62F:", with: ":60F:C261120EUR1,00\n:62F:"),
                .malformed(line: 6, "a second opening balance in one message")
            ),
            (good.replacing(":62F:", with: ":20:X\n:62F:"), .malformed(line: 6, "a second :20: in one message")),
            ("hello\n", .noStatement), ("", .noStatement),
        ]
        for (text, problem) in cases { #expect(Self.problem(text) == problem) }
    }

    @Test("with a fingerprint that only the entry's own words change")
    func fingerprint() throws {
        let entries = ":61:261120C5,00NTRFA\n:86:one\n:61:261120C5,00NTRFA\n:86:one\n:61:261120C5,00NTRFA\n:86:two"
        let first = try BankReading(mt: MTMessageText.statement(entries, closing: "C261120EUR115,00")).entries
        #expect(first[0].fingerprint == first[1].fingerprint && first[1].fingerprint != first[2].fingerprint)
        let other = MTMessageText.statement(entries, closing: "C261120EUR1,00").replacing("REF-1", with: "REF-2")
        #expect(
            try BankReading(mt: other.replacing("\n", with: "\r\n")).entries.map(\.fingerprint)
                == first.map(\.fingerprint)
        )
    }
}
