import Callbacks
import Domain
import Testing

@Suite("The retry schedule")
struct RetryScheduleTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    @Test("has the recommended steps, each lengthened by a tenth at most, and an end")
    func steps() {
        let seconds: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
        var random = SystemRandomNumberGenerator()
        for (index, pause) in seconds.enumerated() {
            for _ in 0..<50 {
                let next = RetrySchedule.next(afterFailures: Int64(index + 1), at: Self.now, using: &random)
                let wait = next?.milliseconds(since: Self.now) ?? -1
                #expect((pause * 1000...pause * 1100).contains(wait), "\(index): \(wait)")
            }
        }
        for failures: Int64 in [10, 11, .max] {
            #expect(RetrySchedule.next(afterFailures: failures, at: Self.now, using: &random) == nil)
        }
        #expect(RetrySchedule.wholeMilliseconds == 272_105_000)
    }

    @Test("scatters what failed together")
    func jitter() {
        var random = SystemRandomNumberGenerator()
        let moments = (0..<200).map { _ in RetrySchedule.next(afterFailures: 9, at: Self.now, using: &random) }
        #expect(Set(moments).count > 10)
    }

    @Test("lets an endpoint be tried at least as often as a callback alone wants it")
    func probes() {
        var random = SystemRandomNumberGenerator()
        for (failures, seconds): (Int64, Int64) in [(1, 5), (2, 300), (3, 300), (1_000_000, 300)] {
            let wait = RetrySchedule.probe(afterFailures: failures, at: Self.now, using: &random)
                .milliseconds(since: Self.now)
            #expect((seconds * 1000...seconds * 1100).contains(wait), "\(failures): \(wait)")
        }
    }
}
