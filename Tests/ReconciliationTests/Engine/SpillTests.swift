import AdapterKit
import Domain
import ExternalJoin
import Reconciliation
import Testing

@Suite("Spilling")
struct SpillTests {
    @Test("gives back what was written, block by block, and what did not fit behind it")
    func roundTrip() throws {
        let file = try SpillFile(in: SpillFile.standardDirectory)
        let blocks = try (0..<5).map { try file.append([UInt8](repeating: UInt8($0), count: 70_000 + $0)) }
        let read = try file.read([blocks[3], blocks[1]], followedBy: [9, 9])
        #expect(read == Array(repeating: 3, count: 70_003) + Array(repeating: 1, count: 70_001) + [9, 9])
        #expect(try file.read([], followedBy: []) == [])
        let shorter = try SpillFile(in: SpillFile.standardDirectory)
        #expect(throws: SpillProblem.truncated) { try shorter.read([blocks[1]], followedBy: []) }
    }

    @Test("says where no file can be made")
    func directory() throws {
        let problem = #expect(throws: SpillProblem.self) { try SpillFile(in: "/no-such-directory") }
        #expect(problem == .notCreated(directory: "/no-such-directory", errorNumber: 2))
        #expect(
            problem?.description
                == "No temporary file can be made in /no-such-directory: No such file or directory."
        )
    }

    @Test("keeps a key that fills memory out of it, and joins what is beside it")
    func deepKey() async throws {
        var example = try Case()
        let long = String(repeating: "x", count: 60_000)
        for _ in 0..<450 { try example.report("1.00") { $0.paymentReference = long } }
        example.expect(500) { $0.paymentReference = "pay_1" }
        let result = try await example.inputs.reconcile()
        #expect(result.lineMatches.isEmpty && result.accountsForEveryLine)
    }

    @Test(
        "joins a key's lines together, whether or not a partition is read in several windows",
        arguments: [10, 60_000]
    )
    func windows(textLength: Int) async throws {
        var example = try Case()
        let name = String(repeating: "x", count: textLength)
        for _ in 0..<200 { try example.report("1.00") { $0.paymentReference = name } }
        example.expect(20_000) { $0.paymentReference = name }
        let result = try await example.inputs.reconcile()
        #expect(result.breaks.isEmpty && result.accountsForEveryLine)
        #expect(result.lineMatches.map(\.lines.count) == [200])
        #expect(result.lineMatches.map(\.rule) == ["our-attempt"])
    }

    @Test("refuses a text that no report has, and says how long one may be")
    func longText() throws {
        var example = try Case()
        try example.report("1.00") { $0.paymentReference = String(repeating: "x", count: 65_536) }
        let reconciler = Reconciler(scope: ReconciliationScope())
        #expect(throws: ReconciliationFailure.textTooLong(limit: 65_535)) {
            try reconciler.add(example.inputs.lines, of: Inputs.file)
        }
    }

    @Test("of either side alone, or of nothing, ends well", arguments: [0, 1, 2])
    func oneSided(side: Int) async throws {
        var traffic = try Traffic(seed: 41, payments: 100)
        if side != 1 { traffic.inputs.lines = [] }
        if side != 2 { traffic.inputs.expectations = [] }
        traffic.inputs.scope.asOf = CalendarDay("2026-12-31")
        let result = try await traffic.inputs.reconcile()
        #expect(result.matches.isEmpty && result.accountsForEveryLine)
        let unmet = side == 2 ? traffic.inputs.expectations.count : 0
        #expect(result.summary.breaks[.missingAtPSP, default: 0] == unmet)
        #expect(result.breaks.count == (side == 0 ? 0 : max(unmet, side == 1 ? traffic.inputs.lines.count : 0)))
    }
}
