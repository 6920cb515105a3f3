import AdapterKit
import Domain
import Foundation
import StatementFiles
import Testing

@Suite("A long bank's file", .serialized)
struct VolumeTests {
    /// `TRIBUTARY_TEST_STATEMENT_ENTRIES` asks for more; from 100,000 on memory is looked at too.
    ///
    /// 200,000 entries are about 200 MB of camt.053, and 1,600,000 as many of MT940.
    private static let entries =
        ProcessInfo.processInfo.environment["TRIBUTARY_TEST_STATEMENT_ENTRIES"].flatMap { Int($0) } ?? 1_000

    /// The resident memory in kB, as the kernel counts it.
    private static func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    @Test("is read in memory that does not grow with it, to the last cent", arguments: LongStatement.allCases)
    func constantMemory(_ statement: LongStatement) throws {
        var reader = statement.reader
        var found = 0
        var early = 0
        let count = { (items: [BankItem]) in items.count { if case .entry = $0 { true } else { false } } }
        found += count(try reader.read(statement.start[...]))
        for first in stride(from: 0, to: Self.entries, by: 100) {
            let rows = first..<min(first + 100, Self.entries)
            found += count(try reader.read(statement.entries(rows)[...]))
            if first < 20_000 { early = try Self.residentKilobytes() }
        }
        found += count(try reader.read(statement.end(Self.entries)[...]))
        let (items, trailer) = try reader.finish()
        #expect(found + count(items) == Self.entries && trailer.rows == Self.entries && trailer.unusableCount == 0)
        let sum = try #require(trailer.booked.first)
        #expect(sum.credits.minorUnits == LongStatement.credits(Self.entries))
        #expect(sum.debits.minorUnits == -LongStatement.debits(Self.entries))
        #expect(trailer.disagreementCount == 0)
        guard Self.entries >= 100_000 else { return }
        #expect(try Self.residentKilobytes() - early < 16_384)
    }
}
