import Domain
import Reconciliation
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("A payout to a merchant, at the bank", .timeLimit(.minutes(10)))
struct MerchantPayoutAtBankTests {
    private static let reference = "SEPA-000007"

    /// A statement of an account, with debits of 50.00 that name the payout and were booked on a day of January 2027, as of another
    /// one.
    private static func statement(_ name: String, debits: [String] = [], asOf day: String) -> String {
        let entries = debits.enumerated().map { number, day in
            """
            <Ntry><Amt Ccy="USD">50.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\
            <BookgDt><Dt>2027-01-\(day)</Dt></BookgDt><ValDt><Dt>2027-01-\(day)</Dt></ValDt>\
            <AcctSvcrRef>\(name)-\(number)</AcctSvcrRef><AddtlNtryInf>\(reference)</AddtlNtryInf></Ntry>
            """
        }
        return """
            <?xml version="1.0"?>
            <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>\(name)</MsgId>\
            </GrpHdr><Stmt><Id>\(name)</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>USD</Ccy></Acct>
            <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">40.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>\
            <Dt><Dt>2027-01-\(day)</Dt></Dt></Bal>
            \(entries.joined())
            </Stmt></BkToCstmrStmt></Document>

            """
    }

    /// Records the payout of 50.00, and lends it.
    private static func with(
        _ engine: DatabaseEngine,
        _ body: (ReportedSale, Gateway.Payouts, Payout) async throws -> Void
    ) async throws {
        try await ReportedSale.with(engine) { sale in
            let harness = sale.month.harness
            let desk = Gateway.Payouts(
                database: harness.database,
                clock: harness.clock,
                presentation: .plain,
                by: .instance("desk")
            )
            let draft = try PayoutDraft(
                marketplace: "travel",
                merchant: try await sale.order().payments[0].merchant,
                amount: TestCheckout.dollars(5_000),
                reference: reference,
                paidAt: nil,
                origin: .operator
            )
            try await body(sale, desk, try await desk.record(draft).payout)
        }
    }

    private static func take(_ statement: String, as name: String, in sale: ReportedSale) async throws -> [Break] {
        let path = try sale.month.write(statement, as: "\(name).xml")
        return try await sale.month.reconcile([path]).found
    }

    /// The break that is not closed, accepted by somebody.
    private static func writeOff(in database: any Database) async throws -> BreakID {
        try await database.write { session in
            var filter = BreakTable.Filter(marketplace: "travel")
            filter.states = [.open]
            let found = try #require(try BreakTable.list(filter, after: nil, limit: 9, in: session).first)
            var ids = IdentifierSource()
            let now = Timestamp(microseconds: 1_800_900_000_000_000)
            let decision = try BreakDecision(.writtenOff, by: "ann", because: "lost")
            _ = try BreakTable.act(
                decision,
                on: found.id,
                seenAs: .open,
                of: "travel",
                at: now,
                ids: &ids,
                in: session
            )
            return found.id
        }
    }

    @Test(
        "is missed there no more once it is booked or has failed, and what was written off is undone",
        arguments: DatabaseEngine.allCases,
        ["booked", "failed"]
    )
    func closes(_ engine: DatabaseEngine, ending: String) async throws {
        try await Self.with(engine) { sale, desk, payout in
            let database = sale.month.harness.database
            let missed = try await Self.take(Self.statement("one", asOf: "26"), as: "one", in: sale)
            #expect(missed.map(\.type) == [.payoutMismatch] && missed.first?.amount == 5_000)
            let accepted = try await Self.writeOff(in: database)
            #expect(try await sale.balance(of: .bank) == 0)
            if ending == "failed" {
                _ = try await desk.fail(payout.id, of: "travel", because: "returned")
            }
            let second = Self.statement("two", debits: ending == "booked" ? ["27"] : [], asOf: "28")
            #expect(try await Self.take(second, as: "two", in: sale) == [])
            let closed = try await database.read { try BreakTable.show(accepted, of: "travel", in: $0) }
            #expect(closed?.difference.state == .matched)
            #expect(try await sale.balance(of: .bank) == (ending == "booked" ? -5_000 : 0))
        }
    }

    @Test("is told where the bank books it twice", arguments: DatabaseEngine.allCases)
    func twice(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { sale, _, _ in
            let statement = Self.statement("one", debits: ["20", "21"], asOf: "22")
            let found = try await Self.take(statement, as: "one", in: sale)
            #expect(found.map(\.type) == [.payoutMismatch] && found.first?.amount == -5_000)
            #expect(found.first?.explanation.contains("more for \(Self.reference)") == true)
            #expect(try await sale.complaints() == ["payout_mismatch", "sim-a still has 10000"])
        }
    }

    @Test(
        "in parts is there with the last of them, and differs again once a statement has lost one",
        arguments: DatabaseEngine.allCases
    )
    func parts(_ engine: DatabaseEngine) async throws {
        try await Self.with(engine) { sale, _, _ in
            func statement(_ name: String, _ amount: String?, on day: String) -> String {
                let debits = amount == nil ? [] : [day]
                return Self.statement(name, debits: debits, asOf: "26")
                    .replacing(">50.00<", with: ">\(amount ?? "")<")
            }
            let first = try await Self.take(statement("one", "30.00", on: "20"), as: "one", in: sale)
            #expect(first.map(\.amount) == [2_000])
            #expect(try await Self.take(statement("two", "20.00", on: "21"), as: "two", in: sale) == [])
            #expect(try await sale.complaints() == ["sim-a still has 10000"])
            _ = try await Self.take(statement("one", nil, on: "20"), as: "corrected", in: sale)
            let later = Self.statement("three", asOf: "27")
            #expect(try await Self.take(later, as: "three", in: sale).map(\.amount) == [3_000])
        }
    }
}
