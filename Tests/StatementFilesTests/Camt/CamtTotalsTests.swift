import AdapterKit
import Domain
import StatementFiles
import Testing

@Suite("The totals of camt files")
struct CamtTotalsTests {
    private static func summary(entries: String, credits: String, debits: String) -> String {
        "<TxsSummry><TtlNtries>\(entries)</TtlNtries><TtlCdtNtries>\(credits)</TtlCdtNtries>"
            + "<TtlDbtNtries>\(debits)</TtlDbtNtries></TxsSummry>"
    }

    private static let entries =
        CamtText.entry("10.50") + CamtText.entry("0.125") + CamtText.entry("4", "DBIT")

    @Test("agree with the entries, finer than cents as they may be")
    func agreement() throws {
        let summary = Self.summary(
            entries: "<NbOfNtries>3</NbOfNtries><Sum>14.625</Sum><TtlNetNtry><Amt>6.625</Amt>"
                + "<CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry>",
            credits: "<NbOfNtries>2</NbOfNtries><Sum>10.625</Sum>",
            debits: "<NbOfNtries>1</NbOfNtries><Sum>4.00</Sum>"
        )
        let balances = CamtText.balance("OPBD", "1.00", "DBIT") + CamtText.balance("CLBD", "5.625")
        let reading = try BankReading(camt: CamtText.message(balances + summary + Self.entries))
        #expect(
            reading.checks == [
                "closing_balance 5.625 EUR = 5.625 EUR", "entry_count 3 = 3", "entry_sum 14.625 EUR = 14.625 EUR",
                "net_sum 6.625 EUR = 6.625 EUR", "credit_count 2 = 2", "credit_sum 10.625 EUR = 10.625 EUR",
                "debit_count 1 = 1", "debit_sum 4.00 EUR = 4.00 EUR",
            ]
        )
        #expect(reading.trailer.disagreementCount == 0 && reading.trailer.booked.summary == "EUR 10.625 -4.00")
        #expect(reading.trailer.booked.first?.creditCount == 2 && reading.trailer.booked.first?.debitCount == 1)
    }

    @Test("that disagree are named, each with what was found")
    func disagreement() throws {
        let summary = Self.summary(
            entries: "<NbOfNtries>4</NbOfNtries><TtlNetNtryAmt>6.625</TtlNetNtryAmt><CdtDbtInd>DBIT</CdtDbtInd>",
            credits: "<Sum>10.62</Sum>",
            debits: "<NbOfNtries>0</NbOfNtries>"
        )
        let balances = CamtText.balance("PRCD", "0.00") + CamtText.balance("CLBD", "5.00")
        let reading = try BankReading(camt: CamtText.message(balances + summary + Self.entries))
        #expect(
            reading.ends.first?.disagreements.map { "\($0.subject.rawValue) \($0.stated) \($0.found)" } == [
                "closing_balance 5.00 EUR 6.625 EUR", "entry_count 4 3", "net_sum -6.625 EUR 6.625 EUR",
                "credit_sum 10.62 EUR 10.625 EUR", "debit_count 0 1",
            ]
        )
        #expect(reading.trailer.disagreementCount == 5)
    }

    @Test("of a statement without entries are those of its balances")
    func noEntries() throws {
        let same = CamtText.balance("OPBD", "7.00") + CamtText.balance("CLBD", "7.00")
        #expect(try BankReading(camt: CamtText.message(same)).checks == ["closing_balance 7.00 EUR = 7.00 EUR"])
        let other = CamtText.balance("OPBD", "7.00") + CamtText.balance("CLBD", "7.01")
        #expect(try BankReading(camt: CamtText.message(other)).trailer.disagreementCount == 1)
    }

    @Test("leave pending entries out of the balance, and count them")
    func pending() throws {
        let pending = CamtText.entry("3.00").replacing("BOOK", with: "PDNG")
        let balances = CamtText.balance("OPBD", "1.00") + CamtText.balance("CLBD", "11.50")
        let count = "<TxsSummry><TtlNtries><NbOfNtries>2</NbOfNtries></TtlNtries></TxsSummry>"
        let reading = try BankReading(camt: CamtText.message(balances + count + CamtText.entry("10.50") + pending))
        #expect(reading.trailer.disagreementCount == 0 && reading.checks.count == 2)
        #expect(
            reading.trailer.unbooked.summary == "EUR 3.00 0.00" && reading.trailer.booked.summary == "EUR 10.50 0.00"
        )
    }

    @Test("are not compared where an entry cannot be used, which is counted and named")
    func unusable() throws {
        let bad: [(String, EntryProblem)] = [
            (CamtText.entry("1,00"), .amount(field: "Amt", .malformed)),
            (CamtText.entry("-1.00"), .negative(field: "Amt")),
            (CamtText.entry("1.00", currency: "DEM"), .unknownCurrency("DEM")),
            (CamtText.entry("99999999999999999999"), .amount(field: "Amt", .overflow)),
            (CamtText.entry("1.0000000000001"), .amount(field: "Amt", .tooPrecise)),
            (CamtText.entry("1.00", "CREDIT"), .unknownCode(field: "CdtDbtInd", code: "CREDIT")),
            (CamtText.entry("1.00").replacing("BOOK", with: "WHAT"), .unknownCode(field: "Sts", code: "WHAT")),
            (CamtText.entry("1.00").replacing("2026-11-20", with: "2026-02-29"), .date(field: "BookgDt")),
            (CamtText.entry("1.00", more: "<RvslInd>ja</RvslInd>"), .malformed(field: "RvslInd")),
            (CamtText.entry("1.00").replacing(#" Ccy="EUR""#, with: ""), .missing(field: "Amt/@Ccy")),
            (CamtText.entry("1.00").replacing("<Sts><Cd>BOOK</Cd></Sts>", with: ""), .missing(field: "Sts")),
            (CamtText.entry("1.00").replacing("<CdtDbtInd>CRDT</CdtDbtInd>", with: ""), .missing(field: "CdtDbtInd")),
            (
                CamtText.entry("1.00", more: #"<NtryDtls><TxDtls><Amt Ccy="EUR">x</Amt></TxDtls></NtryDtls>"#),
                .amount(field: "TxDtls/Amt", .malformed)
            ),
        ]
        let balances = CamtText.balance("OPBD", "1.00") + CamtText.balance("CLBD", "2.00")
        for (entry, problem) in bad {
            let text = CamtText.message(balances + "\n" + CamtText.entry("5.00") + entry + CamtText.entry("6.00"))
            let reading = try BankReading(camt: text)
            #expect(reading.trailer.unusable == [UnusableEntry(line: 6, problem: problem)])
            #expect(reading.trailer.rows == 3 && reading.trailer.unusableCount == 1)
            #expect(reading.trailer.booked.summary == "EUR 11.00 0.00" && reading.checks == [])
            #expect(!problem.description.isEmpty)
        }
    }

    @Test("that overflow are refused")
    func overflow() throws {
        let text = CamtText.message(CamtText.entry("90000000000000000") + CamtText.entry("90000000000000000"))
        let euro = try #require(try BankReading(camt: CamtText.message(CamtText.entry("1"))).entries.first).amount
            .currency
        #expect(throws: BankProblem.sumOverflows(euro)) { try BankReading(camt: text) }
    }

    @Test("of a batch are compared with its entry")
    func batch() throws {
        let transaction = { (amount: String, more: String) in "<TxDtls><Amt Ccy=\"EUR\">\(amount)</Amt>\(more)</TxDtls>"
        }
        let details = { (parts: [String]) in "<NtryDtls>\(parts.joined())</NtryDtls>" }
        let debit = "<CdtDbtInd>DBIT</CdtDbtInd>"
        let whole = details([transaction("9.00", ""), transaction("2.00", debit), transaction("3.00", "")])
        let short = details([transaction("9.00", "")])
        let open = details([transaction("9.00", ""), "<TxDtls></TxDtls>"])
        let entries = [whole, short, open].map { CamtText.entry("10.00", more: $0) }.joined()
        let reading = try BankReading(camt: CamtText.message(entries))
        #expect(reading.entries.map { $0.transactionsDiscrepancy?.decimal } == ["0.00", "1.00", nil])
    }
}
