import Domain
import Testing

@Suite("Matching what PSPs say by themselves")
struct MatchingTests {
    private func subject(_ story: Story, object: String? = nil, payment: String? = nil) -> Notice.Subject {
        Notice.Subject(attempt: story.order.payments[0].attempt.id.text, payment: payment, object: object)
    }

    /// An order whose one capture is not known to have been done.
    private func inDoubt() throws -> Story {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .timedOut)
        return story
    }

    @Test("finds an operation by our name for it, whatever else the PSP calls it") func byOperation() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let capture = try #require(story.last(.capture, 0))
        let isMatched = story.hear(
            Notice(
                about: .init(operation: capture.id.text, object: "cap_1"),
                .outcome(.capture, .approved(300, "cap_1"))
            )
        )
        #expect(isMatched)
        #expect(story.order.status == .paid)
        #expect(story.last(.capture, 0)?.id == capture.id)
        #expect(story.last(.capture, 0)?.reference == "cap_1")
        #expect(story.facts.last?.origin == .psp)
    }

    @Test("finds an operation in doubt by our name for it, also where what it made was kept as the PSP's own")
    func byOperationLater() throws {
        var story = try inDoubt()
        let capture = try #require(story.last(.capture, 0)).id.text
        var subject = subject(story, object: "cap_1")
        for operation in [nil, capture] {
            subject.operation = operation
            subject.isOthers = operation == nil
            let isMatched = story.hear(Notice(about: subject, .outcome(.capture, .approved(300, "cap_1"))))
            #expect(isMatched && story.order.captured == 300)
        }
        let captures = story.order.payments[0].attempt.all(.capture)
        #expect(captures.first?.state == .succeeded && captures.first?.reference == "cap_1")
        #expect(captures.last?.state.name == "reversed" && story.reasons == [])
    }

    @Test("that repeats what failed since under the PSP's name takes it for no operation of ours")
    func failedSince() throws {
        var story = try inDoubt()
        let capture = try #require(story.last(.capture, 0)).id.text
        var subject = subject(story, object: "cap_1")
        subject.isOthers = true
        for happening in [.outcome(.capture, .approved(300, "cap_1")), .reversed(.capture, .later)]
            as [Notice.Happening]
        {
            let isMatched = story.hear(Notice(about: subject, happening))
            #expect(isMatched)
        }
        subject = Notice.Subject(operation: capture, object: "cap_1")
        let isMatched = story.hear(Notice(about: subject, .outcome(.capture, .approved(300, "cap_1"))))
        #expect(isMatched && story.order.captured == 0)
        #expect(story.order.payments[0].attempt.all(.capture).map(\.state.name) == ["unknown", "reversed"])
    }

    @Test("does not take an operation for another action, where the PSP copies names from the payment")
    func copiedNames()
        throws
    {
        var story = try Story.captured(Checkout(amounts: [300]))
        let authorization = story.order.payments[0].attempt.authorization.id.text
        let isMatched = story.hear(
            Notice(about: .init(operation: authorization, object: "re_9"), .outcome(.refund, .approved(100, "re_9")))
        )
        #expect(isMatched)
        #expect(story.order.refunded == 100)
        #expect(story.last(.refund, 0)?.origin == .psp)
    }

    @Test("finds a payment by our reference, by the PSP's name for it, and by the name of what was made of it")
    func byPayment() throws {
        for subject in [
            Notice.Subject(payment: "psp-0", object: "re_9"), Notice.Subject(payment: nil, object: "capture-0"),
        ] {
            var story = try Story.captured(Checkout(amounts: [300]))
            let dispute = DisputeNotice(state: .opened, amount: 10)
            let isMatched = story.hear(Notice(about: subject, .dispute(dispute)))
            #expect(isMatched)
            #expect(story.order.chargedBack == 10)
        }
    }

    @Test("leaves alone what is about another order") func strangers() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let before = story.order
        let other = try Story(Checkout(amounts: [1, 2, 3])).order.payments[2].attempt
        for subject in [
            Notice.Subject(attempt: other.id.text), .init(operation: other.authorization.id.text),
            .init(payment: "pi_other"), .init(object: "re_other"), .init(),
        ] {
            let isMatched = story.hear(Notice(about: subject, .outcome(.refund, .approved(10, "re_other"))))
            #expect(!isMatched)
        }
        #expect(story.order == before)
        #expect(story.facts.count == 2)
    }

    @Test("of an authorization folds like its answer, before it and after it") func authorizations() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let notice = Notice(about: subject(story, payment: "pi_1"), .outcome(.authorize, .approved(300, "pi_1")))
        for _ in 0..<3 {
            let isMatched = story.hear(notice)
            #expect(isMatched)
        }
        story.approve(0)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.payments[0].attempt.pspReference == "pi_1")
        #expect(story.books.entries.count == 1)
    }

    @Test("that comes before the answer to a refund of ours waits for it, and is applied once") func waitsForAnswers()
        throws
    {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        let notice = Notice(about: subject(story, object: "re_1"), .outcome(.refund, .approved(100, "re_1")))
        let isEarly = story.hear(notice)
        #expect(!isEarly)
        #expect(story.order.refunded == 0)
        try story.answer(.refund, 0, .approved(100, "re_1"))
        let isLate = story.hear(notice)
        #expect(isLate)
        #expect(story.order.refunded == 100)
        #expect(story.count(.refund) == 1)
    }

    @Test("settles an operation of ours of which only doubt is known, if the amounts agree") func settlesDoubts() throws
    {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        try story.answer(.refund, 0, .timedOut)
        let isOther = story.hear(
            Notice(about: subject(story, object: "re_8"), .outcome(.refund, .approved(20, "re_8")))
        )
        let isOurs = story.hear(
            Notice(about: subject(story, object: "re_1"), .outcome(.refund, .approved(100, "re_1")))
        )
        #expect(isOther && isOurs)
        #expect(story.order.refunded == 120)
        #expect(story.order.status(of: story.order.refunds[0]) == .succeeded)
        #expect(story.order.payments[0].attempt.all(.refund).map(\.origin) == [.gateway, .psp])
    }

    @Test(
        "takes nothing for ours that the PSP says is somebody else's, whatever is in doubt or on its way",
        arguments: [false, true]
    )
    func others(isInDoubt: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let ours = try #require(story.last(.capture, 0))
        if isInDoubt { story.report(.timedOut, of: ours.id) }
        var subject = subject(story, object: "evt_9")
        subject.isOthers = true
        let isMatched = story.hear(
            Notice(about: subject, .outcome(.capture, .approved(300, "evt_9"))),
            severalCaptures: true
        )
        #expect(isMatched && story.order.captured == 300)
        #expect(story.order.payments[0].attempt.all(.capture).map(\.origin) == [.gateway, .psp])
        story.report(.inProgress, of: ours.id)
        let hasFailed = story.hear(Notice(about: .init(operation: ours.id.text), .reversed(.capture, .later)))
        #expect(hasFailed && story.order.captured == 300 && !story.reasons.contains(.overCaptured))
    }

    @Test("gives what a person found to be done the name of no object that the PSP says is somebody else's")
    func othersBesideResolved() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        try story.answer(.refund, 0, .timedOut)
        let ours = try #require(story.last(.refund, 0)).id
        try story.request { (it) throws(RequestRefusal) in
            try it.resolve(ours, .succeeded(), .init(evidence: "dashboard", reason: "seen there", by: "ada"))
        }
        var failed = subject(story, object: "re_8")
        failed.isOthers = true
        let isHeard = story.hear(Notice(about: failed, .reversed(.refund, .later)))
        #expect(!isHeard && story.order.refunded == 100)
        for (object, isOthers) in [("re_9", true), ("re_1", false)] {
            var subject = subject(story, object: object)
            subject.isOthers = isOthers
            let isMatched = story.hear(Notice(about: subject, .outcome(.refund, .approved(100, object))))
            #expect(isMatched)
        }
        let refunds = story.order.payments[0].attempt.all(.refund)
        #expect(refunds.map(\.reference) == ["re_1", "re_9"] && refunds.map(\.origin) == [.gateway, .psp])
        #expect(story.order.refunded == 200)
    }

    @Test("keeps what was done in the dashboard once, under the PSP's name for it") func dashboards() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        for _ in 0..<2 {
            for (action, object, amount) in [(Notice.Action.capture, "cap_9", Int64(250)), (.refund, "re_9", 40)] {
                let isMatched = story.notice(0, .outcome(action, .approved(amount, object)), object: object)
                #expect(isMatched)
            }
        }
        #expect(story.order.captured == 250)
        #expect(story.order.payments[0].held == 0)
        #expect(story.order.refunded == 40)
        #expect(story.told("payment.captured_by_psp") == 1)
        #expect(story.told("payment.refunded_by_psp") == 1)
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .refund])
        #expect(story.reasons.isEmpty)
        let isRefusedElsewhere = story.notice(0, .outcome(.refund, .refusedByIssuer), object: "re_10")
        #expect(!isRefusedElsewhere)
        #expect(story.count(.refund) == 1)
    }

    @Test("of a capture in the dashboard leaves the rest held where the PSP captures in parts") func partsInDashboard()
        throws
    {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let isMatched = story.hear(
            Notice(about: subject(story, object: "cap_9"), .outcome(.capture, .approved(100, "cap_9"))),
            severalCaptures: true
        )
        #expect(isMatched)
        #expect(story.order.payments[0].held == 200)
        #expect(story.order.status == .partiallyCaptured)
    }

    @Test("of a void in the dashboard ends the hold, and an order of which nothing is left") func voidedInDashboard()
        throws
    {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let isMatched = story.notice(0, .outcome(.void, .approved(300, "vd_9")), object: "vd_9")
        #expect(isMatched)
        #expect(story.states == [.voided])
        #expect(story.order.decision.state == .canceled)
        #expect(story.order.decision.reason == .released)
        #expect(story.order.status == .canceled)
        #expect(story.books.balances.isEmpty)
    }

    @Test("puts right what we had concluded from an answer that named no amount") func corrects() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 300)
        try story.answer(.refund, 0, .refusedByPSP(.configuration))
        let isMatched = story.notice(0, .outcome(.capture, .approved(120, "cap_9")), object: "cap_9")
        #expect(isMatched)
        #expect(story.order.captured == 120)
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .correction])
        #expect(story.last(.refund, 0)?.state.name == "open")
    }

    @Test("tells a person of more than was authorized, and books it") func overCaptured() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let isMatched = story.notice(0, .outcome(.capture, .approved(350, "cap_9")), object: "cap_9")
        #expect(isMatched)
        #expect(story.order.captured == 350)
        #expect(story.reasons == [.overCaptured])
        #expect(story.order.attention.first?.amountAtRisk == 50)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("survives impossible amounts", arguments: [Int64.max, .min, 0, -1])
    func survives(_ amount: Int64) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        for (action, object) in [(Notice.Action.capture, "c"), (.refund, "r"), (.refund, "s"), (.void, "v")] {
            let isMatched = story.notice(0, .outcome(action, .approved(amount, object)), object: object)
            #expect(isMatched)
        }
        let dispute = DisputeNotice(state: .opened, amount: amount)
        let isDisputed = story.notice(0, .dispute(dispute), object: "dp_1")
        #expect(isDisputed)
        #expect(OrderRules.violations(of: story.order).isEmpty)
        #expect(story.facts.contains { $0.amount == amount })
    }

    @Test("of a capture in the dashboard before the order is decided leaves the rest to be captured with it")
    func partBeforeTheDecision() throws {
        var story = try Story()
        story.approve(0)
        let isMatched = story.hear(
            Notice(about: subject(story, object: "cap_9"), .outcome(.capture, .approved(60, "cap_9"))),
            severalCaptures: true
        )
        #expect(isMatched && story.order.payments[0].held == 240)
        story.approve(1)
        let rest = try #require(story.last(.capture, 0))
        #expect(rest.origin == .gateway && rest.isOpen && rest.amount == 240)
        try story.succeed(.capture, 0)
        try story.succeed(.capture, 1)
        #expect(story.order.status == .paid && story.order.captured == 500)
    }

    @Test("of a capture in the dashboard before the order is decided is no answer to the capture of the rest")
    func partIsNoReply() throws {
        var story = try Story(Checkout(amounts: [300], onCaptureFailure: .compensate))
        let isMatched = story.hear(
            Notice(about: subject(story, object: "cap_9"), .outcome(.capture, .approved(60, "cap_9"))),
            severalCaptures: true
        )
        #expect(isMatched)
        story.approve(0)
        #expect(story.order.decision.state == .cleared && story.last(.capture, 0)?.amount == 240)
        try story.answer(.capture, 0, .refusedByIssuer)
        #expect(story.order.decision.state == .refused && story.order.decision.reason == .captureFailed)
    }

    @Test("of a sum that is named part by part before the order is decided leaves the rest to be captured")
    func sumBeforeTheDecision() throws {
        var story = try Story()
        let approval = Success(reference: "psp-0", amount: 300, capturedAmount: 100)
        let authorization = story.order.payments[0].attempt.authorization.id
        story.step {
            $0.hear(Report(operation: authorization, outcome: .succeeded(approval), severalCaptures: true))
        }
        let isMatched = story.hear(
            Notice(about: subject(story, object: "cap_9"), .outcome(.capture, .approved(60, "cap_9"))),
            severalCaptures: true
        )
        #expect(isMatched && story.order.payments[0].captured == 100)
        story.approve(1)
        let rest = try #require(story.last(.capture, 0))
        #expect(rest.origin == .gateway && rest.isOpen && rest.amount == 200)
    }
}
