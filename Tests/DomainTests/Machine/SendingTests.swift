import Domain
import Testing

/// When an operation was last sent is written down before it is sent.
@Suite("A sending")
struct SendingTests {
    /// An accepted order whose capture is in doubt and in the hand of instance two.
    private static func doubtful() throws -> (Story, Operation) {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .timedOut)
        story.sleep(milliseconds: 1000)
        let isClaimed = story.claim(try #require(story.last(.capture, 0)).id, by: "two")
        #expect(isClaimed)
        return (story, try #require(story.last(.capture, 0)))
    }

    /// Whether a sending may be written down.
    private static func record(
        _ story: inout Story,
        _ operation: Operation,
        by instance: String = "two",
        lease: Int64? = nil,
        isAnew: Bool = false
    ) -> Bool {
        var isRecorded = false
        story.step(by: instance) {
            isRecorded = $0.recordSending(of: operation.id, underLease: lease ?? operation.leases, isAnew: isAnew)
        }
        return isRecorded
    }

    @Test("is written down with the first lease, and by no later lease alone")
    func leases() throws {
        let (story, capture) = try Self.doubtful()
        #expect(capture.leases == 2 && capture.sendings == 1 && capture.sentUnderLease == 1)
        #expect(capture.sentAt == story.now.adding(milliseconds: -1000))
    }

    @Test("is written down by whoever has it in hand, and gives it a whole lease from then on")
    func recorded() throws {
        var (story, capture) = try Self.doubtful()
        story.sleep(milliseconds: 500)
        let isRecorded = Self.record(&story, capture)
        #expect(isRecorded)
        let sent = try #require(story.last(.capture, 0))
        #expect(sent.sendings == 2 && sent.sentAt == story.now && sent.sentUnderLease == 2)
        #expect(sent.dueAt == story.now.adding(milliseconds: story.rules.leaseMilliseconds))
    }

    @Test("is refused to everybody else: another instance, an earlier lease, a lease that ran out, what is known")
    func refused() throws {
        var (story, capture) = try Self.doubtful()
        var recorded = [Self.record(&story, capture, by: "one"), Self.record(&story, capture, lease: 1)]
        var late = story
        late.sleep(milliseconds: story.rules.leaseMilliseconds)
        recorded.append(Self.record(&late, capture))
        try story.succeed(.capture, 0)
        recorded.append(Self.record(&story, capture))
        #expect(recorded == [false, false, false, false])
    }

    /// An order that is abandoned at its end, and its authorization, which timed out and is claimed to be sent once more.
    private static func claimedAgain() throws -> (Story, Operation) {
        var story = try Story(Checkout(amounts: [300], onDeadline: .abandon))
        story.authorize(0, .timedOut)
        story.sleep(milliseconds: 1000)
        let authorization = story.order.payments[0].attempt.authorization
        let isClaimed = story.claim(authorization.id)
        #expect(isClaimed)
        return (story, authorization)
    }

    @Test("of an authorization is refused once its order is decided")
    func decided() throws {
        let (claimed, authorization) = try Self.claimedAgain()
        var story = claimed
        var decided = story
        decided.wait(milliseconds: 60_000)
        #expect(decided.order.decision.state == .refused)
        let isLate = Self.record(&decided, authorization, by: "one", lease: 2)
        let isInTime = Self.record(&story, authorization, by: "one", lease: 2)
        #expect(!isLate && isInTime)
    }

    @Test("of an authorization behind its order's end has the order decided first, and is refused")
    func overdue() throws {
        let (claimed, authorization) = try Self.claimedAgain()
        var story = claimed
        // Nobody looked at the order when its end came.
        story.sleep(milliseconds: 60_000)
        let isRecorded = Self.record(&story, authorization, by: "one", lease: 2)
        #expect(!isRecorded)
        #expect(story.order.decision.reason == .deadline)
    }

    @Test("under another key is counted as a retry, and forgets that the old key was answered in doubt")
    func anew() throws {
        var (story, capture) = try Self.doubtful()
        story.step(by: "two") {
            $0.hear(Report(operation: capture.id, outcome: .unknown(reason: "500"), isAnswered: true, retries: 0))
        }
        #expect(story.last(.capture, 0)?.isAnsweredInDoubt == true)
        story.sleep(milliseconds: 5000)
        let isClaimed = story.claim(capture.id, by: "two")
        capture = try #require(story.last(.capture, 0))
        let isRecorded = Self.record(&story, capture, isAnew: true)
        #expect(isClaimed && isRecorded)
        capture = try #require(story.last(.capture, 0))
        #expect(capture.retries == 1 && !capture.isAnsweredInDoubt)
    }

    @Test("that provably never left is none") func neverLeft() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .notSent(reason: "no connection"))
        let capture = try #require(story.last(.capture, 0))
        #expect(capture.sendings == 0 && capture.sentAt == nil)
        story.sleep(milliseconds: 1000)
        let isClaimed = story.claim(capture.id)
        #expect(isClaimed)
        let again = try #require(story.last(.capture, 0))
        #expect(again.sendings == 1 && again.sentAt == story.now && again.sentUnderLease == 2)
    }

    @Test("that is pending is doubted no more, so that what comes after is asked after from the start")
    func pending() throws {
        var (story, capture) = try Self.doubtful()
        #expect(capture.doubts == 1)
        story.step(by: "two") { $0.hear(Report(operation: capture.id, outcome: .inProgress, retries: 0)) }
        capture = try #require(story.last(.capture, 0))
        #expect(capture.state == .pending && capture.doubts == 0)
        #expect(capture.sentAt == story.now.adding(milliseconds: -1000))
    }

    @Test("answered late, after the operation was begun anew, decides nothing unless it succeeded")
    func late() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        let void = try #require(story.last(.void, 0))
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        #expect(story.last(.void, 0)?.retries == 1)
        story.step { $0.hear(Report(operation: void.id, outcome: .refusedByPSP(.unsupported), retries: 0)) }
        #expect(story.last(.void, 0)?.state == .open)
        story.step { $0.hear(Report(operation: void.id, outcome: .approved(300), retries: 0)) }
        #expect(story.order.status == .failed)
    }

    @Test("is not denied by an inquiry that another instance had begun before")
    func overtaken() throws {
        var (story, capture) = try Self.doubtful()
        let before = capture.leases - 1
        story.step(by: "two") { $0.hear(Report(operation: capture.id, outcome: .inProgress, lease: capture.leases)) }
        story.step(by: "one") {
            $0.hear(Report(operation: capture.id, outcome: .refusedByPSP(.notFound), lease: before))
        }
        capture = try #require(story.last(.capture, 0))
        #expect(capture.state == .pending)
        story.step(by: "two") {
            $0.hear(Report(operation: capture.id, outcome: .refusedByPSP(.notFound), lease: capture.leases))
        }
        #expect(story.last(.capture, 0)?.isOpen == false)
        #expect(story.order.captured == 0)
    }

    @Test("is not refused by the answer to an earlier one of another instance")
    func refusedBefore() throws {
        var (story, capture) = try Self.doubtful()
        let isRecorded = Self.record(&story, capture)
        #expect(isRecorded)
        story.step(by: "one") {
            $0.hear(Report(operation: capture.id, outcome: .refusedByIssuer, lease: capture.leases - 1))
        }
        #expect(story.last(.capture, 0)?.isOpen == true)
        story.step(by: "two") { $0.hear(Report(operation: capture.id, outcome: .approved(300), lease: capture.leases)) }
        #expect(story.order.captured == 300)
    }

    @Test("of a part that meets a capture of somebody else's takes that for all that was held")
    func othersCapture() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        let captures = story.order.payments[0].attempt.operations.filter { $0.kind == .capture }
        #expect(captures.map(\.origin) == [.gateway, .psp])
        #expect(captures.map(\.doneAmount) == [0, 300])
        #expect(story.order.captured == 300)
        #expect(story.order.attention.map(\.reason) == [.amountMismatch])
        #expect(story.order.attention.map(\.amountAtRisk) == [200])
    }

    @Test("that is out cannot be said to have come to nothing, which would start another")
    func inFlight() throws {
        for word in [ManualOutcome.notSent, .failed] {
            var story = try Story(Checkout(amounts: [300]))
            let id = story.order.payments[0].attempt.authorization.id
            let refusal = story.refusal { (it) throws(RequestRefusal) in
                try it.resolve(id, word, .init(evidence: "e", reason: "r", by: "ada"))
            }
            #expect(refusal?.code == .operationInFlight)
            story.sleep(milliseconds: story.rules.leaseMilliseconds)
            try story.request { (it) throws(RequestRefusal) in
                try it.resolve(id, word, .init(evidence: "e", reason: "r", by: "ada"))
            }
            #expect(story.order.status == .failed)
        }
    }

    @Test(
        "twice may make two authorizations: the second one lives from when it can have been made, however late it turns up",
        arguments: [(nil, nil, 10_000), (nil, 6000, 6000), (5000, 6000, 5000), (-5000, nil, 0)]
            as [(Int64?, Int64?, Int64)]
    )
    func heardLate(_ row: (happened: Int64?, received: Int64?, lived: Int64)) throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let asked = story.now
        story.approve(0)
        story.sleep(milliseconds: 10_000)
        story.step { machine in
            let attempt = machine.order.payments[0].attempt
            let second = Notice(
                about: .init(attempt: attempt.id.text, payment: "psp-other"),
                .outcome(.authorize, .approved(300, "psp-other")),
                at: row.happened.map { asked.adding(milliseconds: $0) }
            )
            machine.adoptSecondAuthorization(
                second,
                of: attempt,
                receivedAt: row.received.map { asked.adding(milliseconds: $0) }
            )
        }
        let surplus = try #require(story.order.payments[0].attempts.last)
        #expect(surplus.isSurplus)
        #expect(surplus.expiresAt == asked.adding(milliseconds: 604_800_000 + row.lived))
    }

    @Test("several times may make as many authorizations: what an inquiry finds beside one is released, each once")
    func several() throws {
        var story = try Story(Checkout(amounts: [300]))
        let id = story.order.payments[0].attempt.authorization.id
        story.report(.unknown(reason: "lost"), of: id)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = ["psp-2", "psp-3"].map { SurplusPayment(reference: $0) }
        for _ in 0..<2 { story.report(.succeeded(success), of: id) }
        let payment = story.order.payments[0]
        #expect(payment.attempt.pspReference == "psp-1" && payment.attempt.held == 300)
        #expect(payment.attempts.filter(\.isSurplus).map(\.pspReference) == ["psp-2", "psp-3"])
        #expect(payment.attempts.filter(\.isSurplus).flatMap { $0.all(.void) }.map(\.amount) == [300, 300])
    }

    @Test("several times: a refund is of the sale, though the PSP keeps the money of another authorization")
    func refundOfTheSale() throws {
        var story = try Story(Checkout(amounts: [300]))
        let id = story.order.payments[0].attempt.authorization.id
        story.report(.unknown(reason: "lost"), of: id)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-2", capturedAmount: 300)]
        story.report(.succeeded(success), of: id)
        try story.succeed(.capture, 0)
        while let refund = story.order.payments[0].attempts.last?.openOperations.first {
            story.report(.refusedByPSP(.unsupported), of: refund.id)
            story.wait(milliseconds: 3_600_000)
        }
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
        try story.request { it throws(RequestRefusal) in
            try it.refund(RefundRequest(.items([.init(payment: it.order.payments[0].id, amount: 300)])))
        }
        #expect(story.order.payments[0].attempt.all(.refund).map(\.amount) == [300])
    }

    @Test("several times: an inquiry that names another authorization than a webhook has since is released, too")
    func severalBehindWebhook() throws {
        var story = try Story(Checkout(amounts: [300]))
        let id = story.order.payments[0].attempt.authorization.id
        story.report(.unknown(reason: "lost"), of: id)
        story.report(.succeeded(Success(reference: "psp-1", amount: 300)), of: id)
        var success = Success(reference: "psp-2", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-1")]
        for _ in 0..<2 { story.report(.succeeded(success), of: id) }
        let payment = story.order.payments[0]
        #expect(payment.attempt.pspReference == "psp-1")
        #expect(payment.attempts.filter(\.isSurplus).map(\.pspReference) == ["psp-2"])
    }

    @Test(
        "twice may make two authorizations: that the second one is held or taken, and undone, is no news of the order's",
        arguments: [nil, 300] as [Int64?]
    )
    func secondIsNoNews(taken: Int64?) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let told = (story.toldMarketplace, story.toldMerchant(0))
        story.step { machine in
            var success = Success(reference: "psp-other", amount: 300)
            success.capturedAmount = taken
            let attempt = machine.order.payments[0].attempt
            let second = Notice(
                about: .init(attempt: attempt.id.text, payment: "psp-other"),
                .outcome(.authorize, .succeeded(success))
            )
            machine.adoptSecondAuthorization(second, of: attempt)
        }
        #expect(story.order.captured == 300 + (taken ?? 0) && story.order.status == .paid)
        #expect(story.order.captureBefore == nil)
        let undoing = try #require(story.order.payments[0].attempts.last?.operations.last)
        #expect(undoing.kind == (taken == nil ? .void : .refund))
        story.report(.approved(300, "undone"), of: undoing.id)
        #expect(story.order.captured - story.order.refunded == 300 && story.order.payments[0].held == 0)
        #expect(story.order.status == .paid && story.order.attention.isEmpty)
        #expect(story.toldMarketplace == told.0 && story.toldMerchant(0) == told.1)
    }

    @Test("twice may make two authorizations: the second one that turns up is released")
    func twice() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        story.step { machine in
            let attempt = machine.order.payments[0].attempt
            let second = Notice(
                about: .init(attempt: attempt.id.text, payment: "psp-other"),
                .outcome(.authorize, .approved(300, "psp-other"))
            )
            #expect(!OrderMachine.isSecondAuthorization(second, of: attempt))
            var sent = attempt
            sent.operations[0].sendings = 2
            #expect(OrderMachine.isSecondAuthorization(second, of: sent))
            machine.adoptSecondAuthorization(second, of: attempt)
        }
        let payment = story.order.payments[0]
        #expect(payment.attempts.count == 2 && payment.attempt.pspReference == "psp-0")
        let found = payment.attempts.first { $0.isSurplus }
        let surplus = try #require(found)
        #expect(surplus.pspReference == "psp-other" && surplus.held == 300)
        #expect(payment.nameAtPSP(of: surplus) == payment.attempt.id)
        let void = try #require(surplus.all(.void).first)
        story.report(.approved(300, "v"), of: void.id)
        #expect(story.order.payments[0].held == 300)
        #expect(story.order.status == .authorized)
        #expect(story.order.attention.isEmpty)
    }

    @Test("twice may make two payments: that one of them came to nothing says nothing of the other, and is no mystery")
    func secondRefused() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        story.authorize(0, .inProgress)
        let attempt = story.order.payments[0].attempt
        let refusal = Notice(
            about: .init(attempt: attempt.id.text, payment: "psp-first"),
            .outcome(.authorize, .refusedByIssuer)
        )
        #expect(!OrderMachine.isSecondRefusal(refusal, of: attempt))
        var order = story.order
        order.payments[0].attempts[0].operations[0].sendings = 2
        var sent = Story(continuing: order)
        try sent.request { machine throws(RequestRefusal) in
            try machine.apply(.notices(NoticeBatch([.init(refusal, about: attempt.id)])))
        }
        #expect(sent.order == order)
    }
}
