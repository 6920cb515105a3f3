import Domain
import Reconciliation
import Testing
import TributaryTestKit

/// Files that go on with one another, or tell again what others tell.
@Suite("Files that overlap", .timeLimit(.minutes(10)))
struct OverlappingFilesTests {
    @Test(
        "are one batch whose lines they divide among them, in whatever order they come",
        arguments: DatabaseEngine.allCases,
        [false, true]
    )
    func batch(engine: DatabaseEngine, isPayoutFirst: Bool) async throws {
        try await ReportedSale.with(engine) { sale in
            let refund = try await sale.refund(100)
            try await sale.dispute(.opened)
            let returned = ReportedSale.Line(category: "refund", amount: -100, entry: "txn_refund", object: refund)
            let taken = ReportedSale.Line(category: "dispute", amount: -2_000, entry: "txn_taken", object: "dp_0001")
            let parts = [
                [ReportedSale.sale(fee: 30), returned],
                [taken, ReportedSale.payout(10_000 - 30 - 100 - 2_000)],
            ]
            var summaries: [ReconciliationSummary] = []
            for (number, lines) in (isPayoutFirst ? parts.reversed() : parts).enumerated() {
                let path = try await sale.report(lines, as: "part-\(number)", batch: "po_0001")
                let (result, found) = try await sale.month.reconcile([path], ReportedSale.account)
                #expect(found.map(\.type) == (isPayoutFirst && number == 0 ? [.batchSumMismatch] : []))
                #expect(found.allSatisfy { $0.amount == 7_870 + 2_000 })
                #expect(result.inputs.allSatisfy { $0.replaced.isEmpty })
                summaries.append(result.summary)
                sale.nextDay()
            }
            #expect(summaries.map(\.batchesOpen) == (isPayoutFirst ? [0, 0] : [1, 0]))
            #expect(summaries.map(\.batchesInOrder) == [0, 1])
            let leftovers = try await sale.leftovers()
            #expect(leftovers == [])
        }
    }

    /// What a bank says of 40.00 that it booked on 16 January 2027, without a payout's name, during that day or behind it.
    private static func message(_ name: String) -> String {
        let isReport = name == "camt.052"
        let (outer, inner) = isReport ? ("BkToCstmrAcctRpt", "Rpt") : ("BkToCstmrStmt", "Stmt")
        let entry = """
            <Ntry><Amt Ccy="USD">40.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
            <BookgDt><Dt>2027-01-16</Dt></BookgDt><ValDt><Dt>2027-01-16</Dt></ValDt><AcctSvcrRef>BANK-0001</AcctSvcrRef>\
            \(isReport ? "" : "<AddtlNtryInf>Credit transfer</AddtlNtryInf>")</Ntry>
            """
        return message(name, outer, inner, (isReport ? "" : balance("2027-01-16")) + entry)
    }

    private static func message(_ name: String, _ outer: String, _ inner: String, _ content: String) -> String {
        """
        <?xml version="1.0"?>
        <Document xmlns="urn:iso:std:iso:20022:tech:xsd:\(name.prefix(8)).001.08"><\(outer)><GrpHdr><MsgId>\(name)</MsgId>\
        </GrpHdr><\(inner)><Id>\(name)</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>USD</Ccy></Acct>
        \(content)
        </\(inner)></\(outer)></Document>

        """
    }

    /// What an account holds as a day ends.
    private static func balance(_ day: String) -> String {
        """
        <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">40.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>\
        <Dt><Dt>\(day)</Dt></Dt></Bal>
        """
    }

    @Test(
        "are one entry of the bank, so that one payout arrived, and another of its amount is missed",
        arguments: DatabaseEngine.allCases,
        [[["camt.052"], ["camt.053"]], [["camt.053"], ["camt.052"]], [["camt.052", "camt.053"]]]
    )
    func bank(engine: DatabaseEngine, runs: [[String]]) async throws {
        try await ReportedSale.with(engine) { sale in
            let payouts = ["po_0001", "po_0002"].map { ReportedSale.payout(4_000, $0) }
            #expect(try await sale.take([ReportedSale.sale()] + payouts, as: "report") == [])
            var entries: [Int] = []
            for names in runs {
                let paths = try names.map { try sale.month.write(Self.message($0), as: "\($0).xml") }
                let (result, found) = try await sale.month.reconcile(paths)
                #expect(found == [])
                #expect(result.summary.bankEntriesMatched == result.summary.bankEntries)
                entries.append(result.summary.bankEntries)
            }
            #expect(entries == Array([1, 0].prefix(runs.count)))
            let later = Self.message("camt.053-later", "BkToCstmrStmt", "Stmt", Self.balance("2027-01-26"))
            let found = try await sale.month.reconcile([try sale.month.write(later, as: "later.xml")]).found
            #expect(found.map(\.type) == [.payoutMismatch] && found.first?.amount == -4_000)
            #expect(found.first?.explanation.hasPrefix("po_0002 of 2027-01-15 ") == true)
            #expect(try await sale.month.standing().count { $0.hasPrefix("bank ") } == 1)
            #expect(try await sale.complaints() == ["payout_mismatch", "sim-a still has 2000"])
        }
    }

    @Test(
        "post once what both tell, at once or one after the other",
        arguments: DatabaseEngine.allCases,
        [(false, false), (false, true), (true, false), (true, true)]
    )
    func fees(engine: DatabaseEngine, example: (isAtOnce: Bool, repeatsSale: Bool)) async throws {
        try await ReportedSale.with(engine) { sale in
            let refund = try await sale.refund(100)
            let returned = ReportedSale.Line(category: "refund", amount: -100, entry: "txn_refund", object: refund)
            let fee = ReportedSale.Line(category: "fee", amount: -50, entry: "txn_fee")
            let other = ReportedSale.Line(category: "fee", amount: -20, entry: "txn_other")
            let sold = ReportedSale.sale(fee: 30)
            let more = [fee, other, ReportedSale.payout(10_000 - 30 - 100 - 50 - 20)]
            let one = try await sale.report([sold, fee, returned], as: "one")
            let two = try await sale.report((example.repeatsSale ? [sold] : []) + more, as: "two")
            var found: [BreakType] = []
            for paths in example.isAtOnce ? [[one, two]] : [[one], [two]] {
                found += try await sale.month.reconcile(paths, ReportedSale.account).found.map(\.type)
            }
            // A fee that one run meets twice is told; one that another run posted is passed over.
            let duplicates = (example.isAtOnce ? 1 : 0) + (example.repeatsSale ? 1 : 0)
            #expect(found == Array(repeating: .duplicateLine, count: duplicates))
            #expect(try await sale.balance(of: .clearing(pspAccount: ReportedSale.account)) == 0)
            #expect(try await sale.balance(of: .pspFees(pspAccount: ReportedSale.account)) == 50 + 20)
            #expect(try await sale.balance(of: .bank) == 9_800)
            let complaints = try await sale.complaints()
            #expect(complaints == Array(repeating: "duplicate_line", count: duplicates))
        }
    }

    @Test("have a payout that both tell once at the bank", arguments: DatabaseEngine.allCases, [false, true])
    func payout(engine: DatabaseEngine, isAtOnce: Bool) async throws {
        try await ReportedSale.with(engine) { sale in
            let fee = ReportedSale.Line(category: "fee", amount: -20, entry: "txn_fee")
            let one = try await sale.report([ReportedSale.sale(), ReportedSale.payout(4_000)], as: "one")
            let two = try await sale.report([ReportedSale.payout(4_000), fee], as: "two")
            var found: [BreakType] = []
            for paths in isAtOnce ? [[one, two]] : [[one], [two]] {
                found += try await sale.month.reconcile(paths, ReportedSale.account).found.map(\.type)
            }
            #expect(found == (isAtOnce ? [.duplicateLine] : []))
            let bank = try sale.month.write(Self.message("camt.053"), as: "bank.xml")
            #expect(try await sale.month.reconcile([bank]).found == [])
            let later = Self.message("camt.053-later", "BkToCstmrStmt", "Stmt", Self.balance("2027-01-26"))
            #expect(try await sale.month.reconcile([try sale.month.write(later, as: "later.xml")]).found == [])
            let complaints = try await sale.complaints()
            #expect(complaints == (isAtOnce ? ["duplicate_line"] : []) + ["sim-a still has 5980"])
        }
    }
}
