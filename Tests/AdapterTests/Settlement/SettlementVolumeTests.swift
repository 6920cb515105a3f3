import AdapterKit
import Domain
import Foundation
import StripeAdapter
import Testing

@Suite("A long settlement report")
struct SettlementVolumeTests {
    /// `TRIBUTARY_TEST_SETTLEMENT_ROWS` asks for more; from 200,000 on memory is looked at too.
    private static let rows =
        ProcessInfo.processInfo.environment["TRIBUTARY_TEST_SETTLEMENT_ROWS"].flatMap { Int($0) } ?? 2000

    private static let header =
        "balance_transaction_id,currency,gross,fee,net,reporting_category,source_id,payment_intent_id\n"

    /// The resident memory in kB, as the kernel counts it.
    private static func residentKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    @Test("is read in memory that does not grow with it, to the last cent")
    func constantMemory() throws {
        var report: any SettlementReport = TabularReport<StripePayoutTable>()
        var lines = try report.read(Array(Self.header.utf8)[...]).count
        var expected: Int64 = 0
        var early = 0
        for first in stride(from: 1, through: Self.rows, by: 500) {
            var chunk: [UInt8] = []
            for row in first..<min(first + 500, Self.rows + 1) {
                let cents = 100 + row % 99_900
                expected += Int64(cents) - 7
                let digits = { (value: Int) in "\(value / 100).\(String(100 + value % 100).dropFirst())" }
                chunk += Array(
                    "txn_\(row),usd,\(digits(cents)),0.07,\(digits(cents - 7)),charge,ch_\(row),pi_\(row)\n".utf8
                )
            }
            lines += try report.read(chunk[...]).count
            if first < 50_000 { early = try Self.residentKilobytes() }
        }
        let trailer = try report.finish()
        #expect(lines == Self.rows && trailer.rows == Self.rows && trailer.unusableCount == 0)
        #expect(trailer.sums.map(\.net.minorUnits) == [expected])
        #expect(trailer.sums.map(\.fee.minorUnits) == [Int64(Self.rows) * 7])
        guard Self.rows >= 200_000 else { return }
        #expect(try Self.residentKilobytes() - early < 16_384)
    }

    @Test("whose sum does not fit 64 bits is refused at its end, its lines being read")
    func sumOverflow() throws {
        let row = "txn_1,usd,92233720368547758.07,0.00,92233720368547758.07,charge,ch_1,pi_1\n"
        let file = Array((Self.header + row + row).utf8)
        var report: any SettlementReport = TabularReport<StripePayoutTable>()
        #expect(try report.read(file[...]).count == 2)
        let currency = try #require(Currency(code: "USD"))
        #expect(throws: SettlementProblem.sumOverflows(currency)) { try report.finish() }
        let one = try SettlementReading(TabularReport<StripePayoutTable>.self, file.dropLast(row.utf8.count))
        #expect(one.trailer.sums.first?.net.minorUnits == .max)
    }
}
