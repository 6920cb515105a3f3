import Domain
import Testing

@Suite("A break's life")
struct BreakLifeTests {
    @Test("goes forward only", arguments: BreakState.allCases, BreakState.allCases)
    func transitions(_ state: BreakState, _ next: BreakState) {
        let isForward = state.isUnresolved && next != .open && state != next
        #expect(state.allows(next) == isForward)
    }

    static let differences: [(BreakType, Int64)] = [
        (.missingAtPSP, -70), (.late, -70), (.missingInOurs, 70), (.amountMismatch, 70), (.duplicateLine, 70),
        (.statusMismatch, 70), (.splitMismatch, 70), (.batchSumMismatch, 70), (.payoutMismatch, 70),
        (.refundWithoutOrigin, 70), (.directionMismatch, 70), (.roundingResidue, 70), (.currencyMismatch, 0),
        (.feeMismatch, 0), (.wrongMerchantAccount, 0), (.referenceMismatch, 0), (.unparseableRow, 0),
    ]

    @Test("ends in the books as what ours lack", arguments: differences)
    func posting(_ type: BreakType, _ difference: Int64) throws {
        let dollars = try #require(Currency(code: "USD"))
        var found = Break(
            type: type,
            key: "k",
            currency: dollars,
            amount: 70,
            day: nil,
            pspAccount: "a",
            explanation: "e",
            suggestion: "s"
        )
        #expect(found.difference == difference)
        let ours: Account = type == .payoutMismatch ? .bank : .clearing(pspAccount: "a")
        func change(_ posting: Posting?, _ account: Account) -> Int64 {
            guard let posting else { return 0 }
            return posting.debit == account ? posting.amount : posting.credit == account ? -posting.amount : 0
        }
        for (state, other) in [(BreakState.writtenOff, Account.differences), (.forced, .suspense(pspAccount: "a"))] {
            let posting = found.posting(for: state)
            #expect(change(posting, ours) == difference)
            #expect(change(posting, other) == -difference)
        }
        for state in [BreakState.open, .investigating, .matched, .corrected] {
            #expect(found.posting(for: state) == nil)
        }
        found.pspAccount = nil
        #expect((found.posting(for: .forced) == nil) == (type != .payoutMismatch))
    }

    @Test("every type of break has a place in the books") func all() {
        #expect(Set(Self.differences.map(\.0)) == Set(BreakType.allCases))
    }
}
