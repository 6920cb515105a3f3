import AdapterKit
import CheckoutAdapter
import Domain
import Testing

@Suite("Checkout.com's financial actions")
struct CheckoutSettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(CheckoutAdapter.self) } }

    @Test("keeps what is smaller than a minor unit, and adds up only the holding currency")
    func lines() throws {
        let reading = try format.reading()
        #expect(
            reading.lines.map(\.summary) == [
                "2 fee Authorization / Authorization Fixed Fee -/0.01/-0.01 GBP",
                "3 payment Capture / Capture 50.00/-/50.00 GBP",
                "4 fee Capture / Premium Variable Fee -/0.0375/-0.0375 GBP",
                "5 fee Capture / Scheme Fixed Fee -/0.01234567/-0.01234567 GBP",
                "6 fee Capture / Scheme Fixed Fee Tax -/0.01/-0.01 GBP",
                "7 refund Partial Refund / Partial Refund -5.00/-/-5.00 GBP",
                "8 payment Capture / Capture 17.21/-/17.21 GBP",
                "9 chargeback Chargeback / Chargeback (CBRV) -17.21/-/-17.21 GBP",
                "10 chargeback_reversal Chargeback / Chargeback (RPDW) 17.21/-/17.21 GBP",
                "11 payment Capture / Capture 1200/-/1200 JPY",
                "12 reserve Security Deposit Reservation / Security Deposit Reservation -3.00/-/-3.00 GBP",
                "13 adjustment Invoice Settlement / Invoice Settlement 1.00/-/1.00 GBP",
                "14 other Cashback / Cashback 0.50/-/0.50 GBP", "15 payout Payout / Payout -60.63/-/-60.63 GBP",
            ]
        )
        #expect(
            reading.trailer.sums.map(\.summary) == [
                "GBP gross 0.08 fee 0.06984567 net 0.01015433 = 85.92 -85.90984567",
                "JPY gross 1200 fee 0 net 1200 = 1200 0",
            ]
        )
        #expect(reading.lines[1].net?.minorUnits == 5000 && reading.lines[2].net?.minorUnits == nil)
    }

    @Test("leads back to our attempt or operation, the payment, the action and the payout")
    func references() throws {
        let lines = try format.reading().lines
        #expect(lines[0].attempt == AttemptID("att_01jd3xk5g00000000000000001") && lines[0].operation == nil)
        let capture = lines[6]
        #expect(capture.operation == OperationID("op_01jd3xk5g00000000000000004") && capture.attempt == nil)
        #expect(capture.paymentReference == "pay_2" && capture.objectReference == "act_4")
        #expect(
            capture.account == "ent_market" && capture.submerchant == "ent_lamps" && capture.batch == "00000000CFJU"
        )
        #expect(capture.presentment?.description == "20.00 EUR" && capture.exchangeRate == "0.8605")
        #expect(capture.occurredOn?.timestamp?.description == "2026-11-16T09:00:00.123Z")
        #expect(capture.bookedOn == SettlementDate("2026-11-16T10:00:05.000") && capture.bookedOn?.timestamp == nil)
        #expect(lines[2].presentment == nil && lines[13].paymentReference == nil)
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            (
                "\"50.00000000\"", "\"50.0000000000001\"",
                RowProblem.amount(column: "holding currency amount", .tooPrecise)
            ),
            ("\"50.00000000\"", "\"(50.00)\"", .amount(column: "holding currency amount", .malformed)),
            ("\"50.00000000\"", "\"\"", .missing(column: "holding currency amount")),
            ("\"50.00\",\"GBP\"", "\"50.00\",\"£\"", .unknownCurrency(column: "holding currency")),
            ("\"act_2\",\"Capture\",\"Capture\"", "\"act_2\",\"Capture\",\"\"", .missing(column: "breakdown type")),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem) throws {
        let reading = try format.reading(replacing: old, with: new)
        #expect(reading.unusable == [UnusableRow(row: 3, problem: problem)])
        #expect(reading.lines.count == 13)
    }

    @Test(
        "knows what each component is about",
        arguments: [
            ("Refund Fixed Fee", SettlementKind.fee), ("Client Settlement Fees", .fee), ("Rolling Reserve", .reserve),
            ("Operational Funding Release", .reserve), ("Clearing Failed", .adjustment), ("capture", .payment),
            ("Refund", .refund), ("Chargeback", .chargebackReversal), ("Coffee", .other), ("Feeding", .other),
        ]
    )
    func breakdowns(breakdown: String, kind: SettlementKind) throws {
        let reading = try format.reading(
            replacing: "\"act_2\",\"Capture\",\"Capture\"",
            with: "\"act_2\",\"Capture\",\"\(breakdown)\""
        )
        #expect(reading.lines[1].kind == kind)
    }
}
