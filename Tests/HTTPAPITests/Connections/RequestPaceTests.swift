import Testing

@testable import HTTPAPI

@Suite("The pace of a request")
struct RequestPaceTests {
    private static let limits = ConnectionLimits(
        headMilliseconds: 10_000,
        bodyMilliseconds: 30_000,
        graceMilliseconds: 5000,
        bodyBytesPerSecond: 1000
    )

    private static func pace(_ owed: RequestPace.Owed) -> RequestPace {
        var pace = RequestPace(limits)
        pace.listen(at: 0)
        pace.begin(owed, at: 0)
        return pace
    }

    @Test("gives a head its time, however many bytes of it come")
    func head() {
        var pace = Self.pace(.head)
        pace.receive(9000)
        #expect(pace.left(at: 0) == 10_000)
        #expect(pace.left(at: 9999) == 1)
        #expect(pace.left(at: 10_000) == 0)
    }

    @Test(
        "earns a body time by its bytes, up to what a body may take",
        arguments: [(0, 5000), (1, 5001), (1000, 6000), (24_999, 29_999), (25_000, 30_000), (9_000_000, 30_000)]
    )
    func body(_ bytes: Int, _ time: Int64) {
        var pace = Self.pace(.body)
        pace.receive(bytes)
        #expect(pace.left(at: 0) == time)
        #expect(pace.left(at: time) == 0)
    }

    @Test("stands still while nobody asks for bytes")
    func paused() {
        var pace = Self.pace(.body)
        pace.pause(at: 4000)
        #expect(pace.left(at: 60_000) == nil)
        pace.listen(at: 60_000)
        #expect(pace.left(at: 60_999) == 1)
        pace.listen(at: 60_500)
        #expect(pace.left(at: 60_999) == 1)
    }

    @Test("begins anew with what is owed next, and ends with the request")
    func next() {
        var pace = Self.pace(.head)
        pace.receive(500)
        pace.begin(.body, at: 7000)
        #expect(pace.bytes == 0)
        #expect(pace.left(at: 7000) == 5000)
        pace.begin(.nothing, at: 8000)
        #expect(pace.left(at: 90_000) == nil)
    }
}
