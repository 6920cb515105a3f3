import Domain
import Testing

@Suite("A series of payouts")
struct PayoutSeriesTests {
    private static func series(coveredTo microseconds: Int64) -> PayoutSeries {
        PayoutSeries(number: 2, coveredTo: Timestamp(microseconds: microseconds), closing: 0)
    }

    @Test(
        "posts a payout at a whole millisecond, later than the one before",
        arguments: [
            (0, 5_000_999, 5_000_000), (4_999_000, 5_000_000, 5_000_000), (5_000_000, 5_000_999, 5_001_000),
            (5_000_000, 5_001_000, 5_001_000), (9_000_000, 5_000_000, 9_001_000),
        ] as [(Int64, Int64, Int64)]
    )
    func recording(covered: Int64, now: Int64, posted: Int64) {
        let time = Self.series(coveredTo: covered).recordingTime(at: Timestamp(microseconds: now))
        #expect(time.microseconds == posted)
    }

    @Test(
        "posts a failure not before what was told",
        arguments: [(5_000_000, 5_000_999, 5_000_999), (5_000_000, 4_999_999, 5_000_000)] as [(Int64, Int64, Int64)]
    )
    func failing(covered: Int64, now: Int64, posted: Int64) {
        let time = Self.series(coveredTo: covered).failureTime(at: Timestamp(microseconds: now))
        #expect(time.microseconds == posted)
    }
}
