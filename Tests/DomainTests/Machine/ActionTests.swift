import Domain
import Testing

@Suite("Buyers' steps")
struct ActionTests {
    /// Whether the order wants to look at the clock now.
    private static func wantsALook(_ story: Story) -> Bool {
        OrderMachine.wakeAt(of: story.order, at: story.now, story.rules).map { $0 <= story.now } ?? false
    }

    @Test("that are done in time lead on") func leadOn() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .buyerHasToAct())
        #expect(story.states == [.requiresAction])
        story.approve(0)
        #expect(story.order.decision.state == .cleared)
    }

    @Test("that are not done in time are called off at the PSP although nothing is authorized")
    func areCalledOff() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        #expect(story.wake == 60_000)
        story.wait(milliseconds: 59_999)
        #expect(story.count(.void) == 0)
        story.wait(milliseconds: 1)
        #expect(story.last(.void, 1)?.leases == 1)
        #expect(story.told("payment.action_expired") == 1)
        #expect(story.order.decision == .pending)
        try story.succeed(.void, 1)
        #expect(story.states[1] == .declined)
        #expect(story.told("payment.declined") == 1)
        guard case .declined(let decline) = story.order.payments[1].attempt.authorization.state else {
            Issue.record("the authorization is not declined")
            return
        }
        #expect(decline.category == .actionExpired)
        #expect(story.order.decision.state == .cleared)
    }

    @Test("get ten minutes if the PSP names no end, and hearing of them again does not move it")
    func haveAnEnd() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .buyerHasToAct())
        #expect(story.wake == 600_000)
        for _ in 0..<5 {
            story.sleep(milliseconds: 100_000)
            story.authorize(0, .buyerHasToAct())
            #expect(story.wake == 600_000)
        }
        story.wait(milliseconds: 100_000)
        #expect(story.count(.void) == 1)
    }

    @Test("have the end that the PSP names, also if it names another one later")
    func takeThePSPsEnd() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.authorize(0, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 90_000)))
        #expect(story.wake == 90_000)
    }

    @Test("whose cancel is refused are called off again after a pause, not at once")
    func areCalledOffAgain() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.wait(milliseconds: 60_000)
        try story.answer(.void, 1, .refusedByPSP(.configuration))
        story.wait(milliseconds: 0)
        #expect(story.last(.void, 1)?.retries == 1)
        #expect(story.last(.void, 1)?.dueAt == story.now.adding(milliseconds: 1000))
        story.wait(milliseconds: 0)
        #expect(story.count(.void) == 1 && story.last(.void, 1)?.retries == 1)
        #expect(story.told("payment.action_expired") == 1)
    }

    @Test("whose cancel is refused for good rest with a person: no clock is looked at for them any more")
    func restWithAPerson() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.wait(milliseconds: 60_000)
        while let void = story.order.payments[1].attempt.openOperations.last {
            story.sleep(milliseconds: 3_600_000)
            if void.leasedBy == nil { _ = story.claim(void.id) }
            try story.answer(.void, 1, .refusedByPSP(.configuration))
            if Self.wantsALook(story) { story.wait(milliseconds: 0) }
        }
        #expect(story.reasons == [.compensationRefused] && story.last(.void, 1)?.retries == 9)
        #expect(!Self.wantsALook(story))
        let stored = story.order
        story.wait(milliseconds: 0)
        #expect(story.order == stored)
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        try story.succeed(.void, 1)
        #expect(story.states[1] == .declined && story.reasons == [])
    }

    @Test("are over where the PSP took the money and never said that they were done: nothing is given back")
    func takenUnsaid() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        let isHeard = story.notice(0, .outcome(.capture, .approved(300, "cap_1")), object: "cap_1")
        #expect(isHeard && story.order.status == .paid)
        story.wait(milliseconds: 60_000)
        #expect(story.order.status == .paid && story.count(.refund) + story.count(.void) == 0)
        #expect(story.told("payment.action_expired") == 0 && !Self.wantsALook(story))
    }

    @Test(
        "whose cancel was refused for good are called off once more when a person asks for it, while the order waits for others"
    )
    func retriedWhileItWaits() throws {
        let day: Int64 = 86_400_000
        var story = try Story(Checkout(policy: .bestEffort, onDeadline: .continue, decideByMilliseconds: day))
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.wait(milliseconds: 60_000)
        while let void = story.order.payments[1].attempt.openOperations.last {
            story.sleep(milliseconds: 3_600_000)
            if void.leasedBy == nil { _ = story.claim(void.id) }
            try story.answer(.void, 1, .refusedByPSP(.configuration))
            if Self.wantsALook(story) { story.wait(milliseconds: 0) }
        }
        #expect(story.order.decision == .pending && story.reasons == [.compensationRefused])
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        try story.succeed(.void, 1)
        #expect(story.states[1] == .declined && story.reasons == [])
    }

    @Test(
        "done at the last moment count though the cancel waits to be sent once more: that is taken back",
        arguments: [false, true]
    )
    func takeBackTheCancel(isCaptured: Bool) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.wait(milliseconds: 60_000)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        story.wait(milliseconds: 0)
        #expect(story.last(.void, 0)?.isOpen == true)
        story.sleep(milliseconds: 100)
        if isCaptured {
            let isHeard = story.notice(0, .outcome(.capture, .approved(300, "cap_1")), object: "cap_1")
            #expect(isHeard && story.order.status == .paid)
        } else {
            story.approve(0)
            #expect(story.order.decision.state == .cleared && story.last(.capture, 0)?.isOpen == true)
        }
        #expect(story.last(.void, 0)?.state.name == "not_sent" && story.reasons == [])
        story.wait(milliseconds: 3_600_000)
        #expect(story.count(.void) == 1 && story.count(.refund) == 0)
    }

    @Test(
        "done after all leave a later release all of its tries, however often their cancel was refused",
        arguments: [9, 10]
    )
    func releasedLater(refusals: Int) throws {
        let day: Int64 = 86_400_000
        let checkout = Checkout(
            amounts: [300],
            capture: .manual,
            onDeadline: .continue,
            decideByMilliseconds: day
        )
        var story = try Story(checkout)
        story.authorize(0, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.wait(milliseconds: 60_000)
        for _ in 0..<refusals {
            let void = try #require(story.last(.void, 0))
            if void.leasedBy == nil { _ = story.claim(void.id) }
            try story.answer(.void, 0, .refusedByPSP(.configuration))
            story.wait(milliseconds: 0)
            story.sleep(milliseconds: 3_600_000)
        }
        let cancel = try #require(story.last(.void, 0))
        story.approve(0)
        #expect(story.order.status == .authorized && story.reasons == [] && !cancel.isOpen == (refusals == 10))
        let told = story.told("order.attention_required")
        story.wait(milliseconds: 0)
        #expect(story.told("order.attention_required") == told && story.order.payments[0].held == 300)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let release = try #require(story.last(.void, 0))
        #expect(release.id != cancel.id && release.leasedBy == "one" && release.sendings == 1)
        try story.succeed(.void, 0)
        #expect(story.order.status == .canceled && story.reasons == [])
    }

    @Test("done after all are not called off because of a capture that failed before") func captureFailedBefore() throws
    {
        var story = try Story(Checkout(policy: .bestEffort, onDeadline: .continue))
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        for happening in [.outcome(.capture, .approved(200, "cap_1")), .reversed(.capture, .later)]
            as [Notice.Happening]
        {
            story.sleep(milliseconds: 10_000)
            let isHeard = story.notice(1, happening, object: "cap_1")
            #expect(isHeard)
        }
        story.wait(milliseconds: 40_000)
        try story.answer(.void, 1, .refusedByPSP(.configuration))
        story.wait(milliseconds: 0)
        #expect(story.last(.void, 1)?.isOpen == true)
        story.sleep(milliseconds: 500)
        story.approve(1)
        #expect(story.last(.void, 1)?.state.name == "not_sent")
    }

    @Test("done at the last moment count if the cancel is refused")
    func countIfTheCancelFails() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 60_000)))
        story.wait(milliseconds: 60_000)
        try story.answer(.void, 0, .timedOut)
        story.authorize(0, .timedOut)
        #expect(story.order.status == .requiresAction)
        try story.answer(.void, 0, .refusedByPSP(.unsupported))
        #expect(story.reasons == [.compensationRefused])
        story.sleep(milliseconds: 100)
        story.approve(0)
        #expect(story.order.decision.state == .cleared && story.reasons == [])
    }

    @Test("are called off when the order is refused for another reason")
    func areCalledOffOnRefusal() throws {
        var story = try Story()
        story.authorize(0, .buyerHasToAct())
        story.decline(1)
        #expect(story.order.decision.state == .refused)
        #expect(story.count(.void) == 1)
        #expect(story.order.status == .compensating)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed)
    }

    @Test("done after all, heard of only after their cancel, are neither held nor lost, and nobody has to look")
    func surfaceAfterTheirCancel() throws {
        var story = try Story()
        story.authorize(0, .buyerHasToAct())
        story.decline(1)
        try story.succeed(.void, 0)
        story.approve(0)
        #expect(story.order.payments[0].authorized == 300)
        #expect(story.order.payments[0].held == 0)
        #expect(story.order.attention.isEmpty)
        #expect(story.order.status == .failed)
        #expect(story.books.entries.map(\.kind) == [.authorization, .release])
        #expect(story.books.balances.isEmpty)
    }

    @Test("captured after all, heard of only after their cancel, are refunded")
    func surfaceCapturedAfterTheirCancel() throws {
        var story = try Story()
        story.authorize(0, .buyerHasToAct())
        story.decline(1)
        try story.succeed(.void, 0)
        story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 300, capturedAmount: 300)))
        #expect(story.order.captured == 300)
        #expect(story.order.status == .compensating)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("are answered together: not while another payment may still need one, until the deadline")
    func areAnsweredTogether() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .buyerHasToAct())
        #expect(story.order.status == .requiresAction)
        #expect(!story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        #expect(story.wake == 20_000)
        story.authorize(1, .buyerHasToAct())
        #expect(story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        #expect(story.wake == 600_000)
        var late = try Story(Checkout(policy: .bestEffort))
        late.authorize(0, .buyerHasToAct())
        late.wait(milliseconds: 19_999)
        #expect(!late.order.isAnswerable(at: late.now, graceMilliseconds: 2000))
        late.wait(milliseconds: 1)
        #expect(late.order.decision == .pending)
        #expect(late.order.isAnswerable(at: late.now, graceMilliseconds: 2000))
        var doubtful = try Story(Checkout(policy: .bestEffort))
        doubtful.authorize(0, .buyerHasToAct())
        doubtful.authorize(1, .timedOut)
        #expect(doubtful.order.isAnswerable(at: doubtful.now, graceMilliseconds: 2000))
    }

    @Test("are told in the order to take them: what the policy needs first, then the greater amounts")
    func areInOrder() throws {
        func steps(_ policy: Policy) throws -> [(name: String, isNeeded: Bool)] {
            var story = try Story(Checkout(amounts: [100, 300, 200, 300], policy: policy))
            for index in 0..<4 { story.authorize(index, .buyerHasToAct()) }
            return story.order.awaitedActions.map { ($0.payment.externalIdentifier, $0.isNeeded) }
        }
        let required = try steps(.required([Checkout.name(2)]))
        #expect(required.map(\.name) == ["m2", "m1", "m3", "m0"])
        #expect(required.map(\.isNeeded) == [true, false, false, false])
        let all = try steps(.allOrNothing)
        #expect(all.map(\.name) == ["m1", "m3", "m2", "m0"] && all.allSatisfy(\.isNeeded))
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .buyerHasToAct())
        story.authorize(1, .buyerHasToAct())
        let id = story.order.payments[0].id
        try story.request { (it) throws(RequestRefusal) in try it.cancel([id]) { _ in Story.anyAbility } }
        #expect(story.order.awaitedActions.map(\.payment.externalIdentifier) == ["m1"])
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        #expect(story.order.awaitedActions.isEmpty)
    }
}
