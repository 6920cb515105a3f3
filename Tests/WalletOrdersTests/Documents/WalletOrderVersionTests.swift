import Domain
import Testing
import WalletOrders

@Suite("Versions of a Wallet order")
struct WalletOrderVersionTests {
    /// 2026-03-01T12:00:00Z.
    static let noon = Timestamp(seconds: 1_772_366_400)

    @Test("The first version is made now, in whole seconds")
    func first() {
        let now = Self.noon.adding(milliseconds: 999)
        #expect(WalletOrderVersion.nextUpdate(after: nil, now: now) == Self.noon)
    }

    @Test(
        "Every later version is at least a whole second after the last, whatever the clock shows",
        arguments: [(0, 1000), (400, 1000), (999, 1000), (1000, 1000), (1999, 1000), (2000, 2000), (-86_400_000, 1000)]
    )
    func later(millisecondsPassed: Int64, expected: Int64) {
        let next = WalletOrderVersion.nextUpdate(
            after: Self.noon,
            now: Self.noon.adding(milliseconds: millisecondsPassed)
        )
        #expect(next == Self.noon.adding(milliseconds: expected))
    }

    @Test("Of a hundred versions within one second, each is a second later than the one before")
    func storm() {
        var last: Timestamp?
        for number in 0..<100 {
            let next = WalletOrderVersion.nextUpdate(after: last, now: Self.noon.adding(milliseconds: Int64(number)))
            if let last { #expect(next.milliseconds(since: last) == 1000) }
            last = next
        }
    }

    @Test("Before 1970 whole seconds are rounded down too")
    func beforeTheEpoch() {
        #expect(Timestamp(microseconds: -1).inWholeSeconds == Timestamp(microseconds: -1_000_000))
    }
}
