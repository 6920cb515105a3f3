import AdapterKit
import Domain
import SquareAdapter
import Testing

@Suite("Square's payout entries")
struct SquareSettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(SquareAdapter.self) } }

    private func reading(_ text: String) throws -> SettlementReading {
        try SettlementReading(format.report, Array(text.utf8))
    }

    @Test("is read in minor units of each currency, over all pages")
    func lines() throws {
        let reading = try format.reading()
        #expect(
            reading.lines.map(\.summary) == [
                "1 payment CHARGE 100.00/2.90/97.10 USD", "2 refund REFUND -25.00/-0.10/-24.90 USD",
                "3 chargeback DISPUTE -75.00/0.00/-75.00 USD",
                "4 chargeback_reversal OPEN_DISPUTE 75.00/0.00/75.00 USD",
                "5 commission APP_FEE_REVENUE 5.00/0.00/5.00 USD", "6 fee TAX_ON_FEE -0.58/0.00/-0.58 USD",
                "7 payment CHARGE 1200/43/1157 JPY", "8 reserve RESERVE_HOLD -1.00/0.00/-1.00 USD",
                "9 payout RETURNED_PAYOUT 3.00/0.00/3.00 USD", "10 other SPACE_TRAVEL -0.01/0.00/-0.01 USD",
            ]
        )
        #expect(
            reading.trailer.sums.map(\.summary) == [
                "JPY gross 1200 fee 43 net 1157 = 1157 0", "USD gross 81.41 fee 2.80 net 78.61 = 180.10 -101.49",
            ]
        )
    }

    @Test("leads back to the payment, the refund or dispute, and the payout")
    func references() throws {
        let lines = try format.reading().lines
        #expect(lines[1].paymentReference == "pay1" && lines[1].objectReference == "pay1_r1")
        #expect(lines[1].entryReference == "poe_2" && lines[1].batch == "po_1")
        #expect(lines[1].occurredOn?.timestamp?.description == "2026-11-16T09:00:00.000Z")
        #expect(lines[3].objectReference == "dp1" && lines[4].submerchant == "L1")
        #expect(lines[7].paymentReference == nil && lines[9].paymentReference == nil)
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            ("\"amount\": 9710", "\"amount\": 97.10", RowProblem.amount(column: "net_amount_money", .malformed)),
            ("\"amount\": 9710", "\"amount\": \"9710\"", .amount(column: "net_amount_money", .malformed)),
            ("\"amount\": 9710", "\"amount\": 9223372036854775808", .amount(column: "net_amount_money", .overflow)),
            ("\"amount\": 9710", "\"amount\": -9223372036854775808", .amount(column: "net_amount_money", .overflow)),
            ("\"type\": \"CHARGE\",", "\"type\": null,", .missing(column: "type")),
            ("\"poe_1\"", "\"\"", .missing(column: "id")),
            (
                "\"amount\": 10000,\n        \"currency_code\": \"USD\"",
                "\"amount\": 10000,\n        \"currency_code\": \"BTC\"",
                .unknownCurrency(column: "gross_amount_money")
            ),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem) throws {
        let first = try format.text.replacing(old, with: new, maxReplacements: 1)
        #expect(try first != format.text)
        let reading = try reading(first)
        #expect(reading.unusable == [UnusableRow(row: 1, problem: problem)])
        #expect(reading.lines.count == 9)
    }

    @Test("without a net amount is no line; without a gross amount or a fee it is one")
    func absentAmounts() throws {
        let entry = """
            {"id":"a","payout_id":"p","type":"CHARGE","net_amount_money":{"amount":5,"currency":"USD"},\
            "gross_amount_money":null}
            """
        #expect(
            try reading("{\"payout_entries\":[\(entry)]}").lines.map(\.summary) == ["1 payment CHARGE -/-/0.05 USD"]
        )
        let without = entry.replacing("net_amount_money", with: "other_money")
        let expected = [UnusableRow(row: 1, problem: .missing(column: "net_amount_money"))]
        #expect(try reading("{\"payout_entries\":[\(without)]}").unusable == expected)
    }

    @Test(
        "that is not all pages, or not pages, is refused",
        arguments: [
            ("{\"payout_entries\":[],\"cursor\":\"next\"}", SettlementProblem.incomplete),
            ("{} {\"payout_entries\":[],\"cursor\":\"next\"}", .incomplete), ("{} {", .truncated(row: 2)),
            ("{\"payout_entries\":{}}", .malformedPage(1)), ("{} {\"a\":1,}", .malformedPage(2)),
            ("[]", .malformedPage(1)),
            ("{}, {}", .malformedPage(2)), ("{]", .malformedPage(1)), (" \n", .empty),
            ("{\"errors\":[{\"category\":\"AUTHENTICATION_ERROR\"}]}", .errorPage(1)),
            ("{\"payout_entries\":[\"" + String(repeating: "x", count: 1_048_576), .tooLarge(row: 1)),
        ]
    )
    func refused(text: String, problem: SettlementProblem) throws {
        #expect(throws: problem) { try reading(text) }
    }

    @Test(
        "may be a page without entries",
        arguments: ["{}", "{\"payout_entries\":[],\"errors\":[],\"cursor\":\"\"}\n"]
    )
    func noEntries(text: String) throws {
        #expect(try reading(text).trailer.rows == 0)
    }
}
