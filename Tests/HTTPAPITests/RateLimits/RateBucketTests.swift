import Testing

@testable import HTTPAPI

@Suite("A bucket of requests")
struct RateBucketTests {
    private static let second: Int64 = 1_000_000_000

    @Test("gives as many at once as may come, and then one by one as they come back")
    func takes() {
        let limit = RateLimits.Limit(perSecond: 2, burst: 3)
        var bucket = RateBucket()
        let half = Self.second / 2
        let begin = 10 * Self.second
        // Each with its moment, whether it is answered, what is left then, and how long the next has to wait.
        let table: [(Int64, Bool, Int64, Int64)] = [
            (0, true, 2, 0), (0, true, 1, 0), (0, true, 0, half), (0, false, 0, half), (half - 1, false, 0, 1),
            (half, true, 0, half), (2 * half, true, 0, half), (4 * half, true, 1, 0), (100 * half, true, 2, 0),
        ]
        for (moment, isAdmitted, remaining, wait) in table {
            let verdict = bucket.take(limit, at: begin + moment)
            #expect(verdict.isAdmitted == isAdmitted, "\(moment)")
            #expect(verdict.remaining == remaining, "\(moment)")
            #expect(verdict.wait == wait, "\(moment)")
        }
    }

    @Test(
        "is an instance's share of what all may",
        arguments: [(1000, 2000, 1, 1_000_000, 2000), (1000, 2000, 4, 4_000_000, 500), (1, 1, 10, 10_000_000_000, 1)]
    )
    func share(perSecond: Int, burst: Int, instances: Int, interval: Int64, share: Int64) {
        let limit = RateLimits.Limit(perSecond: perSecond, burst: burst, instances: instances)
        #expect((limit.interval, limit.burst) == (interval, share))
    }

    @Test("is forgotten first by a full book if it is full, and then if it is fuller than others")
    func forgets() {
        let limit = RateLimits.Limit(perSecond: 1, burst: 10)
        var book = RateBook<Int>(limit, room: 4)
        for _ in 0..<10 { #expect(book.take(0, at: 0).isAdmitted) }
        for _ in 0..<5 { _ = book.take(1, at: 0) }
        for name in [2, 3] { _ = book.take(name, at: 0) }
        #expect(book.count == 4)
        _ = book.take(4, at: 0)
        #expect(book.count == 3)
        // The one that has used up everything is not forgotten for others who come.
        for name in 5..<1000 {
            _ = book.take(name, at: 0)
            #expect(book.count <= 4)
        }
        #expect(!book.take(0, at: 0).isAdmitted)
        for name in 1000..<1004 { _ = book.take(name, at: 60 * Self.second) }
        #expect(book.take(0, at: 60 * Self.second).remaining == 9)
    }
}
