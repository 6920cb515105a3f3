import Domain
import Reconciliation
import Testing

@Suite("Traffic in which both sides agree")
struct CleanTrafficTests {
    @Test("has no break, and every line is matched or needs no match", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func clean(seed: UInt64) async throws {
        var traffic = try Traffic(seed: seed, payments: 300)
        try traffic.payOut()
        let result = try await traffic.inputs.reconcile()
        #expect(result.breaks == [])
        #expect(result.accountsForEveryLine)
        #expect(result.summary.met == traffic.inputs.expectations.count && result.summary.waiting == 0)
        let subjects = result.lineMatches.flatMap(\.subjects)
        #expect(Set(subjects) == Set(traffic.inputs.expectations.map(\.subject)))
        #expect(subjects.count == traffic.inputs.expectations.count)
        #expect(result.summary.batchesInOrder == Traffic.days * 3 && result.summary.batchesOpen == 0)
        #expect(result.summary.bankEntriesMatched == result.summary.bankEntries)
        #expect(result.matches.filter { $0.level == .payout }.flatMap(\.payouts).count == 6)
    }

    @Test("is matched by every rule that there is, and each match says by what")
    func explained() async throws {
        var traffic = try Traffic(seed: 6, payments: 300)
        try traffic.payOut()
        let result = try await traffic.inputs.reconcile()
        let used = Set(result.matches.map(\.rule))
        #expect(
            used.isSuperset(of: ReconciliationRules.standard.rules.map(\.id).filter { $0 != "bank-amount-and-date" })
        )
        #expect(result.matches.allSatisfy { !$0.shared.isEmpty && $0.theirs == $0.ours })
        let match = try #require(result.matches.first { $0.rule == "our-attempt" && $0.level == .line })
        #expect(
            match.explanation
                == "The rule our-attempt matched \(match.theirs) of theirs to \(match.ours) of ours by attempt "
                + "\(match.shared)."
        )
        #expect(result.lineMatches.contains { $0.lines.count == 2 && $0.subjects.count == 1 })
        #expect(result.lineMatches.contains { $0.lines.count == 1 && $0.subjects.count == 2 })
    }

    @Test("gives the same whatever the order in which it arrives", arguments: [11, 12, 13] as [UInt64])
    func order(seed: UInt64) async throws {
        var traffic = try Traffic(seed: seed, payments: 200)
        try traffic.payOut()
        for defect in Defect.allCases { try traffic.plant(defect) }
        let plain = try await traffic.inputs.reconcile()
        #expect(!plain.breaks.isEmpty)
        for shuffle in 1...4 as ClosedRange<UInt64> {
            let shuffled = try await traffic.inputs.reconcile(shuffledBy: seed &* 100 &+ shuffle)
            #expect(shuffled.matches == plain.matches)
            #expect(shuffled.breaks == plain.breaks)
            #expect(shuffled.summary == plain.summary)
        }
    }

    @Test("never hands over more than a page")
    func pages() async throws {
        var traffic = try Traffic(seed: 20, payments: 900)
        try traffic.payOut()
        let reconciler = Reconciler(scope: ReconciliationScope())
        for expectation in traffic.inputs.expectations { try reconciler.add(expectation) }
        try reconciler.add(traffic.inputs.lines, of: Inputs.file)
        var recorder = Recorder()
        _ = try await reconciler.finish(lookup: Directory(), into: &recorder)
        #expect(recorder.matches.count > Reconciler.pageLimit && recorder.largestPage <= Reconciler.pageLimit)
        await #expect(throws: ReconciliationFailure.finished) {
            var again = Recorder()
            _ = try await reconciler.finish(lookup: Directory(), into: &again)
        }
    }
}
