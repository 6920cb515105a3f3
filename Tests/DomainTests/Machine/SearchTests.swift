import Testing

@testable import Domain

@Suite("A search beside an authorization that was sent twice")
struct SearchTests {
    /// How late the PSP lists what a repetition made.
    private static let delay: Int64 = 60_000
    private static let timings = ReportTimings(repetitionDelayMilliseconds: delay)

    /// An order whose only authorization is in doubt, and sent again.
    private static func sentTwice() throws -> (story: Story, id: OperationID) {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let id = story.sendAuthorizationTwice(of: 0)
        return (story, id)
    }

    /// An order whose only authorization is sent again, and approved as `psp-1`.
    private static func repeated(_ timings: ReportTimings = timings) throws -> (story: Story, id: OperationID) {
        var (story, id) = try Self.sentTwice()
        story.step { $0.hear(Report(operation: id, outcome: .approved(300), timings: timings)) }
        #expect(story.order.status == .authorized)
        return (story, id)
    }

    private static func operation(_ id: OperationID, _ story: Story) -> Operation? { operation(id, story.order) }

    private static func operation(_ id: OperationID, _ order: Order) -> Operation? {
        order.payments.flatMap(\.attempts).flatMap(\.operations).first { $0.id == id }
    }

    /// Takes an operation in hand, if it is due.
    private static func claim(_ id: OperationID, by instance: String = "one", _ story: inout Story, isDue: Bool = true)
    {
        let isClaimed = story.claim(id, by: instance)
        #expect(isClaimed == isDue)
    }

    /// Lets time pass until a search is due, and has an instance take it in hand.
    private static func begin(_ id: OperationID, by instance: String = "one", _ story: inout Story) {
        story.sleep(milliseconds: story.rules.leaseMilliseconds + delay)
        claim(id, by: instance, &story)
    }

    /// What a search of the present lease found.
    private static func hear(_ outcome: Outcome, about id: OperationID, _ story: inout Story) {
        story.step { machine in
            let lease = Self.operation(id, machine.order)?.leases
            machine.hear(Report(operation: id, outcome: outcome, timings: timings, isOfSearch: true, lease: lease))
        }
    }

    @Test("is due once nothing that was sent can still arrive or stay unlisted, and is taken in hand no earlier")
    func due() throws {
        var (story, id) = try Self.repeated()
        let due = story.rules.leaseMilliseconds + Self.delay
        #expect(Self.operation(id, story)?.dueAt == story.now.adding(milliseconds: due))
        story.sleep(milliseconds: due - 1)
        Self.claim(id, &story, isDue: false)
        story.sleep(milliseconds: 1)
        Self.claim(id, by: "two", &story)
        let operation = try #require(Self.operation(id, story))
        #expect(operation.leasedBy == "two" && operation.state == .succeeded && operation.sendings == 2)
    }

    @Test("is none where a repetition makes nothing, or nothing was repeated")
    func none() throws {
        let (story, id) = try Self.repeated(ReportTimings())
        #expect(Self.operation(id, story)?.dueAt == nil)
        var other = try Story(Checkout(amounts: [300], capture: .manual))
        let only = other.order.payments[0].attempt.authorization.id
        other.step { $0.hear(Report(operation: only, outcome: .approved(300), timings: Self.timings)) }
        #expect(Self.operation(only, other)?.dueAt == nil)
    }

    @Test("has what it finds beside it released, and is over")
    func found() throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, &story)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-2")]
        Self.hear(.succeeded(success), about: id, &story)
        let payment = story.order.payments[0]
        #expect(payment.attempt.pspReference == "psp-1" && payment.attempt.all(.void).isEmpty)
        let surplus = payment.attempts.filter(\.isSurplus)
        #expect(surplus.map(\.pspReference) == ["psp-2"] && surplus.flatMap { $0.all(.void) }.map(\.amount) == [300])
        #expect(Self.operation(id, story)?.dueAt == nil && Self.operation(id, story)?.leasedBy == nil)
        #expect(story.order.attention.isEmpty)
    }

    @Test("has each of two holds that the PSP refuses to release rest with an item of its own")
    func refused() throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, &story)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-2")]
        Self.hear(.succeeded(success), about: id, &story)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        var open = story.order.payments[0].attempts.flatMap(\.openOperations)
        #expect(open.count == 2)
        while !open.isEmpty {
            story.sleep(milliseconds: 3_600_000)
            for void in open {
                if void.leasedBy == nil { Self.claim(void.id, &story) }
                story.report(.refusedByPSP(.configuration), of: void.id)
            }
            open = story.order.payments[0].attempts.flatMap(\.openOperations)
        }
        let voids = story.order.payments[0].attempts.flatMap { $0.all(.void) }.map(\.id)
        #expect(story.reasons == [.compensationRefused, .compensationRefused])
        #expect(Set(story.order.attention.map(\.operation)) == Set(voids))
    }

    @Test("goes on where the authorization was refused, and is approved after all")
    func approvedAfterAll() throws {
        var (story, id) = try Self.sentTwice()
        story.step { $0.hear(Report(operation: id, outcome: .refusedByIssuer, timings: Self.timings)) }
        let due = try #require(Self.operation(id, story)?.dueAt)
        story.step { $0.hear(Report(operation: id, outcome: .approved(300), timings: Self.timings)) }
        #expect(Self.operation(id, story)?.state == .succeeded && Self.operation(id, story)?.dueAt == due)
    }

    @Test("has what was approved of the other one in part released")
    func foundInPart() throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, &story)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-2", approvedAmount: 120)]
        Self.hear(.succeeded(success), about: id, &story)
        let surplus = try #require(story.order.payments[0].attempts.first { $0.isSurplus })
        #expect(surplus.authorized == 120 && surplus.held == 120)
        let void = try #require(surplus.all(.void).first)
        story.report(.approved(120, "v"), of: void.id)
        #expect(story.order.payments[0].attempts.map(\.held) == [300, 0])
        #expect(story.order.status == .authorized && story.order.attention.isEmpty)
    }

    @Test("has what was captured of the other one given back, and the rest of it released")
    func captured() throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, &story)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-2", capturedAmount: 100)]
        story.step { machine in
            let lease = Self.operation(id, machine.order)?.leases
            var report = Report(operation: id, outcome: .succeeded(success), timings: Self.timings, isOfSearch: true)
            (report.lease, report.severalCaptures) = (lease, true)
            machine.hear(report)
        }
        let surplus = try #require(story.order.payments[0].attempts.first { $0.isSurplus })
        #expect(surplus.captured == 100 && surplus.held == 200)
        let void = try #require(surplus.all(.void).first)
        story.report(.approved(200, "v"), of: void.id)
        let undone = try #require(story.order.payments[0].attempts.first { $0.isSurplus })
        #expect(undone.held == 0 && undone.all(.refund).map(\.amount) == [100])
        #expect(story.order.payments[0].attempt.all(.void).isEmpty)
    }

    @Test("has the other one released where the one that is known holds nothing any more")
    func other() throws {
        var (story, id) = try Self.repeated()
        try story.request { it throws(RequestRefusal) in try it.cancel() }
        try story.succeed(.void, 0)
        Self.begin(id, &story)
        Self.hear(.approved(300, "psp-2"), about: id, &story)
        let surplus = story.order.payments[0].attempts.filter(\.isSurplus)
        #expect(surplus.map(\.pspReference) == ["psp-2"] && surplus.flatMap { $0.all(.void) }.count == 1)
    }

    @Test(
        "that says that there is nothing else is over, and changes nothing",
        arguments: [
            Outcome.approved(300), .refusedByIssuer, .refusedByPSP(.alreadyVoided), .refusedByPSP(.expired),
        ]
    )
    func nothing(outcome: Outcome) throws {
        var (story, id) = try Self.repeated()
        let before = story.order
        Self.begin(id, &story)
        Self.hear(outcome, about: id, &story)
        #expect(Self.operation(id, story)?.dueAt == nil)
        #expect(story.order.payments.map(\.state) == before.payments.map(\.state))
        #expect(story.order.attention.isEmpty && story.order.payments[0].attempts.count == 1)
    }

    @Test(
        "that tells nothing is made again, and no more once what might be held has lapsed",
        arguments: [Outcome.timedOut, .notSent(reason: "no adapter"), .refusedByPSP(.notFound), .inProgress]
    )
    func silent(outcome: Outcome) throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, &story)
        Self.hear(outcome, about: id, &story)
        let again = try #require(Self.operation(id, story))
        #expect(again.leasedBy == nil && again.dueAt.map { $0 > story.now } == true && again.state == .succeeded)
        #expect(story.order.attention.isEmpty)
        story.sleep(milliseconds: 8 * 86_400_000)
        Self.claim(id, &story)
        Self.hear(outcome, about: id, &story)
        #expect(Self.operation(id, story)?.dueAt == nil)
    }

    @Test("stays with whoever has it in hand when the approval is told again, or an answer of an earlier lease comes")
    func held() throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, by: "two", &story)
        let held = Self.operation(id, story)
        story.step { $0.hear(Report(operation: id, outcome: .approved(300), timings: Self.timings)) }
        story.step { machine in
            let lease = held.map { $0.leases - 1 }
            machine.hear(
                Report(operation: id, outcome: .timedOut, timings: Self.timings, isOfSearch: true, lease: lease)
            )
        }
        #expect(Self.operation(id, story) == held)
    }

    @Test("follows an end that the PSP tells by itself", arguments: [true, false])
    func ended(isVoided: Bool) throws {
        var (story, id) = try Self.sentTwice()
        story.report(.buyerHasToAct(), of: id)
        let done = Success(reference: "psp-action", amount: 300)
        let notice = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, payment: "psp-action"),
            isVoided ? .outcome(.void, .succeeded(done)) : .lapsed
        )
        story.step { machine in
            let isMatched = machine.hear(notice, timings: Self.timings)
            #expect(isMatched)
        }
        let operation = try #require(Self.operation(id, story))
        #expect(!operation.isOpen && operation.dueAt.map { $0 > story.now } == true)
    }

    @Test("has what it found undone, though an earlier inquiry names it as what was asked for")
    func foundFirst() throws {
        var (story, id) = try Self.repeated()
        Self.begin(id, &story)
        var success = Success(reference: "psp-1", amount: 300)
        success.surplus = [SurplusPayment(reference: "psp-2", capturedAmount: 100)]
        Self.hear(.succeeded(success), about: id, &story)
        let before = story.order
        var late = Success(reference: "psp-2", amount: 300)
        late.capturedAmount = 100
        story.step { $0.hear(Report(operation: id, outcome: .succeeded(late), timings: Self.timings, lease: 2)) }
        #expect(story.order.payments[0].attempt == before.payments[0].attempt)
        #expect(story.order.payments[0].attempts.count == 2)
    }

    @Test("is left what a late answer of the first sending names")
    func lateAnswer() throws {
        var (story, id) = try Self.repeated()
        let due = Self.operation(id, story)?.dueAt
        story.step { $0.hear(Report(operation: id, outcome: .approved(300, "psp-2"), timings: Self.timings, lease: 1)) }
        #expect(story.order.payments[0].attempts.map(\.pspReference) == ["psp-1"])
        #expect(due != nil && Self.operation(id, story)?.dueAt == due)
    }

    @Test(
        "follows a refusal, too: the first sending may have made a hold that nobody heard of",
        arguments: [true, false]
    )
    func refused(isNamed: Bool) throws {
        var (story, id) = try Self.sentTwice()
        if isNamed { story.report(.inProgress, of: id) }
        story.step { $0.hear(Report(operation: id, outcome: .refusedByIssuer, timings: Self.timings)) }
        #expect(story.order.status == .failed)
        Self.begin(id, &story)
        Self.hear(.approved(300, "psp-2"), about: id, &story)
        let surplus = story.order.payments[0].attempts.filter(\.isSurplus)
        #expect(surplus.map(\.pspReference) == ["psp-2"] && surplus.flatMap { $0.all(.void) }.count == 1)
        #expect(Self.operation(id, story)?.dueAt == nil && story.order.attention.isEmpty)
    }
}
