import Domain
import Testing

@testable import Gateway

@Suite("How a PSP account does")
struct HealthTests {
    private static func at(_ milliseconds: Int64) -> Timestamp {
        Timestamp(microseconds: 1_800_000_000_000_000).adding(milliseconds: milliseconds)
    }

    /// How many of so many tries the budget has.
    private static func spend(_ count: Int, of budget: inout RetryBudget, at milliseconds: Int64) -> Int {
        var taken = 0
        for _ in 0..<count where budget.spend(at: at(milliseconds)) { taken += 1 }
        return taken
    }

    @Test("a breaker opens after failures in a row, and only those")
    func opening() {
        var breaker = CircuitBreaker(.init(failures: 3, pauseMilliseconds: 1000))
        for _ in 0..<5 {
            breaker.fail(at: Self.at(0))
            breaker.fail(at: Self.at(0))
            breaker.succeed()
        }
        let is1 = breaker.permits(at: Self.at(0))
        #expect(is1)
        for _ in 0..<3 { breaker.fail(at: Self.at(0)) }
        let is2 = breaker.permits(at: Self.at(0))
        #expect(!is2)
        let is3 = breaker.permits(at: Self.at(999))
        #expect(!is3)
    }

    @Test("an open breaker lets one through after its pause, whose success closes it")
    func probing() {
        var breaker = CircuitBreaker(.init(failures: 1, pauseMilliseconds: 1000))
        breaker.fail(at: Self.at(0))
        let is4 = breaker.permits(at: Self.at(1000))
        #expect(is4)
        let is5 = breaker.permits(at: Self.at(1000))
        #expect(!is5)
        breaker.fail(at: Self.at(1500))
        let is6 = breaker.permits(at: Self.at(2400))
        #expect(!is6)
        let is7 = breaker.permits(at: Self.at(2500))
        #expect(is7)
        breaker.succeed()
        let (first, second) = (breaker.permits(at: Self.at(2500)), breaker.permits(at: Self.at(2500)))
        #expect(first && second)
    }

    @Test("second tries are a share of first ones, and a trickle")
    func budget() {
        var budget = RetryBudget(.init(perCall: 0.5, perSecond: 2, most: 3))
        #expect(Self.spend(5, of: &budget, at: 0) == 3)
        budget.earn()
        let is8 = budget.spend(at: Self.at(0))
        #expect(!is8)
        budget.earn()
        let is9 = budget.spend(at: Self.at(0))
        #expect(is9)
        let is10 = budget.spend(at: Self.at(500))
        #expect(is10)
        let is11 = budget.spend(at: Self.at(900))
        #expect(!is11)
        #expect(Self.spend(4, of: &budget, at: 100_000) == 3)
    }

    @Test("accounts do not share their trouble")
    func apart() {
        let health = AccountHealth(.init(breaker: .init(failures: 1, pauseMilliseconds: 1000)))
        health.note("travel/sim-a", didAnswer: false, at: Self.at(0))
        #expect(health.obstacle(to: "travel/sim-a", at: Self.at(1)) != nil)
        #expect(health.obstacle(to: "travel/sim-b", at: Self.at(1)) == nil)
    }
}
