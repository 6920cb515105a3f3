import AdapterKit
import Domain
import SeededRandom
import Testing
import TributaryTestKit

@Suite("Settlement reports that were changed", .timeLimit(.minutes(60)))
struct SettlementFuzzTests {
    @Test("are read or refused, the same in whatever pieces they come", arguments: SettlementFormat.all)
    func reports(format: SettlementFormat) throws {
        let fuzzing = Fuzzing("report \(format.file)", corpus: [try format.bytes])
        let broken = try fuzzing.run { document, random in
            _ = format.report.recognises(Array(document.prefix(16_384)))
            let whole = Self.reading(format, document, piece: .max)
            let pieces = Self.reading(format, document, piece: 1 + random.below(300))
            guard whole == pieces else { return .broken("reads otherwise in pieces") }
            switch whole {
            case .success: return .taken
            case .failure(let problem): return .refused(String("\(problem)".prefix(24)))
            }
        }
        #expect(broken == nil)
    }

    private static func reading(
        _ format: SettlementFormat,
        _ document: [UInt8],
        piece: Int
    ) -> Result<SettlementReading, SettlementProblem> {
        do throws(SettlementProblem) {
            return .success(try SettlementReading(format.report, document, piece: piece))
        } catch {
            return .failure(error)
        }
    }
}
