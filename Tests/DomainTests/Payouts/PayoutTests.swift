import Domain
import SeededRandom
import Testing

@Suite("Payouts")
struct PayoutTests {
    private let merchant: MerchantID
    private let other: MerchantID
    private let dollars: Money
    private let now = Checkout.placedAt
    private var ids = IdentifierSource(random: SeededRandom(seed: 3))

    init() throws {
        merchant = ids.make(at: now)
        other = ids.make(at: now)
        dollars = try Money(minorUnits: 1234, currency: try #require(Currency(code: "USD")))
    }

    private func draft(
        _ amount: Money? = nil,
        to payee: MerchantID? = nil,
        reference: String = "SEPA-1",
        paidAt: Timestamp? = nil
    ) throws(PayoutRefusal) -> PayoutDraft {
        try PayoutDraft(
            marketplace: "travel",
            merchant: payee ?? merchant,
            amount: amount ?? dollars,
            reference: reference,
            paidAt: paidAt,
            origin: .operator
        )
    }

    @Test("take from what is owed, and give it back if they fail") func postings() throws {
        var ids = ids
        let payout = Payout(try draft(), id: ids.make(at: now), at: now)
        let entry = payout.entry(ids.make(at: now))
        #expect(entry.kind == .payout)
        #expect((entry.merchant, entry.payout) == (merchant, payout.id))
        #expect(entry.postings.map(\.debit) == [.payable(merchant: merchant)])
        #expect(entry.postings.map(\.credit) == [.bank])
        #expect(entry.postings.map(\.amount) == [1234])
        let later = now.adding(milliseconds: 1)
        let reversal = payout.reversal(ids.make(at: later), at: later)
        #expect((reversal.kind, reversal.at) == (.payoutReversal, later))
        #expect(reversal.postings.map(\.debit) == [.bank])
        #expect(reversal.postings.map(\.credit) == [.payable(merchant: merchant)])
        let sum = [entry, reversal].flatMap { entry in
            entry.postings.map { posting in
                StatementMovement(
                    kind: entry.kind,
                    operation: nil,
                    settlesTo: nil,
                    debit: posting.debit,
                    credit: posting.credit,
                    amount: posting.amount
                )
            }
        }.reduce(into: StatementAmounts()) { $0 += $1.amounts }
        #expect(sum == StatementAmounts(balance: [.payouts: -1234, .payoutReversals: 1234]))
    }

    @Test("are another one where any value differs, and the same where the time is not said") func differences() throws
    {
        var ids = ids
        let time = now.adding(milliseconds: -5)
        let payout = Payout(try draft(paidAt: time), id: ids.make(at: now), at: now)
        #expect((payout.paidAt, payout.recordedAt) == (time, now))
        #expect(payout.differences(from: try draft()) == [])
        #expect(payout.differences(from: try draft(paidAt: time)) == [])
        #expect(payout.differences(from: try draft(paidAt: now)) == [.paidAt])
        let euros = try Money(minorUnits: 1235, currency: try #require(Currency(code: "EUR")))
        #expect(payout.differences(from: try draft(euros, to: other)) == [.merchant, .currency, .amount])
    }

    @Test("without an amount, or with a reference that is none, are refused") func refusals() throws {
        let nothing = try Money(minorUnits: 0, currency: dollars.currency)
        #expect(throws: PayoutRefusal.nothingPaid) { try draft(nothing) }
        for reference in ["", " a", "a ", "a\nb", "a\u{7}", String(repeating: "é", count: 128), "a\u{2028}b"] {
            #expect(throws: PayoutRefusal.unusableReference) { try draft(reference: reference) }
        }
        #expect(try draft(reference: String(repeating: "a", count: 255)).reference.count == 255)
        #expect(throws: PayoutRefusal.unusableReason) { try Payout.Failure("", at: now) }
        #expect(throws: PayoutRefusal.unusableReason) {
            try Payout.Failure(String(repeating: "a", count: 501), at: now)
        }
        #expect(try Payout.Failure("account closed", at: now).reason == "account closed")
    }
}
