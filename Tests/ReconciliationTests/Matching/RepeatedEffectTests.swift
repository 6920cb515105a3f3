import AdapterKit
import Domain
import Reconciliation
import Testing

@Suite("Lines of what comes back, or comes again")
struct RepeatedEffectTests {
    /// A refund of 10.00 that failed after all, as far as no file has it, and another one that is done in its place.
    private static func retried(isReported: Bool) throws -> Case {
        var example = try Case()
        let later = Case.moment.adding(milliseconds: 3_600_000)
        example.expect(-1_000, .refund) { $0.at = later.adding(milliseconds: 3_600_000) }
        example.expect(1_000, .refund) {
            $0.at = later
            $0.isVoided = !isReported
        }
        if !isReported {
            let failed = example.inputs.expectations[1].subject
            example.expect(-1_000, .refund) {
                $0.subject = failed
                $0.isVoided = true
            }
        }
        return example
    }

    @Test(
        "are matched to a refund that failed and to the one in its place, whichever are there",
        arguments: [
            (true, ["10.00"], [1]), (true, ["10.00", "-10.00"], [0, 1]), (false, ["-10.00"], [0]),
            (false, ["-10.00", "-10.00"], [0, 2]), (false, ["-10.00", "10.00", "-10.00"], [0, 1, 2]),
        ] as [(Bool, [String], [Int])]
    )
    func retried(isReported: Bool, amounts: [String], met: [Int]) async throws {
        var example = try Self.retried(isReported: isReported)
        for amount in amounts { try example.report(amount, .refund) }
        example.inputs.scope.asOf = CalendarDay("2026-11-10")
        for seed in 0..<4 as Range<UInt64> {
            let result = try await example.inputs.reconcile(shuffledBy: seed)
            #expect(result.breaks.isEmpty && result.accountsForEveryLine)
            let all = example.inputs.expectations
            let amounts = result.lineMatches.flatMap(\.subjects).count
            #expect(amounts == met.count)
            #expect(Set(result.lineMatches.flatMap(\.subjects)) == Set(met.map { all[$0].subject }))
        }
    }

    @Test("are missed of what failed after all only if a file has one of them", arguments: [true, false])
    func missed(isReported: Bool) async throws {
        var example = try Self.retried(isReported: isReported)
        example.inputs.scope.asOf = CalendarDay("2026-12-10")
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.map(\.amount).sorted() == (isReported ? [-1_000, 1_000] : [-1_000]))
        #expect(result.breaks.allSatisfy { $0.type == .missingAtPSP })
        #expect(result.breaks.contains { $0.key.hasSuffix("/return") } == isReported)
    }

    @Test("differ from nothing that a PSP may leave out")
    func optional() async throws {
        var example = try Self.retried(isReported: false)
        example.inputs.expectations.removeFirst()
        try example.report("-9.00", .refund)
        example.know("captured")
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.statusMismatch] && result.breaks.first?.amount == -900)
    }

    /// A dispute that takes, and takes again.
    private static func disputed(_ amounts: [Int64]) throws -> Case {
        var example = try Case()
        for (index, amount) in amounts.enumerated() {
            example.expect(amount, .chargeback) {
                $0.subject = .chargeback(DisputeID(bits: 7))
                $0.objectReference = "dp_1"
                $0.at = Case.moment.adding(milliseconds: Int64(index) * 86_400_000)
            }
        }
        return example
    }

    @Test(
        "are of a dispute that takes twice, in two lines or in one, and no duplicates",
        arguments: [
            ([-2_000, -2_000], ["-20.00", "-20.00"], []), ([-2_000, -500], ["-25.00"], []),
            ([-2_000, -500], ["-20.00", "-5.00"], []),
            ([-2_000, -2_000], ["-20.00", "-20.00", "-20.00"], [.duplicateLine]),
        ] as [([Int64], [String], [BreakType])],
        [true, false]
    )
    func disputed(
        _ example: (entries: [Int64], lines: [String], types: [BreakType]),
        isNamed: Bool
    ) async throws {
        var made = try Self.disputed(example.entries)
        for line in example.lines {
            try made.report(line, .chargeback) { if isNamed { $0.objectReference = "dp_1" } }
        }
        let result = try await made.inputs.reconcile()
        #expect(result.types == example.types && result.accountsForEveryLine)
        #expect(result.summary.met == 2)
    }

    @Test(
        "are all that a dispute of several entries is compared with, beside another one's entry",
        arguments: [true, false]
    )
    func besideAnother(isNamed: Bool) async throws {
        var example = try Self.disputed([-2_000, -500])
        example.expect(-700, .chargeback) {
            $0.subject = .chargeback(DisputeID(bits: 8))
            $0.objectReference = "dp_2"
        }
        try example.report("-25.00", .chargeback) { if isNamed { $0.objectReference = "dp_1" } }
        example.inputs.scope.asOf = CalendarDay("2026-11-12")
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty && result.lineMatches.map(\.subjects.count) == [2])
        #expect(result.summary.waiting == 1)
    }

    @Test("that are missing each have a break of their own")
    func bothMissing() async throws {
        var example = try Self.disputed([-2_000, -2_000])
        example.inputs.scope.asOf = CalendarDay("2026-12-10")
        let result = try await example.inputs.reconcile()
        #expect(result.types == [.missingAtPSP, .missingAtPSP])
        let keys = result.breaks.map(\.key)
        #expect(keys.count == 2 && keys[1] == keys[0] + "/2")
    }

    @Test("that come later than what they take back leave no break of it", arguments: [true, false])
    func canceled(isEarlier: Bool) async throws {
        var example = try Case()
        try example.report("-5.00", .refund)
        try example.report("5.00", .refund)
        example.know("captured")
        let reconciler = Reconciler(scope: ReconciliationScope())
        let first = isEarlier ? Inputs.earlierFile : Inputs.otherFile
        try reconciler.add([example.inputs.lines[0]], of: first)
        try reconciler.add([example.inputs.lines[1]], of: Inputs.file)
        var recorder = Recorder()
        _ = try await reconciler.finish(lookup: example.inputs.directory, into: &recorder)
        #expect(recorder.breaks.isEmpty)
        let canceled = reconciler.canceledLines.map { [$0.file, "\($0.row)"] }
        #expect(canceled == (isEarlier ? [[first.sha256, "2"]] : []))
    }
}
