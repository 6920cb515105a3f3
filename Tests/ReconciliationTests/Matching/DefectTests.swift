import Domain
import Reconciliation
import Testing

@Suite("A defect in clean traffic")
struct DefectTests {
    private static let pairs: [(Defect, Defect)] = Defect.allCases.flatMap { first in
        Defect.allCases.prefix { $0 != first }.map { ($0, first) }
    }

    @Test("is exactly one break, of its type", arguments: Defect.allCases)
    func one(defect: Defect) async throws {
        var traffic = try Traffic(seed: 31, payments: 200)
        try traffic.payOut()
        try traffic.plant(defect)
        let result = try await traffic.inputs.reconcile()
        #expect(result.types == [defect.type])
        #expect(result.accountsForEveryLine)
        #expect(result.summary.breaks == [defect.type: 1])
        let finding = try #require(result.breaks.first)
        #expect(finding.explanation.hasSuffix(".") && finding.suggestion.hasSuffix("."))
        #expect(finding.key.hasPrefix(defect.type.rawValue + "/"))
    }

    @Test("hides no other, and adds none", arguments: pairs)
    func two(first: Defect, second: Defect) async throws {
        var traffic = try Traffic(seed: 32, payments: 200)
        try traffic.payOut()
        try traffic.plant(first)
        try traffic.plant(second)
        let result = try await traffic.inputs.reconcile()
        #expect(result.accountsForEveryLine)
        let types = [first.type, second.type].sorted { $0.rawValue < $1.rawValue }
        guard types == [.batchSumMismatch, .unparseableRow] else { return #expect(result.types == types) }
        #expect(result.types == [.unparseableRow], "what a batch lacks may be the row that cannot be read")
        #expect(result.summary.batchesUnreadable == 2)
    }

    @Test("of every type but an unreadable row is found among all the others")
    func all() async throws {
        var traffic = try Traffic(seed: 33, payments: 400)
        try traffic.payOut()
        let defects = Defect.allCases.filter { $0 != .unparseableRow }
        for defect in defects { try traffic.plant(defect) }
        let result = try await traffic.inputs.reconcile()
        #expect(result.types == defects.map(\.type).sorted { $0.rawValue < $1.rawValue })
        #expect(Set(result.types) == Set(BreakType.allCases).subtracting([.unparseableRow]))
        #expect(Set(result.breaks.map(\.key)).count == result.breaks.count)
        #expect(result.accountsForEveryLine)
    }
}
