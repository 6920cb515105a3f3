import Domain
import Testing

@Suite("Capturing")
struct CapturingTests {
    private let failures: [Outcome] = [.refusedByIssuer, .refusedByPSP(.configuration), .refusedByPSP(.unsupported)]

    @Test("that fails while only cleared refuses an order that needs the payment, and gives everything back")
    func failureWhileClearedRefuses() throws {
        for failure in failures {
            var story = try Story()
            story.approve(0, 1)
            try story.succeed(.capture, 0)
            try story.answer(.capture, 1, failure)
            #expect(story.order.decision.state == .refused)
            #expect(story.order.decision.reason == .captureFailed)
            #expect(story.last(.refund, 0)?.amount == 300)
            #expect(story.last(.void, 1)?.amount == 200)
            #expect(story.order.status == .compensating)
            try story.succeed(.refund, 0)
            try story.succeed(.void, 1)
            #expect(story.order.status == .failed)
            #expect(story.states == [.captured, .captureFailed])
            #expect(story.books.balances.isEmpty)
        }
    }

    @Test("that fails while only cleared leaves out a payment that the policy does not need")
    func failureWhileClearedLeavesOut() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0, 1)
        try story.answer(.capture, 1, .refusedByPSP(.configuration))
        #expect(story.order.decision.state == .cleared)
        #expect(story.order.decision.countsOn == [story.order.payments[0].id])
        try story.succeed(.void, 1)
        try story.succeed(.capture, 0)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.decision.countsOn == [story.order.payments[0].id])
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("waits for a capture under way before it undoes it")
    func waitsForCapturesUnderWay() throws {
        var story = try Story()
        story.approve(0, 1)
        try story.answer(.capture, 1, .refusedByPSP(.configuration))
        #expect(story.order.decision.state == .refused)
        #expect(story.states[0] == .capturing)
        #expect(story.last(.void, 0) == nil)
        try story.answer(.capture, 0, .timedOut)
        #expect(story.last(.void, 0) == nil)
        try story.succeed(.capture, 0)
        #expect(story.last(.refund, 0)?.amount == 300)
    }

    @Test("that fails after acceptance tells a person and undoes nothing")
    func failureAfterAcceptanceTells() throws {
        var story = try Story()
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .inProgress)
        #expect(story.order.decision.state == .accepted)
        try story.answer(.capture, 1, .refusedByIssuer)
        #expect(story.order.decision.state == .accepted)
        #expect(story.states == [.captured, .captureFailed])
        #expect(story.order.status == .partiallyPaid)
        let attention = try #require(story.order.attention.first)
        #expect(attention.reason == .captureFailed)
        #expect(attention.payment == story.order.payments[1].id)
        #expect(attention.amountAtRisk == 200)
        #expect(story.count(.refund) == 0)
        story.wait(milliseconds: 10_000)
        #expect(story.order.attention.count == 1)
        #expect(story.told("order.attention_required") == 1)
        #expect(story.told("payment.capture_failed") == 1)
    }

    @Test("that fails of several payments tells of them in one order, whichever was heard of first")
    func failuresInOneOrder() throws {
        for turn in [[1, 2, 3], [3, 2, 1], [2, 3, 1]] {
            var story = try Story(Checkout(amounts: [400, 300, 200, 100]))
            story.approve(0, 1, 2, 3)
            try story.succeed(.capture, 0)
            for place in turn { try story.answer(.capture, place, .inProgress) }
            for place in turn { try story.answer(.capture, place, .refusedByIssuer) }
            #expect(Set(story.order.attention.map(\.since)).count == 1)
            #expect(story.order.attention.map(\.operation) == story.order.attention.map(\.operation).sorted())
            #expect(story.reasons == [.captureFailed, .captureFailed, .captureFailed])
        }
    }

    @Test("that fails after acceptance undoes the order's other payments where the terms say so")
    func failureAfterAcceptanceCompensates() throws {
        var story = try Story(Checkout(amounts: [300, 200, 100], onCaptureFailure: .compensate))
        story.approve(0, 1, 2)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .inProgress)
        try story.answer(.capture, 2, .inProgress)
        try story.answer(.capture, 1, .refusedByIssuer)
        #expect(story.order.decision.state == .accepted)
        #expect(story.last(.refund, 0)?.amount == 300)
        #expect(story.last(.void, 1)?.amount == 200)
        try story.succeed(.capture, 2)
        #expect(story.last(.refund, 2)?.amount == 100)
        try story.succeed(.refund, 0)
        try story.succeed(.void, 1)
        try story.succeed(.refund, 2)
        #expect(story.order.status == .refunded)
        #expect(story.order.attention.map(\.reason) == [.captureFailed])
        #expect(story.books.balances.isEmpty)
    }

    @Test("that failed of a payment which the order does not count on undoes nothing, whatever the terms say")
    func failureOfWhatIsLeftOut() throws {
        var story = try Story(Checkout(policy: .bestEffort, onCaptureFailure: .compensate))
        let sale = Outcome.succeeded(Success(reference: "pay_1", amount: 300, capturedAmount: 300))
        story.authorize(0, sale)
        let isMatched = story.notice(0, .reversed(.capture, .later), object: "cap_1")
        #expect(isMatched && story.order.decision == .pending)
        story.approve(1)
        #expect(story.order.decision.countsOn == [story.order.payments[1].id])
        try story.succeed(.void, 0)
        try story.succeed(.capture, 1)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.status == .partiallyPaid && story.order.captured == 200)
        #expect(story.count(.refund) == 0 && story.reasons == [.captureFailed])
    }

    @Test(
        "that failed before acceptance is made up for by one that stands, unless the order would be undone for it",
        arguments: [OrderTerms.OnCaptureFailure.attention, .compensate]
    )
    func failureMadeUpFor(_ onFailure: OrderTerms.OnCaptureFailure) throws {
        var story = try Story(Checkout(policy: .minimum(400), onCaptureFailure: onFailure))
        story.approve(0)
        let attempt = story.order.payments[0].attempt.id.text
        for (object, amount) in [("cap_1", Int64(120)), ("cap_2", 60)] {
            let subject = Notice.Subject(attempt: attempt, object: object)
            let capture = Notice(about: subject, .outcome(.capture, .approved(amount, object)))
            let isMatched = story.hear(capture, severalCaptures: true)
            #expect(isMatched)
        }
        let isFailed = story.notice(0, .reversed(.capture, .later), object: "cap_1")
        #expect(isFailed && story.order.captured == 60 && story.order.decision == .pending)
        story.approve(1)
        if onFailure == .attention {
            try story.succeed(.capture, 1)
            #expect(story.order.decision.state == .accepted && story.order.captured == 260)
            #expect(story.count(.refund) == 0 && story.count(.void) == 0)
        } else {
            #expect(story.order.decision.state == .refused && story.order.decision.reason == .captureFailed)
            try story.succeed(.void, 0)
            try story.succeed(.refund, 0)
            try story.succeed(.void, 1)
            #expect(story.order.status == .failed && story.books.balances.isEmpty)
        }
        #expect(story.reasons == [.captureFailed])
    }

    @Test("that turns out to have succeeded does not end the undoing that its failure began")
    func compensationIsSticky() throws {
        var story = try Story(Checkout(onCaptureFailure: .compensate))
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .inProgress)
        try story.answer(.capture, 1, .refusedByIssuer)
        try story.answer(.void, 1, .timedOut)
        try story.succeed(.refund, 0)
        try story.succeed(.capture, 1)
        #expect(story.order.payments[1].captured == 200)
        try story.answer(.void, 1, .refusedByPSP(.alreadyCaptured))
        #expect(story.last(.refund, 1)?.amount == 200)
        try story.succeed(.refund, 1)
        #expect(story.order.status == .refunded)
        #expect(story.books.balances.isEmpty)
    }

    @Test("answered expired or alreadyVoided ends the hold", arguments: [Rejection.Reason.expired, .alreadyVoided])
    func lapsedHoldsEnd(_ reason: Rejection.Reason) throws {
        var story = try Story()
        story.approve(0, 1)
        try story.answer(.capture, 1, .refusedByPSP(reason))
        #expect(story.order.decision.reason == .captureFailed)
        #expect(story.order.payments[1].held == 0)
        #expect(story.states[1] == .captureFailed)
        #expect(story.last(.void, 1)?.origin == .psp)
        #expect(story.told("payment.released_by_psp") == 1)
        try story.succeed(.capture, 0)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("that succeeded although the PSP had said the hold was gone is honoured in full, and undone")
    func successAfterRefusalIsHonoured() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .refusedByPSP(.expired))
        #expect(story.order.status == .failed)
        try story.succeed(.capture, 0)
        #expect(story.order.captured == 300)
        #expect(story.order.attention.map(\.reason) == [.successAfterRefusal])
        #expect(story.order.status == .compensating)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("of less than was asked releases the rest and tells a person")
    func partialCapturesRelease() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .approved(250))
        #expect(story.order.captured == 250)
        #expect(story.order.payments[0].held == 0)
        #expect(story.order.payments[0].attempt.released == 50)
        #expect(story.order.attention.map(\.reason) == [.amountMismatch])
        #expect(story.order.attention.first?.amountAtRisk == 50)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("of more than is held is booked as what is held and tells a person", arguments: [301, Int64.max])
    func impossibleCapturesAreBounded(_ amount: Int64) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .approved(amount))
        #expect(story.order.captured == 300)
        #expect(story.order.attention.map(\.reason) == [.amountMismatch])
        #expect(story.facts.last?.amount == amount)
    }

    @Test("survives amounts below zero", arguments: [-1, Int64.min])
    func negativeAmountsAreNothing(_ amount: Int64) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .approved(amount))
        #expect(story.order.authorized == 0)
        #expect(story.states == [.declined])
        #expect(story.order.status == .failed)
        var capturing = try Story(Checkout(amounts: [300]))
        capturing.approve(0)
        try capturing.answer(.capture, 0, .approved(amount))
        #expect(capturing.order.captured == 0)
        #expect(capturing.order.attention.first?.reason == .amountMismatch)
    }

    @Test(
        "of which nothing has left is not sent any more once the order does not want it: what is held is released",
        arguments: [OrderTerms.OnCaptureFailure.attention, .compensate]
    )
    func takenBack(onFailure: OrderTerms.OnCaptureFailure) throws {
        var story = try Story(Checkout(onCaptureFailure: onFailure))
        story.approve(0, 1)
        if onFailure == .compensate { try story.answer(.capture, 0, .inProgress) }
        try story.answer(.capture, 1, .notSent(reason: "connection refused"))
        #expect(story.last(.capture, 1)?.isOpen == true && story.last(.capture, 1)?.wasSent == false)
        #expect(story.order.decision.state == (onFailure == .compensate ? .accepted : .cleared))
        try story.answer(.capture, 0, .refusedByPSP(.configuration))
        #expect(story.last(.capture, 1)?.state.name == "not_sent" && story.last(.void, 1)?.isOpen == true)
        try story.succeed(.void, 0)
        try story.succeed(.void, 1)
        #expect(story.states[1] == .voided && story.count(.refund) == 0 && story.count(.capture) == 2)
        #expect(!story.order.attention.contains { $0.payment == story.order.payments[1].id })
    }

    @Test("of which nothing has left, and that an operator calls not sent, failed, and is tried again when asked")
    func calledNotSent() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .notSent(reason: "connection refused"))
        let capture = try #require(story.last(.capture, 0)?.id)
        try story.request { (it) throws(RequestRefusal) in
            try it.resolve(capture, .notSent, .init(evidence: "dashboard", reason: "not there", by: "ada"))
        }
        #expect(story.states == [.captureFailed] && story.reasons == [.captureFailed])
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        try story.succeed(.capture, 0)
        #expect(story.order.status == .paid && story.reasons.isEmpty)
    }
}
