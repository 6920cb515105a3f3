import Domain
import Testing

@Suite("What somebody else captured, and no event told of")
struct UntoldCaptureTests {
    /// A held payment of 300 whose capture the PSP works on.
    private static func capturing() throws -> (story: Story, capture: Operation) {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .inProgress)
        return (story, try #require(story.last(.capture, 0)))
    }

    /// Tells what a PSP sent in one message.
    private static func tell(_ notice: Notice, isSale: Bool = false, to story: inout Story) throws {
        let batch = NoticeBatch(
            [.init(notice, about: story.order.payments[0].attempt.id)],
            severalCaptures: true,
            isSale: isSale,
            tellsOutcomes: true
        )
        try story.request { (it) throws(RequestRefusal) in try it.apply(.notices(batch)) }
    }

    private static func subject(_ story: Story, operation: Operation? = nil, object: String? = nil) -> Notice.Subject {
        Notice.Subject(
            attempt: story.order.payments[0].attempt.id.text,
            operation: operation?.id.text,
            object: object
        )
    }

    @Test(
        "is found behind a capture of ours that failed before it was done, unless that may be all that is told",
        arguments: [(120, 120), (300, 0), (0, 0)] as [(Int64, Int64)],
        [false, true]
    )
    func failedUnheard(told: (captured: Int64, others: Int64), isRefused: Bool) throws {
        var (story, capture) = try Self.capturing()
        let failure = Notice(about: Self.subject(story, operation: capture), .reversed(.capture, .later))
        try Self.tell(failure, to: &story)
        #expect(story.reasons == [.captureFailed])
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let void = try #require(story.last(.void, 0)).id
        let rejection = Rejection(.alreadyCaptured, code: "c", message: "m", captured: told.captured)
        let done = Success(reference: "void_1", amount: 300, capturedAmount: told.captured)
        let outcome: Outcome = isRefused ? .rejected(rejection) : .succeeded(done)
        story.step { $0.hear(Report(operation: void, outcome: outcome, severalCaptures: true)) }
        #expect(story.order.payments[0].attempt.captured == told.others)
        #expect(story.last(.refund, 0)?.amount == (told.others > 0 ? told.others : nil))
        // Of what is not known a person is told.
        #expect(story.reasons.contains(.compensationRefused) == (isRefused && told.others == 0))
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test(
        "is asked after where an event tells of our release, and not of what was captured before it",
        arguments: [true, false]
    )
    func release(tellsOutcomes: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.answer(.void, 0, .inProgress)
        let released = Success(reference: nil, amount: 300, capturedAmount: nil)
        let notice = Notice(about: Self.subject(story), .outcome(.void, .succeeded(released)))
        for _ in 0..<2 {
            let isMatched = story.hear(notice, severalCaptures: true, tellsOutcomes: tellsOutcomes)
            #expect(isMatched)
        }
        guard tellsOutcomes else { return #expect(story.order.status == .canceled) }
        let void = try #require(story.last(.void, 0))
        #expect(void.state == .pending && void.dueAt == story.now && void.leasedBy == nil)
        let found = Success(reference: "void_1", amount: 300, capturedAmount: 120)
        story.step { $0.hear(Report(operation: void.id, outcome: .succeeded(found), severalCaptures: true)) }
        #expect(story.order.captured == 120 && story.last(.refund, 0)?.amount == 120)
    }

    @Test("is none of ours if the PSP tells our name with all that is ours, whatever is under way or failed")
    func others() throws {
        for isFailed in [true, false] {
            var (story, capture) = try Self.capturing()
            if isFailed {
                let failure = Notice(about: Self.subject(story, operation: capture), .reversed(.capture, .later))
                try Self.tell(failure, to: &story)
            }
            var subject = Self.subject(story, object: "evt_1")
            subject.isOthers = true
            let taken = Success(reference: nil, amount: 300, capturedAmount: 300)
            for _ in 0..<2 {
                try Self.tell(Notice(about: subject, .outcome(.authorize, .succeeded(taken))), to: &story)
                #expect(story.order.captured == 300)
                let captures = story.order.payments[0].attempt.all(.capture)
                #expect(captures.map(\.reference) == ["psp-pending", "evt_1"])
                #expect(captures[0].state == (isFailed ? .reversed(.later) : .pending))
            }
            var theirs = Self.subject(story)
            (theirs.isOthers, theirs.amount) = (true, 300)
            try Self.tell(Notice(about: theirs, .reversed(.capture, .later)), to: &story)
            #expect(story.order.captured == 0)
            let ours = try #require(story.order.payments[0].attempt.all(.capture).first)
            #expect(ours.state == (isFailed ? .reversed(.later) : .pending))
        }
    }

    @Test("is the sale's own where all is sold in one call", arguments: [true, false])
    func sale(isAnswered: Bool) throws {
        var story = try Story(Checkout(amounts: [300], onDeadline: .continue))
        let sale = Success(reference: "pay_1", amount: 300, capturedAmount: 300)
        if isAnswered { story.authorize(0, .succeeded(sale)) }
        var subject = Self.subject(story, object: "evt_1")
        subject.isOthers = true
        let taken = Success(reference: nil, amount: 300, capturedAmount: 300)
        try Self.tell(Notice(about: subject, .outcome(.authorize, .succeeded(taken))), isSale: true, to: &story)
        #expect(story.order.status == .paid && story.order.captured == 300)
        #expect(story.order.payments[0].attempt.all(.capture).map(\.reference) == [nil])
    }

    @Test("A release that cannot be sent is given up once the hold has lapsed, and no sooner")
    func lapse() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let void = try #require(story.last(.void, 0)).id
        story.report(.notSent(reason: "no link"), of: void)
        let isMatched = story.notice(0, .lapsed)
        #expect(isMatched)
        #expect(story.order.status == .compensating)
        story.report(.notSent(reason: "no link"), of: void)
        let given = story.order.payments[0].attempt.all(.void).first { $0.id == void }
        #expect(given?.state == .notSent(reason: "no link"))
        #expect(story.order.status == .canceled && story.reasons.isEmpty)
    }

    @Test("is not what had failed before its event came, which names it", arguments: [false, true])
    func failedBeforeNamed(isNamed: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let id = story.order.payments[0].attempt.authorization.id
        let sale = Success(reference: "psp-0", amount: 300, capturedAmount: 300)
        story.step { $0.hear(Report(operation: id, outcome: .succeeded(sale), severalCaptures: true)) }
        #expect(story.order.captured == 300)
        try Self.tell(Notice(about: Self.subject(story), .reversed(.capture, .later)), to: &story)
        var subject = Self.subject(story, object: "evt_1")
        subject.isOthers = true
        let taken = Success(reference: nil, amount: isNamed ? 300 : 200, capturedAmount: isNamed ? 300 : 200)
        for _ in 0..<2 {
            try Self.tell(Notice(about: subject, .outcome(.authorize, .succeeded(taken))), to: &story)
            #expect(story.order.captured == (isNamed ? 0 : 200))
        }
        #expect(story.order.payments[0].attempt.all(.capture).count == (isNamed ? 1 : 2))
    }

    @Test(
        "is the one that a refund implied where it is as much, and a part of that another one beside what is implied still",
        arguments: [(300, [300]), (120, [0, 180, 120])] as [(Int64, [Int64])]
    )
    func implied(amount: Int64, done: [Int64]) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        let refund = Notice(about: Self.subject(story, object: "re_1"), .outcome(.refund, .approved(300, "re_1")))
        try Self.tell(refund, to: &story)
        let implied = try #require(story.last(.capture, 0))
        #expect(implied.doneAmount == 300 && implied.reference == nil)
        let subject = Self.subject(story, object: "cap_1")
        try Self.tell(Notice(about: subject, .outcome(.capture, .approved(amount, "cap_1"))), to: &story)
        let captures = story.order.payments[0].attempt.all(.capture)
        #expect(captures.map(\.doneAmount).sorted() == done.sorted())
        #expect(captures.first { $0.reference == "cap_1" }?.doneAmount == amount)
        // What a line of the PSP's confirmed is never another amount under the same identifier.
        #expect([300, 0].contains(captures.first { $0.id == implied.id }?.doneAmount))
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }
}
