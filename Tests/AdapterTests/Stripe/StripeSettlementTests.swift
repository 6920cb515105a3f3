import AdapterKit
import Domain
import StripeAdapter
import Testing

@Suite("Stripe's payout reconciliation")
struct StripeSettlementTests {
    private var format: SettlementFormat { get throws { try SettlementFormat.of(StripeAdapter.self) } }

    @Test("is read in major units of each currency")
    func lines() throws {
        #expect(
            try format.reading().lines.map(\.summary) == [
                "2 payment charge 100.00/3.20/96.80 USD", "3 payment charge 97.25/3.12/94.13 USD",
                "4 payment partial_capture_reversal -40.00/-1.16/-38.84 USD", "5 refund refund -25.00/0.00/-25.00 USD",
                "6 chargeback dispute -97.25/15.00/-112.25 USD",
                "7 chargeback_reversal dispute_reversal 97.25/-15.00/112.25 USD", "8 fee fee -2.00/0.00/-2.00 USD",
                "9 payment charge 1200/43/1157 JPY", "10 payment charge 12.345/0.500/11.845 KWD",
                "11 commission platform_earning 5.00/0.00/5.00 USD",
                "12 reserve risk_reserved_funds -10.00/0.00/-10.00 USD",
                "13 other climate_order_purchase -1.00/0.00/-1.00 USD", "14 payout payout -119.09/0.00/-119.09 USD",
            ]
        )
        #expect(
            try format.reading().trailer.sums.map(\.summary) == [
                "JPY gross 1200 fee 43 net 1157 = 1157 0", "KWD gross 12.345 fee 0.500 net 11.845 = 11.845 0.000",
                "USD gross 5.16 fee 5.16 net 0.00 = 308.18 -308.18",
            ]
        )
    }

    @Test("leads back to our payment, refund and payout")
    func references() throws {
        let lines = try format.reading().lines
        let charge = lines[1]
        #expect(charge.attempt == AttemptID("att_01jd3xk5g00000000000000002"))
        #expect(charge.operation == OperationID("op_01jd3xk5g00000000000000002"))
        #expect(charge.reference == charge.attempt?.text)
        #expect(charge.paymentReference == "pi_2" && charge.objectReference == "ch_2")
        #expect(charge.entryReference == "txn_2" && charge.batch == "po_1" && charge.account == "acct_1Merchant")
        #expect(charge.presentment?.description == "90.00 EUR")
        #expect(charge.occurredOn?.timestamp?.description == "2026-11-16T09:00:00.000Z")
        #expect(charge.bookedOn == SettlementDate("2026-11-18 00:00:00", zone: "UTC"))
        #expect(charge.paidOn?.day == "2026-11-20")
        let refund = lines[3]
        #expect(refund.attempt == AttemptID("att_01jd3xk5g00000000000000001"))
        #expect(refund.operation == OperationID("op_01jd3xk5g00000000000000004"))
        #expect(lines[4].operation == nil && lines[4].attempt?.text == "att_01jd3xk5g00000000000000002")
        #expect(lines[6].attempt == nil && lines[6].reference == nil && lines[6].presentment == nil)
    }

    @Test("needs neither metadata nor the payout's columns")
    func fewColumns() throws {
        let file = """
            source_id,created,balance_transaction_id,currency,gross,fee,net,reporting_category,charge_id
            ch_1,2026-11-16 10:00:00,txn_1,usd,1.00,0.10,0.90,charge,ch_1

            """
        let line = try #require(try SettlementReading(format.report, Array(file.utf8)).lines.first)
        #expect(line.paymentReference == "ch_1" && line.batch == nil && line.attempt == nil)
        #expect(line.occurredOn == SettlementDate("2026-11-16 10:00:00") && line.occurredOn?.timestamp == nil)
    }

    @Test(
        "reports what cannot be read",
        arguments: [
            ("usd,100.00,", "usd,\"1,00.00\",", RowProblem.amount(column: "gross", .malformed)),
            ("usd,100.00,", "usd,92233720368547758.08,", .amount(column: "gross", .overflow)),
            ("usd,100.00,", "usd,,", .missing(column: "gross")),
            ("usd,100.00,", "usx,100.00,", .unknownCurrency(column: "currency")),
            ("usd,100.00,", ",100.00,", .missing(column: "currency")),
            (",txn_1,", ",,", .missing(column: "balance_transaction_id")),
            (
                "Order 1, two lamps\",100.00", "Order 1, two lamps\",1e2",
                .amount(column: "customer_facing_amount", .malformed)
            ),
        ]
    )
    func unusable(old: String, new: String, problem: RowProblem) throws {
        let reading = try format.reading(replacing: old, with: new)
        #expect(reading.unusable == [UnusableRow(row: 2, problem: problem)])
        #expect(reading.lines.count == 12)
    }

    @Test("knows what each category is about", arguments: ["charge_failure", "topup", "transfer", "advance"])
    func categories(category: String) throws {
        let line = try #require(try format.reading(replacing: ",charge,ch_1,", with: ",\(category),ch_1,").lines.first)
        #expect(line.type == category)
        #expect(line.kind == (["charge_failure", "topup"].contains(category) ? .adjustment : .other))
    }
}
