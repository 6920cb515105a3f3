import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("Banks' tables")
struct BankTableTests {
    private static let german = BankTable(
        name: "sparkasse",
        separator: .semicolon,
        encoding: .latin1,
        skippedRows: 1,
        dateFormat: .dayMonthYear,
        decimals: .comma,
        amount: .signed(.name("Betrag")),
        currencyColumn: .name("Währung"),
        account: "DE02120300000000202051",
        columns: BankTableColumns(
            bookedOn: .name("Buchungstag"),
            valueOn: .name("Valuta"),
            endToEnd: .name("Referenz"),
            counterpartyName: .name("Name"),
            counterpartyAccount: .name("IBAN"),
            remittance: [.name("Zweck 1"), .name("Zweck 2")],
            type: .name("Art")
        )
    )

    private static let germanText = """
        "Umsätze";"von";"bis"
        "Buchungstag";"Valuta";"Art";"Name";"IBAN";"Zweck 1";"Zweck 2";"Referenz";"Betrag";"Währung"
        20.11.2026;21.11.26;GUTSCHRIFT;"Müller; Söhne";DE1;Rechnung "7";;E-1;1.234,50;EUR
        "20.11.2026";"21.11.2026";"LASTSCHRIFT";"Bäcker";"";"a";"b ""c\""";"";"-0,125";"eur"

        "31.02.2026";"";"";"";"";"";"";"";"1,00";"EUR"
        "20.11.2026";"";"";"";"";"";"";"";"1.00,00";"EUR"
        "20.11.2026";"";"";"";"";"";"";"";"1,00";"DEM"
        "";"";"";"";"";"";"";"";"1,00";"EUR"
        "20.11.2026";"1,00";"EUR"

        """

    private static func latin1(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8($0.value) } }

    @Test("are read as they are declared: encoding, separator, dates, amounts, header")
    func declared() throws {
        let bytes = Self.latin1(Self.germanText.replacing(#"Rechnung "7""#, with: "Rechnung 7"))
        let reading = try BankReading(BankTableReader(Self.german), bytes)
        #expect(
            reading.entries.map(\.summary) == [
                "2026-11-20 2026-11-21 1234.50 EUR BOOK", "2026-11-20 2026-11-21 -0.125 EUR BOOK",
            ]
        )
        #expect(reading.entries.map(\.line) == [3, 4] && reading.trailer.rows == 7)
        let first = try #require(reading.entries.first)
        #expect(first.transactions.first?.debtor == BankParty(name: "Müller; Söhne", account: "DE1"))
        #expect(first.transactions.first?.references.endToEnd == "E-1")
        #expect(first.bankTransactionCode?.proprietary == "GUTSCHRIFT")
        #expect(reading.transactions.last?.creditor?.name == "Bäcker")
        #expect(reading.transactions.last?.remittance == ["a", "b \"c\""])
        #expect(
            reading.trailer.unusable == [
                UnusableEntry(line: 6, problem: .date(field: "Buchungstag")),
                UnusableEntry(line: 7, problem: .amount(field: "Betrag", .malformed)),
                UnusableEntry(line: 8, problem: .unknownCurrency("DEM")),
                UnusableEntry(line: 9, problem: .missing(field: "The date")),
                UnusableEntry(line: 10, problem: .fieldCount(expected: 10, found: 3)),
            ]
        )
        #expect(reading.trailer.booked.summary == "EUR 1234.50 -0.125" && !reading.trailer.lacksFinalLineEnd)
        #expect(reading.heads.first?.account?.isIBAN == true)
        #expect(try BankReading(BankTableReader(Self.german), bytes) { 1 } == reading)
        let broken = Self.latin1(Self.germanText)
        #expect(try BankReading(BankTableReader(Self.german), broken).trailer.unusable.first?.line == 3)
    }

    @Test("tell the direction by a word, or by which of two columns is filled")
    func directions() throws {
        let euro = try #require(Currency(code: "EUR"))
        let columns = BankTableColumns(bookedOn: .number(1))
        let words = BankTable(
            name: "words",
            separator: .tab,
            hasHeader: false,
            amount: .indicated(.number(2), indicator: .number(3), credit: ["CR", "Bij"], debit: ["DR", "Af"]),
            currency: euro,
            columns: columns
        )
        let text = "2026-11-20\t1,234.5\tbij\n20261120\t2\tDR\n2026/11/20\t3\t?\n2026.11.20\t-4\tCR\n2026-11-20\t5\t\n"
        let reading = try BankReading(BankTableReader(words), Array(text.utf8))
        #expect(reading.entries.map(\.signedAmount.decimal) == ["1234.50", "-2.00"])
        #expect(
            reading.trailer.unusable.map(\.problem) == [
                .unknownCode(field: "column 3", code: "?"), .negative(field: "column 2"), .missing(field: "column 3"),
            ]
        )
        let pair = BankTable(
            name: "pair",
            separator: .pipe,
            hasQuotes: false,
            dateFormat: .monthDayYear,
            amount: .columns(credit: .name("in"), debit: .name("OUT")),
            currency: euro,
            columns: BankTableColumns(valueOn: .name(" day "))
        )
        let rows =
            "Day|In|Out|Note\n11/20/2026|1.00||a \"b\n11/20/2026|0.00|2.00|\n11/20/26||-3.00|\n11/20/2026|1|1|\n11/20/2026|||"
        let pairs = try BankReading(BankTableReader(pair), Array(rows.utf8))
        #expect(pairs.entries.map(\.signedAmount.decimal) == ["1.00", "-2.00", "-3.00"])
        #expect(pairs.trailer.unusable.map(\.problem) == [.malformed(field: "in, OUT"), .missing(field: "in, OUT")])
        #expect(pairs.trailer.lacksFinalLineEnd && pairs.entries.first?.line == 2)
    }

    @Test("with separators of thousands anywhere but between thousands are refused")
    func decimals() throws {
        let euro = try #require(Currency(code: "EUR"))
        func amounts(_ decimals: BankTableDecimals, _ texts: [String]) throws -> [String?] {
            try texts.map { text in
                let table = BankTable(
                    name: "t",
                    separator: .pipe,
                    hasHeader: false,
                    decimals: decimals,
                    amount: .signed(.number(2)),
                    currency: euro,
                    columns: BankTableColumns(bookedOn: .number(1))
                )
                let reading = try BankReading(BankTableReader(table), Array("2026-11-20|\(text)\n".utf8))
                return reading.entries.first?.signedAmount.decimal
            }
        }
        let good = ["1,234,567.89", "1'234.5", "1 234", "1\u{A0}234.00", "1\u{202F}234", "+7", "-.5", "7.", "12-"]
        #expect(
            try amounts(.point, good) == [
                "1234567.89", "1234.50", "1234.00", "1234.00", "1234.00", "7.00", "-0.50", "7.00", "-12.00",
            ]
        )
        let bad = ["1,23", "1234,567", ",123", "1.2.3", "1,234'567", ".", "-", "--1", "1e3", "€1", "1,,234"]
        #expect(try amounts(.point, bad) == Array(repeating: nil, count: bad.count))
        #expect(try amounts(.comma, ["1.234,5", "1,5", "1.5", "1,234.5"]) == ["1234.50", "1.50", nil, nil])
    }

    @Test("that were cut off are refused, or what is left is told as read")
    func truncation() throws {
        let bytes = Self.latin1(Self.germanText.replacing(#"Rechnung "7""#, with: "Rechnung 7"))
        let whole = try BankReading(BankTableReader(Self.german), bytes)
        for length in 0..<bytes.count {
            guard let part = try? BankReading(BankTableReader(Self.german), Array(bytes.prefix(length))) else {
                continue
            }
            // No table says how many rows it has: one that ends behind a row looks whole.
            #expect(
                part.trailer.rows <= whole.trailer.rows && (part.trailer.lacksFinalLineEnd || bytes[length - 1] == 0x0A)
            )
            #expect(part.entries.dropLast() == whole.entries.prefix(part.entries.count).dropLast())
        }
        #expect(throws: BankProblem.empty) { try BankReading(BankTableReader(Self.german), []) }
    }

    @Test("whose declaration contradicts itself or the file are refused")
    func declarations() throws {
        let file = Self.latin1(Self.germanText)
        func problem(_ change: (inout BankTable) -> Void) -> (BankTableProblem?, BankProblem?) {
            var table = Self.german
            change(&table)
            do throws(BankProblem) {
                _ = try BankReading(BankTableReader(table), file)
                return (table.problem, nil)
            } catch {
                return (table.problem, error)
            }
        }
        func declaration(_ problem: BankTableProblem) -> (BankTableProblem?, BankProblem?) {
            (problem, .malformed(line: 2, "the declaration is wrong: \(problem)"))
        }
        #expect(
            problem {
                $0.columns.bookedOn = nil
                $0.columns.valueOn = nil
            } == declaration(.noDate)
        )
        #expect(problem { $0.currencyColumn = nil } == declaration(.noCurrency))
        #expect(problem { $0.columns.type = .number(0) } == declaration(.columnBelowOne(0)))
        #expect(problem { $0.hasHeader = false } == declaration(.nameWithoutHeader("Betrag")))
        let same = BankTableAmount.indicated(.name("Betrag"), indicator: .name("Art"), credit: ["h"], debit: ["H"])
        #expect(problem { $0.amount = same } == declaration(.indicators))
        #expect(problem { $0.columns.type = .name("X") } == (nil, .malformed(line: 2, "the header lacks the column X")))
        #expect(problem { $0.columns.type = .number(11) } == (nil, .malformed(line: 2, "there is no column 11")))
    }
}
