import Domain
import Testing

@Suite("A capture whose payment is captured or released already")
struct CapturedAlreadyTests {
    @Test("answered alreadyCaptured is done")
    func alreadyCapturedIsDone() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.status == .paid)
        #expect(story.order.captured == 300)
    }

    @Test(
        "answered alreadyVoided with what somebody else captured keeps that, once, and ends the hold",
        arguments: [true, false],
        [true, false]
    )
    func othersPart(isVoidTold: Bool, isCaptureTold: Bool) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .timedOut)
        if isVoidTold {
            let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text)
            let void = Notice(about: about, .outcome(.void, .succeeded(Success(reference: "act_1", amount: 200))))
            let isMatched = story.hear(void, severalCaptures: true)
            #expect(isMatched)
        }
        let refusal = Rejection(.alreadyVoided, code: "c", message: "The rest is gone.", captured: 100)
        let capture = try #require(story.last(.capture, 0))
        story.step {
            $0.hear(Report(operation: capture.id, outcome: .rejected(refusal), severalCaptures: true))
        }
        let attempt = story.order.payments[0].attempt
        #expect(attempt.captured == 100 && attempt.held == 0 && attempt.refunded == 0)
        #expect(attempt.all(.capture).first?.state == .rejected(refusal.kept))
        if isCaptureTold {
            let about = Notice.Subject(attempt: attempt.id.text, object: "act_2")
            let part = Notice(about: about, .outcome(.capture, .approved(100, "act_2")))
            let isMatched = story.hear(part, severalCaptures: true)
            #expect(isMatched)
        }
        #expect(story.order.captured == 100 && story.order.payments[0].held == 0)
        #expect(story.order.payments[0].attempt.all(.capture).count { $0.doneAmount > 0 } == 1)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test(
        "answered alreadyCaptured behind a void that was told is another's capture of what that void had left",
        arguments: [true, false],
        [nil, 100, 300] as [Int64?]
    )
    func capturedBesideVoid(isRefunded: Bool, captured: Int64?) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        let id = try #require(story.last(.capture, 0)?.id)
        if isRefunded { story.tellOfOwn(.refund, 40, "ref_1") }
        story.tellOfOwn(.void, 300, "void_1")
        story.report(.refusedByPSP(.alreadyCaptured), of: id)
        let refunded: Int64 = isRefunded ? 40 : 0
        #expect(story.order.payments[0].attempt.captured == refunded)
        #expect(story.order.payments[0].attempt.refunded == refunded)
        let told: [Attention.Reason] = isRefunded ? [.captureFailed] : [.amountMismatch]
        #expect(story.reasons == (isRefunded ? [.overRefunded] : []) + told)
        guard let captured else { return }
        story.tellOfOwn(.capture, captured, "cap_1")
        // A void takes back what was captured whole.
        let isReversed = captured == 300
        #expect(story.order.payments[0].attempt.captured == captured)
        #expect(story.order.payments[0].attempt.refunded == (isReversed ? 300 : refunded))
        let left = isRefunded && isReversed ? [] : told
        #expect(story.reasons == left + (isReversed ? [.captureVoided] : []))
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("tells what is captured beyond what a refund implied and was named since")
    func beyondImplied() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        let id = try #require(story.last(.capture, 0)?.id)
        try story.answer(.capture, 0, .timedOut)
        story.tellOfOwn(.refund, 90, "ref_1")
        story.tellOfOwn(.capture, 131, "cap_1", tellsOutcomes: true)
        let refusal = Rejection(.alreadyVoided, code: "c", message: "The rest is gone.", captured: 236)
        story.step { $0.hear(Report(operation: id, outcome: .rejected(refusal), severalCaptures: true)) }
        let attempt = story.order.payments[0].attempt
        #expect(attempt.captured == 236 && attempt.refunded == 90 && attempt.held == 0)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("answered alreadyVoided by what captured all that was held keeps that")
    func othersWhole() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try story.capture(story.items([(0, 100)], isFinal: true))
        try story.answer(.capture, 0, .timedOut)
        let refusal = Rejection(.alreadyVoided, code: "c", message: "All is captured.", captured: 300)
        try story.answer(.capture, 0, .rejected(refusal))
        #expect(story.order.captured == 300 && story.order.payments[0].held == 0)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("answered alreadyCaptured, when another capture is known, tells a person and ends the hold")
    func capturedInPart() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_9")
        let isMatched = story.hear(
            Notice(about: subject, .outcome(.capture, .approved(100, "cap_9"))),
            severalCaptures: true
        )
        #expect(isMatched)
        #expect(story.order.payments[0].held == 200)
        try story.capture()
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 100)
        #expect(story.order.payments[0].held == 0)
        #expect(story.reasons == [.captureFailed])
        #expect(story.order.attention.first?.amountAtRisk == 200)
        #expect(story.told("payment.released_by_psp") == 1)
        story.wait(milliseconds: 10_000)
        #expect(story.reasons == [.captureFailed])
    }

    @Test(
        "answered alreadyCaptured, when its approval told what somebody else captured, is about that",
        arguments: [100, nil] as [Int64?],
        [true, false]
    )
    func capturedBeforeApproval(captured: Int64?, isNamed: Bool) throws {
        var story = try Story(Checkout(amounts: [300]))
        let authorization = story.order.payments[0].attempt.authorization.id
        let approval = Success(reference: "psp-1", amount: 300, capturedAmount: 100)
        story.step {
            $0.hear(Report(operation: authorization, outcome: .succeeded(approval), severalCaptures: true))
        }
        let capture = try #require(story.last(.capture, 0))
        #expect(capture.origin == .gateway && capture.amount == 200)
        let refusal = Rejection(.alreadyCaptured, code: "c", message: "It is captured.", captured: captured)
        story.step { $0.hear(Report(operation: capture.id, outcome: .rejected(refusal), severalCaptures: true)) }
        if isNamed {
            let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_9")
            let isMatched = story.hear(
                Notice(about: about, .outcome(.capture, .approved(100, "cap_9"))),
                severalCaptures: true
            )
            #expect(isMatched)
        }
        #expect(story.order.captured == 100 && story.order.payments[0].held == 0)
        #expect(story.reasons == [.captureFailed])
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("answered alreadyCaptured, when only a refund tells of a capture, is done: of how much that was, nobody said")
    func capturedBesideImplied() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.tellOfOwn(.refund, 40, "ref_1")
        story.approve(0)
        let capture = try #require(story.last(.capture, 0))
        #expect(capture.origin == .gateway && capture.amount == 260)
        story.report(.refusedByPSP(.alreadyCaptured), of: capture.id)
        #expect(story.last(.capture, 0)?.state == .succeeded && story.order.captured == 260)
    }

    @Test(
        "answered alreadyCaptured, when a part is known, is what the PSP tells beyond it, or another's over that amount",
        arguments: [(160, 160, []), (300, 300, [.amountMismatch]), (100, 100, [.captureFailed])]
            as [(Int64, Int64, [Attention.Reason])],
        [true, false]
    )
    func capturedBeyond(_ row: (told: Int64, captured: Int64, reasons: [Attention.Reason]), isCut: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        try story.capture(story.items([(0, 60)], isFinal: true))
        if isCut { try story.answer(.capture, 0, .timedOut) }
        let told = Rejection(.alreadyCaptured, code: "captured", message: "It is captured.", captured: row.told)
        try story.answer(.capture, 0, .rejected(told))
        #expect(story.order.captured == row.captured)
        #expect(story.order.payments[0].held == 0)
        #expect(story.reasons == row.reasons)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("answered alreadyCaptured by what is known to be its own capture is no news")
    func capturedAndHeardSince() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        try story.capture(story.items([(0, 60)], isFinal: true))
        let id = try #require(story.last(.capture, 0)?.id)
        try story.answer(.capture, 0, .timedOut)
        story.sleep(milliseconds: 60_000)
        let isClaimed = story.claim(id)
        #expect(isClaimed)
        let about = Notice.Subject(operation: id.text, object: "cap_2")
        let isMatched = story.hear(Notice(about: about, .outcome(.capture, .approved(60, "cap_2"))))
        #expect(isMatched)
        story.report(.rejected(Rejection(.alreadyCaptured, code: "c", message: "It is.", captured: 160)), of: id)
        #expect(story.order.captured == 160 && story.order.payments[0].held == 0)
        #expect(story.reasons.isEmpty)
    }

    @Test(
        "answered alreadyCaptured waits for an earlier one of which nobody knows yet",
        arguments: [true, false],
        [60, nil] as [Int64?]
    )
    func capturedByEarlier(isEarliersOwn: Bool, captured: Int64?) throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        for _ in 0..<2 {
            try story.capture(story.items([(0, 60)], isFinal: false))
            try story.answer(.capture, 0, .timedOut)
        }
        let captures = story.order.payments[0].attempt.all(.capture).map(\.id)
        let told = Rejection(.alreadyCaptured, code: "c", message: "It is.", captured: captured)
        story.report(.rejected(told), of: captures[1])
        #expect(story.order.captured == 0 && story.last(.capture, 0)?.isOpen == true)
        story.report(isEarliersOwn ? .approved(60) : .refusedByIssuer, of: captures[0])
        story.report(.rejected(told), of: captures[1])
        #expect(story.order.captured == 60)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    /// An accepted order over 300 of which a capture of 40 was done, and failed after all.
    private static func withFailedCapture() throws -> Story {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try story.capture(story.items([(0, 40)], isFinal: false))
        try story.succeed(.capture, 0)
        let isMatched = story.notice(0, .reversed(.capture, .later), object: "capture-0")
        #expect(isMatched)
        return story
    }

    @Test("answered alreadyCaptured, when one failed after all, is about that one", arguments: [60, 300])
    func alreadyCapturedAndFailed(_ amount: Int64) throws {
        var story = try Self.withFailedCapture()
        try story.capture(story.items([(0, amount)], isFinal: false))
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.last(.capture, 0)?.state.name == "rejected")
        #expect(story.order.captured == 0)
    }

    @Test(
        "answered alreadyCaptured, when somebody else's failed after all, is about that one",
        arguments: [true, false]
    )
    func othersFailed(isFailureFirst: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let id = try #require(story.last(.capture, 0)?.id)
        story.report(.timedOut, of: id)
        story.tellOfOwn(.capture, 163, "cap_9")
        if !isFailureFirst { story.report(.refusedByPSP(.alreadyCaptured), of: id) }
        let isMatched = story.notice(0, .reversed(.capture, .later), object: "cap_9")
        #expect(isMatched)
        if isFailureFirst { story.report(.refusedByPSP(.alreadyCaptured), of: id) }
        #expect(story.order.payments[0].attempt.all(.capture).first?.state.name == "rejected")
        #expect(story.order.captured == 0)
    }

    @Test(
        "answered alreadyCaptured with another amount than was asked for, was somebody else's, over that amount",
        arguments: [true, false]
    )
    func alreadyCapturedOtherwise(isCut: Bool) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        if isCut { try story.answer(.capture, 0, .timedOut) }
        let told = Rejection(.alreadyCaptured, code: "captured", message: "It is captured.", captured: 120)
        try story.answer(.capture, 0, .rejected(told))
        #expect(story.order.captured == 120)
        #expect(story.order.payments[0].held == 0 && story.order.payments[0].attempt.released == 180)
        #expect(story.reasons == [.amountMismatch])
    }

    @Test("answered alreadyCaptured again and again, when one failed after all, was never captured")
    func alreadyCapturedAndFailedTwice() throws {
        var story = try Self.withFailedCapture()
        for _ in 0..<2 {
            try story.capture(story.items([(0, 60)], isFinal: false))
            try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        }
        #expect(story.order.captured == 0 && story.order.payments[0].held == 300)
    }

    @Test("answered alreadyCaptured as it leaves for the first time behind not sent, when one failed after all")
    func alreadyCapturedAndFailedBehindNotSent() throws {
        var story = try Self.withFailedCapture()
        try story.capture(story.items([(0, 60)], isFinal: false))
        let id = try #require(story.last(.capture, 0)?.id)
        story.report(.notSent(reason: "no room"), of: id)
        story.sleep(milliseconds: 60_000)
        let isClaimed = story.claim(id)
        #expect(isClaimed)
        story.report(.refusedByPSP(.alreadyCaptured), of: id)
        #expect(story.order.captured == 0)
    }

    @Test("answered alreadyCaptured, when another capture took all, needs nobody")
    func capturedInFull() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        _ = story.notice(0, .outcome(.capture, .approved(300, "cap_9")), object: "cap_9")
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 300)
        #expect(story.reasons.isEmpty)
    }
}

extension Story {
    /// Tells of what somebody else did at a PSP that takes several captures.
    fileprivate mutating func tellOfOwn(
        _ action: Notice.Action,
        _ amount: Int64,
        _ name: String,
        tellsOutcomes: Bool = false
    ) {
        let about = Notice.Subject(attempt: order.payments[0].attempt.id.text, object: name)
        let notice = Notice(about: about, .outcome(action, .approved(amount, name)))
        let isMatched = hear(notice, severalCaptures: true, tellsOutcomes: tellsOutcomes)
        #expect(isMatched)
    }
}
