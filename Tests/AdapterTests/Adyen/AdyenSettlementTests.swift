import AdapterKit
import AdyenAdapter
import Domain
import Testing

@Suite("Adyen's settlement details")
struct AdyenSettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(AdyenAdapter.self) } }

    @Test("has its signs from the debit and credit columns, and its fees from the costs")
    func lines() throws {
        let reading = try format.reading()
        #expect(
            reading.lines.map(\.summary) == [
                "2 payment Settled 100.00/1.41/98.59 EUR", "3 payment Settled 50.00/0.90/44.60 USD>EUR",
                "4 refund Refunded -30.00/0.10/-30.10 EUR", "5 chargeback Chargeback -50.00/10.00/-55.50 USD>EUR",
                "6 chargeback_reversal ChargebackReversed 50.00/0.00/45.50 USD>EUR",
                "7 payment Settled 1200/40/1160 JPY",
                "8 payment Settled 12.345/0.300/12.045 KWD", "9 fee Fee -/-/-12.50 EUR",
                "10 fee InvoiceDeduction -/-/-3.00 EUR", "11 reserve DepositCorrection -/-/-5.00 EUR",
                "12 other BPPaidOut -1.00/-/-1.00 EUR", "13 payout MerchantPayout -/-/-81.59 EUR",
            ]
        )
        #expect(
            reading.trailer.sums.map(\.summary) == [
                "EUR gross 69.00 fee 12.41 net 0.00 = 188.69 -188.69", "JPY gross 1200 fee 40 net 1160 = 1160 0",
                "KWD gross 12.345 fee 0.300 net 12.045 = 12.045 0.000",
                "USD gross 50.00 fee 0.00 net 0.00 = 0.00 0.00",
            ]
        )
    }

    @Test("leads back to our attempt, operation and merchant")
    func references() throws {
        let lines = try format.reading().lines
        let refund = lines[2]
        #expect(refund.reference == "att_01jd3xk5g00000000000000001.BA00000000000000000000001")
        #expect(refund.attempt == AttemptID("att_01jd3xk5g00000000000000001"))
        #expect(refund.operation == OperationID("op_01jd3xk5g00000000000000003"))
        #expect(refund.submerchant == "BA00000000000000000000001" && refund.account == "TributaryMarket")
        #expect(refund.paymentReference == "8815000000000001" && refund.objectReference == "8815000000000103")
        #expect(refund.batch == "7" && refund.exchangeRate == "1")
        #expect(refund.occurredOn == SettlementDate("2026-11-16 10:00:00", zone: "CET"))
        #expect(refund.occurredOn?.timestamp == nil && refund.occurredOn?.day == "2026-11-16")
        #expect(refund.bookedOn?.timestamp?.description == "2026-11-17T00:00:00.000Z")
        #expect(lines[1].submerchant == nil && lines[1].attempt?.text == "att_01jd3xk5g00000000000000002")
        #expect(lines[5].reference == "order 4711" && lines[5].attempt == nil)
        #expect(lines[6].submerchant == "BA00000000000000000000001/harbour-2")
        #expect(lines[11].paymentReference == nil && lines[11].objectReference == "TX7XT 2026-11-18 batch 7")
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            (
                "EUR,,100.00,1,EUR,,98.59", "EUR,100.00,100.00,1,EUR,,98.59",
                RowProblem.contradictory(column: "gross credit (gc)")
            ),
            ("EUR,,100.00,1,EUR,,98.59", "EUR,,100.00,1,EUR,98.59,0.01", .contradictory(column: "net credit (nc)")),
            ("EUR,,100.00,1,EUR,,98.59", "EUR,,100.00,1,EUR,,", .missing(column: "net credit (nc)")),
            ("EUR,,100.00,1,EUR,,98.59", ",,100.00,1,EUR,,98.59", .missing(column: "gross currency")),
            ("EUR,,100.00,1,EUR,,98.59", "EUR,,100.00,1,,,98.59", .missing(column: "net currency")),
            ("EUR,,100.00,1,EUR,,98.59", "EUR,,100.00,1,euros,,98.59", .unknownCurrency(column: "net currency")),
            ("0.10,0.11,1.20", "0.10,-,1.20", .amount(column: "scheme fees (nc)", .malformed)),
            (
                "0.10,0.11,1.20", "92233720368547758.07,0.11,1.20",
                .amount(column: "scheme fees (nc)", .overflow)
            ),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem) throws {
        let reading = try format.reading(replacing: old, with: new)
        #expect(reading.unusable == [UnusableRow(row: 2, problem: problem)])
        #expect(reading.lines.count == 11)
    }

    @Test("with a settled amount in the debit column is believed, and shows that it does not add up")
    func debitedSale() throws {
        let line = try #require(
            try format.reading(replacing: "EUR,,100.00,1,EUR,,98.59", with: "EUR,100.00,,1,EUR,,98.59").lines.first
        )
        #expect(line.summary == "2 payment Settled -100.00/1.41/98.59 EUR")
        #expect(line.discrepancy?.decimal == "200.00")
    }
}
