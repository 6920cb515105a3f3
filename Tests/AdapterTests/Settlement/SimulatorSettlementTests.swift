import AdapterKit
import Domain
import SimulatorAdapter
import Testing

@Suite("The simulator's settlement report")
struct SimulatorSettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(SimulatorAdapter.self) } }

    @Test("is read in major units of each currency")
    func lines() throws {
        #expect(
            try format.reading().lines.map(\.summary) == [
                "2 payment capture 100.00/0.25/99.75 USD", "3 payment capture 50.00/0.25/49.75 USD",
                "4 commission commission 4.00/0.00/4.00 USD", "5 refund refund -25.00/0.00/-25.00 USD",
                "6 chargeback dispute -75.00/0.00/-75.00 USD",
                "7 chargeback_reversal dispute_won 75.00/0.00/75.00 USD", "8 fee fee -2.00/0.00/-2.00 USD",
                "9 other gift 1200/0/1200 JPY", "10 payout payout -76.75/0.00/-76.75 USD",
            ]
        )
    }

    @Test("leads back to our payment, refund and payout")
    func references() throws {
        let lines = try format.reading().lines
        let sale = lines[1]
        #expect(sale.attempt == AttemptID("att_01jd3xk5g00000000000000002") && sale.operation == nil)
        #expect(sale.reference == sale.attempt?.text)
        #expect(sale.paymentReference == "auth_x1_2" && sale.objectReference == "auth_x1_2")
        #expect(sale.entryReference == "auth_x1_2_payment" && sale.batch == "po_merchants_sim-a_20261116_usd")
        #expect(sale.submerchant == "acct \"2\", car" && sale.account == nil)
        #expect(sale.occurredOn?.timestamp?.description == "2026-11-16T10:00:00.000Z")
        #expect(sale.paidOn?.day == "2026-11-16")
        #expect(lines[3].operation == OperationID("op_01jd3xk5g00000000000000003"))
        #expect(lines[3].attempt == lines[0].attempt && lines[3].objectReference == "ref_x1_1_2")
        #expect(lines[8].attempt == nil && lines[8].paymentReference == nil && lines[8].batch == lines[2].batch)
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            (",100.00,", ",1e2,", RowProblem.amount(column: "gross", .malformed)),
            (",99.75,USD", ",,USD", .missing(column: "net")),
            (",99.75,USD", ",99.75,USX", .unknownCurrency(column: "currency")),
            ("cap_x1_1_1_payment,capture", "cap_x1_1_1_payment,", .missing(column: "type")),
            ("cap_x1_1_1_payment,", ",", .missing(column: "simulator_movement")),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem) throws {
        let reading = try format.reading(replacing: old, with: new)
        #expect(reading.unusable == [UnusableRow(row: 2, problem: problem)])
        #expect(reading.lines.count == 8)
    }
}
