import Domain
import Testing

/// Authorizations in doubt at a PSP that cannot be asked, but releases by our reference.
@Suite("What may be held at a PSP that cannot be asked")
struct UndoneDoubtTests {
    /// An order of two that is refused while the first payment is in doubt.
    private static func refused() throws -> Story {
        var story = try Story()
        story.authorize(0, .timedOut)
        story.decline(1)
        #expect(story.order.decision.state == .refused)
        return story
    }

    /// A report that says of the first payment that all that is left is to release it.
    private static func despair(_ story: inout Story) {
        let authorization = story.order.payments[0].attempt.authorization.id
        story.step {
            $0.hear(Report(operation: authorization, outcome: .unknown(reason: "mute"), canOnlyBeUndone: true))
        }
    }

    @Test("is released once nobody wants it, and was approved if that succeeds")
    func isReleased() throws {
        var story = try Self.refused()
        Self.despair(&story)
        let void = try #require(story.last(.void, 0))
        #expect(void.amount == 300 && void.leasedBy == "one")
        #expect(story.order.status == .compensating)
        try story.succeed(.void, 0)
        #expect(story.states[0] == .voided)
        #expect(story.order.payments[0].authorized == 300 && story.order.payments[0].held == 0)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
        #expect(story.books.entries.map(\.kind) == [.authorization, .release])
        #expect(story.books.balances.isEmpty)
    }

    @Test("is released once only, however often its outcome is asked after")
    func once() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .inProgress)
        Self.despair(&story)
        #expect(story.count(.void) == 1)
    }

    @Test("stays in doubt, for a person, if the release is refused: nobody says that there was nothing")
    func refusal() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .refusedByPSP(.unsupported))
        Self.despair(&story)
        #expect(story.count(.void) == 1)
        #expect(story.order.status == .compensating)
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
        #expect(story.order.attention.first?.amountAtRisk == 300)
        let authorization = story.order.payments[0].attempt.authorization.id
        try story.request { (it) throws(RequestRefusal) in
            try it.resolve(authorization, .notSent, .init(evidence: "report", reason: "not there", by: "ada"))
        }
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
    }

    @Test("is released again by its name if it turns out to be held after a release was refused")
    func surfaces() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .refusedByPSP(.unsupported))
        story.approve(0)
        #expect(story.count(.void) == 1)
        #expect(story.last(.void, 0)?.retries == 1)
        story.sleep(milliseconds: 1000)
        let void = try #require(story.last(.void, 0))
        let isClaimed = story.claim(void.id)
        #expect(isClaimed)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("is not released while its order may still want it")
    func wanted() throws {
        var story = try Story()
        story.authorize(0, .timedOut)
        Self.despair(&story)
        #expect(story.count(.void) == 0)
        #expect(story.order.decision == .pending)
    }

    @Test("is refunded if it turns out to have been captured")
    func captured() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
        story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 300, capturedAmount: 300)))
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
        #expect(story.books.balances.isEmpty)
    }

    @Test("is released again after a pause if we had asked wrongly")
    func mistaken() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        Self.despair(&story)
        #expect(story.count(.void) == 1)
        #expect(story.last(.void, 0)?.retries == 1)
        #expect(story.last(.void, 0)?.dueAt == story.now.adding(milliseconds: 1000))
        Self.despair(&story)
        #expect(story.last(.void, 0)?.retries == 1)
    }

    @Test("needs nobody once the PSP says that it declined it, whatever it says of the release")
    func declined() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .inProgress)
        story.decline(0)
        #expect(story.states[0] == .declined)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
        try story.answer(.void, 0, .refusedByPSP(.unsupported))
        #expect(story.order.status == .failed)
        #expect(story.books.entries.isEmpty)
    }

    @Test("was approved if its release succeeds after it was said to be refused, or is made in the PSP's dashboard")
    func releasedAfterAll() throws {
        var story = try Self.refused()
        Self.despair(&story)
        try story.answer(.void, 0, .refusedByPSP(.unsupported))
        try story.succeed(.void, 0)
        #expect(story.states[0] == .voided)
        #expect(story.books.entries.map(\.kind) == [.authorization, .release])
        var other = try Self.refused()
        Self.despair(&other)
        try other.answer(.void, 0, .inProgress)
        let attempt = other.order.payments[0].attempt.id.text
        let success = Outcome.succeeded(Success(reference: "other", amount: 300))
        _ = other.hear(Notice(about: .init(attempt: attempt, object: "other"), .outcome(.void, success)))
        try other.succeed(.void, 0)
        #expect(other.states[0] == .voided)
        #expect(other.books.entries.map(\.kind) == [.authorization, .release])
        #expect(other.books.balances.isEmpty)
    }
}
