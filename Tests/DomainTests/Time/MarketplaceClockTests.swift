import Domain
import SeededRandom
import Testing

@Suite("A marketplace's clock")
struct MarketplaceClockTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let day: Int64 = 86_400_000

    @Test("of a live marketplace shows the real time, and is not moved")
    func live() {
        let clock = MarketplaceClock.live
        #expect(clock.mode == .live && clock.time(at: Self.now) == Self.now && clock.realTime(of: Self.now) == Self.now)
        #expect(throws: TestClockRefusal.liveMarketplace) { try clock.advanced(bySeconds: 1, at: Self.now) }
    }

    @Test("of a test marketplace shows the real time until it is moved, and then goes on from there")
    func moved() throws {
        let clock = try MarketplaceClock.unmoved.advanced(bySeconds: 86_400, at: Self.now)
        #expect(clock.mode == .test)
        #expect(MarketplaceClock.unmoved.time(at: Self.now) == Self.now)
        #expect(clock.time(at: Self.now) == Self.now.adding(milliseconds: Self.day))
        let later = Self.now.adding(milliseconds: 500)
        #expect(clock.time(at: later) == later.adding(milliseconds: Self.day))
        #expect(clock.realTime(of: clock.time(at: later)) == later)
        let again = try clock.advanced(to: Self.now.adding(milliseconds: 3 * Self.day), at: Self.now)
        #expect(again.aheadMicroseconds == 3 * Self.day * 1000)
        #expect(clock.later(of: again) == again && again.later(of: clock) == again)
    }

    @Test("is never moved backwards", arguments: [-1, -86_400_001] as [Int64])
    func backwards(_ milliseconds: Int64) throws {
        let clock = try MarketplaceClock.unmoved.advanced(bySeconds: 86_400, at: Self.now)
        let shown = clock.time(at: Self.now)
        #expect(throws: TestClockRefusal.backwards(shown)) {
            try clock.advanced(to: shown.adding(milliseconds: milliseconds), at: Self.now)
        }
    }

    @Test("is at most ten years ahead, however far it is asked to go", arguments: [315_360_001, .max] as [Int64])
    func tooFar(_ seconds: Int64) throws {
        let last = Self.now.adding(milliseconds: MarketplaceClock.limitSeconds * 1000)
        let furthest = try MarketplaceClock.unmoved.advanced(bySeconds: MarketplaceClock.limitSeconds, at: Self.now)
        #expect(furthest.time(at: Self.now) == last)
        #expect(throws: TestClockRefusal.tooFar(last)) {
            try MarketplaceClock.unmoved.advanced(bySeconds: seconds, at: Self.now)
        }
    }

    @Test("takes what is in somebody's hand along, so that its lease and its age stay real")
    func leased() throws {
        let story = try Story()
        let before = story.order.payments[0].attempt.authorization
        #expect(before.leasedBy != nil && before.isOpen)
        let start = MarketplaceClock(aheadMicroseconds: story.order.clock.aheadMicroseconds ?? 0)
        let clock = try start.advanced(bySeconds: 86_400, at: story.now)
        let order = story.order.moved(to: clock)
        let after = order.payments[0].attempt.authorization
        #expect(order.clock == clock)
        #expect(after.dueAt == before.dueAt?.adding(milliseconds: Self.day))
        #expect(after.sentAt == before.sentAt?.adding(milliseconds: Self.day))
        #expect(after.skippedMicroseconds == Self.day * 1000)
        #expect(after.createdAt == before.createdAt && order.createdAt == story.order.createdAt)
        #expect(order.moved(to: start) == order)
    }

    @Test("leads to a step that is stored, though nothing else comes of it")
    func followed() throws {
        let story = try Story()
        let clock = try story.order.clock.advanced(bySeconds: 1, at: story.now)
        var machine = OrderMachine(
            story.order,
            at: clock.time(at: story.now),
            by: "one",
            rules: story.rules,
            ids: IdentifierSource(random: SeededRandom(seed: 7))
        )
        machine.follow(clock)
        let step = machine.finish()
        #expect(!step.isEmpty && step.order.clock == clock && step.order.version == story.order.version + 1)
    }
}
