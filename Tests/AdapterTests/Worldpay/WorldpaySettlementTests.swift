import AdapterKit
import Domain
import Testing
import WorldpayAdapter

@Suite("Worldpay's account statement")
struct WorldpaySettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(WorldpayAdapter.self) } }

    @Test("has its signs from the funding type, and the currency of its page")
    func lines() throws {
        let reading = try format.reading()
        #expect(
            reading.lines.map(\.summary) == [
                "1 payout PAYOUT -2.34/-/-2.34 EUR", "2 payout PAYOUT REVERSAL 2.34/-/2.34 EUR",
                "3 other TRANSFER 150.00/-/150.00 EUR", "4 other FX -0.125/-/-0.125 KWD",
            ]
        )
        #expect(
            reading.trailer.sums.map(\.summary) == [
                "EUR gross 150.00 fee 0.00 net 150.00 = 152.34 -2.34",
                "KWD gross -0.125 fee 0.000 net -0.125 = 0.000 -0.125",
            ]
        )
    }

    @Test("names the account, the item and what it refers to")
    func references() throws {
        let lines = try format.reading().lines
        #expect(lines[0].account == "0001010101010001" && lines[0].reference == "101" && lines[0].attempt == nil)
        #expect(lines[0].entryReference == "3824f47e-5310-ee11-811a-0050568e2b01" && lines[0].exchangeRate == "4.27396")
        #expect(lines[0].bookedOn?.timestamp?.description == "2026-11-16T09:00:00.683Z")
        #expect(lines[2].attempt == AttemptID("att_01jd3xk5g00000000000000001"))
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            ("\"amount\": 150,", "\"amount\": -150,", RowProblem.contradictory(column: "amount")),
            ("\"amount\": 150,", "\"amount\": 1.5e2,", .amount(column: "amount", .malformed)),
            ("\"amount\": 150,", "\"amount\": \"150\",", .missing(column: "amount")),
            ("\"amount\": 150,", "\"amount\": 92233720368547758.08,", .amount(column: "amount", .overflow)),
            ("\"TRANSFER\"", "\"\"", .missing(column: "transferType")),
            ("2b03\"", "2b03\", \"fundingType2\": 1", nil),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem?) throws {
        let reading = try format.reading(replacing: old, with: new)
        #expect(reading.unusable == (problem.map { [UnusableRow(row: 3, problem: $0)] } ?? []))
        #expect(reading.lines.count == (problem == nil ? 4 : 3))
    }

    @Test("in an unknown currency or direction is not guessed at")
    func unknown() throws {
        let currency = try format.reading(replacing: "\"KWD\"", with: "\"XBT\"")
        #expect(currency.unusable == [UnusableRow(row: 4, problem: .unknownCurrency(column: "currency"))])
        let direction = try format.reading(replacing: "\"debit\"", with: "\"both\"")
        #expect(direction.unusable.map(\.problem) == [.unknownSign(type: "both"), .unknownSign(type: "both")])
    }

    @Test(
        "that is not pages of it is refused",
        arguments: [
            ("{}", SettlementProblem.malformedPage(1)), ("{\"accountStatementItems\":1}", .malformedPage(1)),
            ("{\"errorName\":\"unauthorized\",\"message\":\"\"}", .errorPage(1)),
            ("{\"accountStatementItems\":[", .truncated(row: 1)),
        ]
    )
    func refused(text: String, problem: SettlementProblem) throws {
        #expect(throws: problem) { try SettlementReading(format.report, Array(text.utf8)) }
    }

    @Test("may have no items")
    func noItems() throws {
        let text = "{\"accountNumber\":null,\"currency\":null,\"accountStatementItems\":null}"
        #expect(try SettlementReading(format.report, Array(text.utf8)).trailer.rows == 0)
    }
}
