import AdapterKit
import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's transaction-level fees")
struct BraintreeSettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(BraintreeAdapter.self) } }

    @Test("has its signs from the type, and does not say what was paid out")
    func lines() throws {
        let reading = try format.reading()
        #expect(
            reading.lines.map(\.summary) == [
                "2 payment sale 100.00/3.08/- USD", "3 refund credit -25.00/0.00/- USD",
                "4 refund credit -5.00/-0.13/- USD",
                "5 chargeback dispute debit -70.00/15.00/- USD",
                "6 chargeback_reversal dispute credit 70.00/0.00/- USD",
                "7 payment sale 1200/43/- JPY", "8 payment sale 12.345/-/- KWD",
            ]
        )
        #expect(
            reading.trailer.sums.map(\.summary) == [
                "JPY gross 1200 fee 43 net 0 = 0 0", "KWD gross 12.345 fee 0.000 net 0.000 = 0.000 0.000",
                "USD gross 70.00 fee 17.95 net 0.00 = 0.00 0.00",
            ]
        )
    }

    @Test("leads back to our attempt or operation and to the sale")
    func references() throws {
        let lines = try format.reading().lines
        #expect(lines[0].attempt == AttemptID("att_01jd3xk5g00000000000000001"))
        #expect(lines[0].paymentReference == "aaaa1111" && lines[0].objectReference == "aaaa1111")
        #expect(lines[1].operation == OperationID("op_01jd3xk5g00000000000000002") && lines[1].attempt == nil)
        #expect(lines[1].paymentReference == "aaaa1111" && lines[1].objectReference == "bbbb2222")
        #expect(lines[1].account == "lamps_usd" && lines[1].exchangeRate == "1.00")
        #expect(lines[1].bookedOn?.day == "2026-11-16" && lines[1].paidOn == SettlementDate("2026-11-18"))
        #expect(lines[5].reference == "order-4711" && lines[5].attempt == nil && lines[5].operation == nil)
    }

    @Test("may have the older name of the account and the estimate of interchange plus")
    func otherColumns() throws {
        let text = try format.text.replacing("Merchant Account ID", with: "Merchant Account Token")
            .replacing("Total Fee Amount", with: "Est. Total Fee Amount")
        let line = try #require(try SettlementReading(format.report, Array(text.utf8)).lines.first)
        #expect(line.account == "lamps_usd" && line.fee?.decimal == "3.08")
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            (",sale,USD,USD,100.00", ",sale,USD,USD,-100.00", RowProblem.contradictory(column: "settlement amount")),
            (",sale,USD,USD,100.00", ",gift,USD,USD,100.00", .unknownSign(type: "gift")),
            (",sale,USD,USD,100.00", ",,USD,USD,100.00", .missing(column: "transaction type")),
            (",sale,USD,USD,100.00", ",sale,USD,USD,$100.00", .amount(column: "settlement amount", .malformed)),
            ("aaaa1111,,sale", ",,sale", .missing(column: "transaction id")),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem) throws {
        let reading = try format.reading(replacing: old, with: new)
        #expect(reading.unusable == [UnusableRow(row: 2, problem: problem)])
        #expect(reading.lines.count == 6)
    }
}
