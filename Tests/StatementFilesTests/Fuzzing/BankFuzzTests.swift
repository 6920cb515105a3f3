import AdapterKit
import Domain
import SeededRandom
import StatementFiles
import Testing
import TributaryTestKit

@Suite("Banks' files that were changed", .timeLimit(.minutes(60)))
struct BankFuzzTests {
    /// A kind of file, the folders of its fixtures, and what reads it.
    struct Format: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let corpus: @Sendable () throws -> [[UInt8]]
        let reader: @Sendable () -> any BankReader
    }

    static let formats: [Format] = [
        Format(
            testDescription: "camt",
            corpus: {
                try FixtureFolder.names("genkgo", suffix: ".xml").sorted().map(Fixture.bytes)
            },
            reader: { CamtReader() }
        ),
        Format(
            testDescription: "MT",
            corpus: {
                let names = try ["cmxl", "jejik"].flatMap { try FixtureFolder.names($0, suffix: ".sta").sorted() }
                return try names.map(Fixture.bytes) + [Array(MTMessageText.report.utf8)]
            },
            reader: { MTReader() }
        ),
        Format(
            testDescription: "a bank's table",
            corpus: {
                let rows = """
                    Date,Value,Name,Purpose,Amount,Currency
                    2026-11-20,2026-11-21,"Müller, Söhne","Invoice ""7\""",1234.50,EUR
                    2026-11-21,,Bakery,,-0.12,EUR
                    2026-11-22,2026-11-22,Airline,RF18 5390 0754 7034,99.00,USD

                    """
                return [Array(rows.utf8)]
            },
            reader: { BankTableReader(table) }
        ),
    ]

    private static let table = BankTable(
        name: "plain",
        amount: .signed(.name("Amount")),
        currencyColumn: .name("Currency"),
        columns: BankTableColumns(
            bookedOn: .name("Date"),
            valueOn: .name("Value"),
            counterpartyName: .name("Name"),
            remittance: [.name("Purpose")]
        )
    )

    @Test("are read or refused, the same in whatever pieces they come", arguments: formats)
    func files(format: Format) throws {
        let broken = try Fuzzing(format.testDescription, corpus: format.corpus()).run { document, random in
            let whole = Self.reading(format.reader(), document) { .max }
            let size = 1 + random.below(200)
            guard whole == Self.reading(format.reader(), document, piece: { size }) else {
                return .broken("reads otherwise in pieces of \(size)")
            }
            switch whole {
            case .success: return .taken
            case .failure(let problem): return .refused(String("\(problem)".prefix(24)))
            }
        }
        #expect(broken == nil)
    }

    @Test("in archives are opened or refused") func archives() throws {
        let names = try [".zip", ".gz"].flatMap { try FixtureFolder.names("packed", suffix: $0).sorted() }
        let broken = try Fuzzing("archives", corpus: names.map(Fixture.bytes), cost: 4).run { document, _ in
            do {
                return try ReportReading(document).members.isEmpty ? .refused("nothing in it") : .taken
            } catch let problem as ReportFileProblem {
                return .refused(String("\(problem)".prefix(24)))
            }
        }
        #expect(broken == nil)
    }

    private static func reading(
        _ reader: any BankReader,
        _ document: [UInt8],
        piece: () -> Int
    ) -> Result<BankReading, BankProblem> {
        do throws(BankProblem) { return .success(try BankReading(reader, document, piece: piece)) } catch {
            return .failure(error)
        }
    }
}
