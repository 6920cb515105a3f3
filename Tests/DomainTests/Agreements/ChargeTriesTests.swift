import Domain
import Testing

@Suite("Agreements: when a declined charge may be tried again")
struct ChargeTriesTests {
    @Test("without advice, tries are 1, 3, 5 and then 7 days apart")
    func ladder() {
        var (tries, now) = (ChargeTries(), TestAgreement.start)
        for days: Int64 in [1, 3, 5, 7, 7] {
            tries.decline(TestAgreement.decline(.insufficientFunds), at: now)
            let next = now.adding(milliseconds: days * TestAgreement.day)
            #expect(tries.verdict(at: next.adding(milliseconds: -1)) == .notBefore(next))
            #expect(tries.verdict(at: next) == .allowed)
            now = next
        }
        tries.approve(placedAt: now)
        #expect(tries.verdict(at: now) == .allowed)
        #expect(!tries.hasOpenDecline)
    }

    @Test(
        "what a decline says goes before the ladder",
        arguments: [
            (Decline.RetryAdvice.after(milliseconds: 3_600_000), ChargeTries.Verdict?.none), (.never, .forbidden),
            (.revoked, .forbidden),
        ]
    )
    func advice(advice: Decline.RetryAdvice, verdict: ChargeTries.Verdict?) {
        var tries = ChargeTries()
        tries.decline(TestAgreement.decline(.insufficientFunds, advice), at: TestAgreement.start)
        let hour = TestAgreement.start.adding(milliseconds: 3_600_000)
        #expect(tries.verdict(at: TestAgreement.start) == verdict ?? .notBefore(hour))
        #expect(tries.verdict(at: hour) == verdict ?? .allowed)
        #expect(tries.verdict(at: TestAgreement.day(400)) == verdict ?? .allowed)
    }

    @Test("without advice, only what may pass by itself is tried again", arguments: Decline.Category.allCases)
    func categories(category: Decline.Category) {
        var tries = ChargeTries()
        tries.decline(TestAgreement.decline(category), at: TestAgreement.start)
        let passing: Set<Decline.Category> = [
            .insufficientFunds, .limitExceeded, .temporary, .partialApproval, .generic,
        ]
        #expect(tries.verdict(at: TestAgreement.day(1)) == (passing.contains(category) ? .allowed : .forbidden))
    }

    @Test("after fifteen declines within thirty days, the next waits until the first of them is thirty days old")
    func limit() {
        var tries = ChargeTries()
        for day: Int64 in 0..<15 {
            #expect(tries.verdict(at: TestAgreement.day(day)) == .allowed)
            tries.decline(
                TestAgreement.decline(.temporary, .after(milliseconds: 0)),
                at: TestAgreement.day(day)
            )
        }
        #expect(tries.verdict(at: TestAgreement.day(15)) == .tooMany(until: TestAgreement.day(30)))
        #expect(tries.verdict(at: TestAgreement.day(30)) == .allowed)
        tries.approve(placedAt: TestAgreement.day(15))
        // They count all the same: an approval in between gives no new tries.
        #expect(tries.verdict(at: TestAgreement.day(15)) == .tooMany(until: TestAgreement.day(30)))
    }

    @Test("no decline shortens the time that an earlier one has named")
    func longestWait() {
        var tries = ChargeTries()
        let month = Decline.RetryAdvice.after(milliseconds: 30 * TestAgreement.day)
        tries.decline(TestAgreement.decline(.insufficientFunds, month), at: TestAgreement.start)
        tries.decline(TestAgreement.decline(.insufficientFunds), at: TestAgreement.day(1))
        tries.decline(TestAgreement.decline(.temporary, .after(milliseconds: 0)), at: TestAgreement.day(2))
        #expect(tries.verdict(at: TestAgreement.day(4)) == .notBefore(TestAgreement.day(30)))
        #expect(tries.verdict(at: TestAgreement.day(30)) == .allowed)
    }

    @Test("a named time that is later than the end of too many tries goes before it")
    func waitBehindLimit() {
        var tries = ChargeTries()
        for day: Int64 in 0..<15 {
            let span = (day == 14 ? 60 : 0) * TestAgreement.day
            tries.decline(TestAgreement.decline(.temporary, .after(milliseconds: span)), at: TestAgreement.day(day))
        }
        #expect(tries.verdict(at: TestAgreement.day(15)) == .notBefore(TestAgreement.day(74)))
    }

    @Test("an approval of a charge that was placed before a decline lifts nothing of what that said")
    func lateApproval() {
        var tries = ChargeTries()
        tries.decline(TestAgreement.decline(.lostOrStolen, .never), at: TestAgreement.day(1))
        tries.approve(placedAt: TestAgreement.start)
        #expect(tries.verdict(at: TestAgreement.day(2)) == .forbidden)
        #expect(tries.hasOpenDecline)
        tries.approve(placedAt: TestAgreement.day(2))
        #expect(tries.verdict(at: TestAgreement.day(2)) == .allowed)
    }

    @Test("another card behind the agreement may be tried at once")
    func replacement() throws {
        var agreement = try TestAgreement.active()
        _ = agreement.apply(.chargeDeclined(TestAgreement.decline(.expiredCard)), at: TestAgreement.start)
        #expect(agreement.tries.verdict(at: TestAgreement.day(9)) == .forbidden)
        _ = agreement.apply(.methodKept(TestAgreement.method(2)), at: TestAgreement.start)
        #expect(agreement.tries.verdict(at: TestAgreement.start) == .allowed)
    }
}
