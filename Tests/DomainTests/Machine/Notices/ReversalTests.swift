import Domain
import Testing

@Suite("What fails after all")
struct ReversalTests {
    @Test("as a refund reopens what it claimed, posts the reversal and tells a person") func refunds() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let before = story.books.balances
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        #expect(story.order.payments[0].refundable == 200)
        let isMatched = story.notice(0, .reversed(.refund, .later), object: "refund-0")
        #expect(isMatched)
        #expect(story.order.refunded == 0)
        #expect(story.order.payments[0].refundable == 300)
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        #expect(story.last(.refund, 0)?.state == .reversed(.later))
        #expect(story.reasons == [.refundFailed])
        #expect(story.order.attention.first?.amountAtRisk == 100)
        #expect(story.books.balances == before)
        #expect(story.books.entries.last?.kind == .reversal)
        #expect(story.told("payment.refund_failed") == 1)
        #expect(story.order.status == .paid)
        try story.refund(.all)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .refunded)
        #expect(story.reasons.isEmpty)
    }

    @Test("as a capture gives the amount back, posts the reversal and tells a person") func captures() throws {
        var story = try Story.captured(Checkout(policy: .bestEffort))
        let isMatched = story.notice(1, .reversed(.capture, .later), object: "capture-1")
        #expect(isMatched)
        #expect(story.order.captured == 300)
        #expect(story.states == [.captured, .captureFailed])
        #expect(story.reasons == [.captureFailed])
        #expect(story.books.entries.last?.kind == .reversal)
        #expect(story.told("payment.capture_failed") == 1)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("is one capture each time that the PSP says so without a name: what stands, not what failed before")
    func unnamedCaptures() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let attempt = story.order.payments[0].attempt.id.text
        for (object, amount) in [("cap_1", Int64(100)), ("cap_2", 120)] {
            let capture = Notice(
                about: .init(attempt: attempt, object: object),
                .outcome(.capture, .approved(amount, object))
            )
            let isMatched = story.hear(capture, severalCaptures: true)
            #expect(isMatched)
        }
        for (event, captured) in [(1, Int64(100)), (1, 100), (2, 0), (1, 0), (2, 0), (3, 0)] {
            let rejection = Rejection(.unsupported, code: "settlementFailed", message: "It failed, event \(event).")
            let isMatched = story.notice(0, .reversed(.capture, rejection))
            #expect(isMatched)
            #expect(story.order.captured == captured)
        }
        #expect(story.books.entries.filter { $0.kind == .reversal }.count == 2)
    }

    @Test("is what came to the amount that is told, and waits until something did, unless it is the whole payment's")
    func unnamedAmounts() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        let attempt = story.order.payments[0].attempt.id.text
        func capture(_ object: String, _ amount: Int64) -> Notice {
            Notice(about: .init(attempt: attempt, object: object), .outcome(.capture, .approved(amount, object)))
        }
        func failure(_ event: Int, of amount: Int64) -> Notice {
            let rejection = Rejection(.unsupported, code: "settlementFailed", message: "It failed, event \(event).")
            return Notice(about: .init(attempt: attempt, amount: amount), .reversed(.capture, rejection))
        }
        let steps: [(Notice, isMatched: Bool, captured: Int64)] = [
            (capture("cap_1", 100), true, 100), (failure(1, of: 120), false, 100), (capture("cap_2", 120), true, 220),
            (failure(1, of: 120), true, 100), (failure(1, of: 120), true, 100), (failure(2, of: 300), true, 0),
        ]
        for step in steps {
            let isMatched = story.hear(step.0, severalCaptures: true)
            #expect(isMatched == step.isMatched && story.order.captured == step.captured)
        }
    }

    @Test("and is not named is ours, if the PSP works on it, and not what somebody had captured before")
    func unnamedPending() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        let attempt = story.order.payments[0].attempt.id.text
        try story.capture()
        let id = try #require(story.last(.capture, 0)?.id)
        story.report(.notSent(reason: "no room"), of: id)
        story.sleep(milliseconds: 60_000)
        let isClaimed = story.claim(id)
        #expect(isClaimed)
        let own = Notice(about: .init(attempt: attempt, object: "cap_1"), .outcome(.capture, .approved(300, "cap_1")))
        let rejection = Rejection(.unsupported, code: "settlementFailed", message: "It failed, event 1.")
        let failure = Notice(about: .init(attempt: attempt, amount: 300), .reversed(.capture, rejection))
        for notice in [own, failure] {
            // Ours is on its way, for the first time: its answer tells.
            let isMatched = story.hear(notice, severalCaptures: true, receivedAt: story.now)
            #expect(!isMatched)
        }
        story.report(.inProgress, of: id)
        for notice in [own, failure, failure] {
            let isMatched = story.hear(notice, severalCaptures: true, receivedAt: story.now)
            #expect(isMatched)
        }
        #expect(story.order.captured == 300)
        #expect(story.order.payments[0].attempt.operations.first { $0.id == id }?.state == .reversed(rejection))
    }

    @Test("as a capture undoes the order's other payments where the terms say so") func compensates() throws {
        var story = try Story.captured(Checkout(onCaptureFailure: .compensate))
        let isMatched = story.notice(1, .reversed(.capture, .later), object: "capture-1")
        #expect(isMatched)
        #expect(story.last(.refund, 0)?.amount == 300)
        #expect(story.last(.void, 1)?.amount == 200)
        try story.succeed(.refund, 0)
        try story.succeed(.void, 1)
        #expect(story.order.status == .refunded)
        #expect(story.books.balances.isEmpty)
    }

    @Test("as the refund of a refused order is tried again, a step later") func compensation() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        let isMatched = story.notice(0, .reversed(.refund, .later), object: "refund-0")
        #expect(isMatched)
        #expect(story.order.status == .compensating)
        #expect(story.reasons == [.refundFailed])
        #expect(story.last(.refund, 0)?.dueAt == story.now.adding(milliseconds: 1000))
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.reasons.isEmpty)
    }

    @Test("at once, as a refund that the PSP names, is replaced, so that what is told of each finds its own")
    func namedRefunds() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        var tries: [OperationID] = []
        for object in ["re_1", "re_2"] {
            let refund = try #require(story.last(.refund, 0))
            tries.append(refund.id)
            story.sleep(milliseconds: 60_000)
            if refund.leasedBy == nil {
                let isClaimed = story.claim(refund.id)
                #expect(isClaimed)
            }
            story.report(.rejected(Rejection.later.naming(object)), of: refund.id)
        }
        #expect(Set(tries).count == 2 && story.count(.refund) == 3)
        for (object, operation) in zip(["re_2", "re_1"], tries.reversed()) {
            let failed = Notice(about: .init(operation: operation.text, object: object), .reversed(.refund, .later))
            let isMatched = story.hear(failed)
            #expect(isMatched)
        }
        #expect(story.order.payments[0].attempt.all(.refund).map(\.reference) == ["re_1", "re_2", nil])
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed && story.order.payments[0].net == 0)
    }

    @Test("is not tried, of a whole capture, where a refund was refused because so much is not left")
    func tooLarge() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.all)
        try story.answer(.refund, 0, .refusedByPSP(.amountTooLarge))
        #expect(story.count(.reverse) == 0)
        // What the refusal was about is told later: what is left is given back.
        _ = story.notice(0, .outcome(.refund, .approved(120, "re_9")), object: "re_9")
        #expect(story.last(.refund, 0)?.amount == 180)
        #expect(story.last(.refund, 0)?.state == .open)
        try story.succeed(.refund, 0)
        #expect(story.order.refunded == 300)
        #expect(story.order.status == .refunded)
    }

    @Test("as a refund that the PSP took on and then has no trace of tells a person") func refusedLater()
        throws
    {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        try story.answer(.refund, 0, .inProgress)
        try story.answer(.refund, 0, .refusedByPSP(.notFound))
        #expect(story.reasons == [.refundFailed])
        #expect(story.order.attention.first?.amountAtRisk == 100)
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        #expect(story.reasons.isEmpty)
    }

    @Test("in doubt is not what the PSP tells of as a refund of less") func lesserRefund() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.all)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        try story.answer(.reverse, 0, .timedOut)
        let isMatched = story.notice(0, .outcome(.refund, .approved(120, "re_9")), object: "re_9")
        #expect(isMatched)
        #expect(story.last(.reverse, 0)?.state == .unknown(reason: "timed out; may have arrived"))
        #expect(story.order.refunded == 120)
    }

    @Test("of which we never heard that it succeeded waits until we do") func unknown() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let isEarly = story.notice(0, .reversed(.refund, .later), object: "re_9")
        #expect(!isEarly)
        let isMatched = story.notice(0, .outcome(.refund, .approved(50, "re_9")), object: "re_9")
        let isLate = story.notice(0, .reversed(.refund, .later), object: "re_9")
        #expect(isMatched && isLate)
        #expect(story.order.refunded == 0)
    }

    @Test(
        "or is refused under a name of which we never heard waits until we do, and then tells a person",
        arguments: [Outcome.refusedByIssuer, .rejected(.later)],
        [Notice.Action.capture, .refund]
    )
    func refusedFirst(_ refusal: Outcome, _ action: Notice.Action) throws {
        var story =
            action == .capture
            ? try Story.accepted(Checkout(amounts: [300], capture: .manual))
            : try Story.captured(Checkout(amounts: [300]))
        let isEarly = story.notice(0, .outcome(action, refusal), object: "act_9")
        #expect(!isEarly)
        let isMatched = story.notice(0, .outcome(action, .approved(50, "act_9")), object: "act_9")
        let isLate = story.notice(0, .outcome(action, refusal), object: "act_9")
        #expect(isMatched && isLate)
        #expect(story.reasons.contains(.successAfterRefusal))
    }

    /// What a PSP says of one operation.
    enum Word: Sendable {
        case refused, done, failed

        /// Orders in which it may be said that an operation failed after all, and was refused too.
        static let series: [[Word]] = [
            [.refused, .failed], [.refused, .done, .failed], [.done, .refused, .failed], [.done, .failed, .refused],
        ]
    }

    @Test(
        "and was said to be refused too came to nothing either way: nothing is left for a person to compare",
        arguments: [Notice.Action.capture, .refund],
        Word.series
    )
    func refusedToo(_ action: Notice.Action, _ words: [Word]) throws {
        var story =
            action == .capture
            ? try Story.accepted(Checkout(amounts: [300], capture: .manual))
            : try Story.captured(Checkout(amounts: [300]))
        if action == .capture { try story.capture() } else { try story.refund(.amount(100)) }
        let kind: Operation.Kind = action == .capture ? .capture : .refund
        let asked = try #require(story.last(kind, 0))
        let subject = Notice.Subject(operation: asked.id.text, object: "obj_1")
        story.report(.pending(Progress(reference: "obj_1")), of: asked.id)
        for word in words {
            switch word {
            case .refused: story.report(.rejected(.later), of: asked.id)
            case .done: story.report(.approved(asked.amount, "obj_1"), of: asked.id)
            case .failed:
                let isMatched = story.hear(Notice(about: subject, .reversed(action, .later)))
                #expect(isMatched)
            }
        }
        #expect(story.last(kind, 0)?.state == .reversed(.later) && story.last(kind, 0)?.doneAmount == 0)
        #expect(story.reasons == [action == .capture ? .captureFailed : .refundFailed])
    }

    @Test("though it had been captured already is not waited for") func refusedAsDone() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        let isMatched = story.notice(0, .outcome(.capture, .refusedByPSP(.alreadyCaptured)), object: "act_9")
        #expect(isMatched)
    }

    @Test("by a refusal that came before it was asked for is none of ours", arguments: ["act_9", nil])
    func refusedBefore(object: String?) throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        let receivedAt = story.now
        story.sleep(milliseconds: 11_000)
        try story.capture()
        let id = try #require(story.last(.capture, 0)?.id)
        story.report(.unknown(reason: "lost"), of: id)
        var notice = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, object: object),
            .outcome(.capture, .refusedByIssuer)
        )
        let before = story.order
        _ = story.hear(notice, receivedAt: receivedAt)
        #expect(story.order == before)
        // Of what was under way when it came, it may speak.
        let isMatched = story.hear(notice, receivedAt: story.now)
        #expect(isMatched)
        #expect(story.last(.capture, 0)?.state.name == "declined")
        notice.subject.operation = id.text
        let isNamed = story.hear(notice, receivedAt: receivedAt)
        #expect(isNamed)
    }

    @Test("under a name of its own settles nothing that the PSP can be asked about, or that was sent later")
    func refusedUnderName() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let receivedAt = story.now
        try story.refund(.amount(100))
        let id = try #require(story.last(.refund, 0)?.id)
        story.report(.unknown(reason: "lost"), of: id)
        let refusal = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, object: "act_9"),
            .outcome(.refund, .refusedByIssuer)
        )
        let isTaken = story.hear(refusal, tellsOutcomes: true, receivedAt: receivedAt)
        #expect(!isTaken && story.last(.refund, 0)?.state == .unknown(reason: "lost"))
        // Refused, and begun anew: what is sent then is not what was refused before.
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        story.sleep(milliseconds: 60_000)
        let again = try #require(story.last(.refund, 0)?.id)
        _ = story.claim(again)
        story.report(.unknown(reason: "lost"), of: again)
        let isTakenLater = story.hear(refusal, receivedAt: receivedAt)
        #expect(!isTakenLater && story.last(.refund, 0)?.state == .unknown(reason: "lost"))
    }

    @Test("as the capture that a later approval told of does not because another one was refused before")
    func refusedBeforeConclusion() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        let receivedAt = story.now
        story.sleep(milliseconds: 11_000)
        story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 300, capturedAmount: 300)))
        #expect(story.order.captured == 300)
        let refusal = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, object: "act_9"),
            .outcome(.capture, .refusedByIssuer)
        )
        let isMatched = story.hear(refusal, receivedAt: receivedAt)
        #expect(!isMatched && story.order.captured == 300)
        let isLater = story.hear(refusal, receivedAt: story.now)
        #expect(isLater && story.order.captured == 0)
    }

    @Test("without a name is the last one that succeeded") func unnamed() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let isNothing = story.notice(0, .reversed(.refund, .later))
        #expect(!isNothing)
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        let isMatched = story.notice(0, .reversed(.refund, .later))
        #expect(isMatched)
        #expect(story.order.refunded == 0)
    }

    @Test("stays so, whatever is said of it later") func stays() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        for _ in 0..<2 {
            let isMatched = story.notice(0, .reversed(.refund, .later), object: "refund-0")
            #expect(isMatched)
        }
        let before = story.order
        try story.succeed(.refund, 0)
        #expect(story.order == before)
        #expect(story.order.attention.count == 1)
    }

    @Test("as a void or an authorization tells a person too") func others() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.succeed(.void, 0)
        let isMatched = story.notice(0, .reversed(.void, .later), object: "void-0")
        #expect(isMatched)
        #expect(story.reasons == [.outcomeReversed])
        #expect(story.order.status == .compensating)
        #expect(story.count(.void) == 2)
        try story.succeed(.void, 0)
        #expect(story.order.status == .canceled)
        let isGone = story.notice(0, .reversed(.authorize, .later))
        #expect(isGone)
        #expect(story.order.authorized == 0)
        #expect(story.states == [.rejected])
    }
}
