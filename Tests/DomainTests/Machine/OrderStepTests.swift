import Domain
import SeededRandom
import Testing

@Suite("A step of an order")
struct OrderStepTests {
    private static func machine(
        _ story: Story,
        by instance: String = "one",
        later milliseconds: Int64 = 0
    ) -> OrderMachine {
        OrderMachine(
            story.order,
            at: story.now.adding(milliseconds: milliseconds),
            by: instance,
            rules: story.rules,
            ids: IdentifierSource(random: SeededRandom(seed: 7))
        )
    }

    @Test("says what it leased, counts itself, and is one step for all it was told")
    func outcome() throws {
        let story = try Story()
        var machine = Self.machine(story)
        for payment in story.order.payments {
            let report = Report(operation: payment.attempt.authorization.id, outcome: .approved(payment.amount))
            try machine.apply(.outcome(report))
        }
        let step = machine.finish()
        let captures = step.order.payments.compactMap { $0.attempt.all(.capture).last?.id }
        #expect(!step.isEmpty)
        #expect(step.order.version == story.order.version + 1)
        #expect(step.perform == captures && captures.count == story.order.payments.count)
        #expect(step.record.erasures == story.order.payments.map(\.attempt.id))
        #expect(step.wakeAt != nil)
        #expect(step.answer == nil)
    }

    @Test("is empty if nothing came of it, and leaves the order as it was")
    func nothing() throws {
        var story = try Story()
        story.approve(0)
        let known = story.order.payments[0]
        var machine = Self.machine(story)
        try machine.apply(.claim(known.attempt.authorization.id))
        try machine.apply(.sending(known.attempt.authorization.id, lease: 1, isAnew: false))
        let step = machine.finish()
        #expect(step.isEmpty)
        #expect(step.order == story.order)
        #expect(step.perform.isEmpty && step.resent.isEmpty)
    }

    @Test("keeps when the order changed, and when something succeeded that the PSP had only taken on before")
    func times() throws {
        let story = try Story()
        let payment = story.order.payments[0]
        let operation = payment.attempt.authorization.id
        func moment(_ milliseconds: Int64) -> Timestamp { story.now.adding(milliseconds: milliseconds) }
        var first = Self.machine(story, later: 1000)
        try first.apply(.outcome(Report(operation: operation, outcome: .inProgress)))
        let pending = first.finish().order
        #expect((story.order.updatedAt, pending.updatedAt) == (story.order.createdAt, moment(1000)))
        #expect(pending.payments[0].authorizedAt == nil)
        var second = OrderMachine(
            pending,
            at: moment(5000),
            by: "one",
            rules: story.rules,
            ids: IdentifierSource(random: SeededRandom(seed: 8))
        )
        try second.apply(.outcome(Report(operation: operation, outcome: .approved(payment.amount))))
        let approved = second.finish().order
        #expect(approved.updatedAt == moment(5000))
        #expect(approved.payments[0].attempt.authorization.repliedAt == moment(1000))
        #expect(approved.payments[0].authorizedAt == moment(5000))
        #expect(approved.payments[0].capturedAt == nil)
    }

    @Test("is stored after a look at the clock, whatever came of it")
    func tick() throws {
        let story = try Story()
        var machine = Self.machine(story, later: 1)
        try machine.apply(.tick)
        let step = machine.finish()
        #expect(!step.isEmpty)
        #expect(step.order.updatedAt == story.order.updatedAt)
        #expect(step.order.version == story.order.version + 1)
    }

    @Test("makes the final answer once")
    func answer() throws {
        var story = try Story(Checkout(capture: .manual))
        for index in story.order.payments.indices.dropLast() { story.approve(index) }
        let last = try #require(story.order.payments.last)
        var machine = Self.machine(story)
        let report = Report(operation: last.attempt.authorization.id, outcome: .approved(last.amount))
        try machine.apply(.outcome(report))
        let step = machine.finish { order in Array(order.decision.state.rawValue.utf8) }
        #expect(step.answer == Array("accepted".utf8))
        #expect(step.order.isAnswered)
        var next = OrderMachine(
            step.order,
            at: story.now,
            by: "one",
            rules: story.rules,
            ids: IdentifierSource()
        )
        try next.apply(.tick)
        #expect(next.finish { _ in [1] }.answer == nil)
    }

    @Test("gives back what it leased itself as if it had never leased it")
    func handOver() throws {
        let story = try Story.accepted(Checkout())
        let request = OrderInput.request(
            .capture(.whole),
            by: nil,
            abilities: ["simulator": Story.anyAbility, "stripe": Story.anyAbility]
        )
        var machine = Self.machine(story, by: "command")
        try machine.apply(request)
        try machine.apply(.releaseLeases(of: "command"))
        let step = machine.finish()
        #expect(step.perform.isEmpty)
        for payment in step.order.payments {
            let capture = try #require(payment.attempt.all(.capture).last)
            #expect((capture.leases, capture.leasedBy, capture.sendings, capture.sentAt) == (0, nil, 0, nil))
            #expect(capture.dueAt == story.now)
        }
    }

    @Test("ends the leases of an instance that is gone: what it had in hand counts as perhaps sent")
    func crash() throws {
        let story = try Story()
        let authorization = story.order.payments[0].attempt.authorization
        var machine = Self.machine(story, by: "two", later: 10)
        try machine.apply(.releaseLeases(of: "nobody"))
        #expect(machine.order == story.order)
        try machine.apply(.releaseLeases(of: "one"))
        let released = try #require(machine.order.payments[0].attempt.operations.first)
        #expect(released.dueAt == story.now.adding(milliseconds: 10))
        #expect((released.leases, released.leasedBy, released.sendings) == (1, "one", 1))
        try machine.apply(.claim(authorization.id))
        let step = machine.finish()
        #expect(step.perform == [authorization.id])
        #expect(step.order.payments[0].attempt.authorization.state.name == "unknown")
    }

    @Test("counts what restored books take for unsent as sent until now")
    func restored() throws {
        let story = try Story.accepted(Checkout())
        var command = Self.machine(story, by: "command")
        try command.apply(
            .request(
                .capture(.whole),
                by: nil,
                abilities: ["simulator": Story.anyAbility, "stripe": Story.anyAbility]
            )
        )
        try command.apply(.releaseLeases(of: "command"))
        let later = story.now.adding(milliseconds: 60_000)
        var machine = OrderMachine(
            command.finish().order,
            at: later,
            by: "recovery",
            rules: story.rules,
            ids: IdentifierSource(random: SeededRandom(seed: 8))
        )
        try machine.apply(.restored)
        let step = machine.finish()
        #expect(step.perform.isEmpty)
        #expect(step.record == OrderMachine.Record())
        for payment in step.order.payments {
            let capture = try #require(payment.attempt.all(.capture).last)
            #expect((capture.sendings, capture.sentAt, capture.leases, capture.leasedBy) == (2, later, 0, nil))
            #expect(capture.state == .open)
            #expect(capture.isAnsweredInDoubt)
            #expect(capture.doubts == 1)
            #expect(capture.dueAt == story.now)
            // What was over stays over.
            #expect(payment.attempt.authorization.sentAt != later)
        }
        let first = try #require(step.order.payments.first?.attempt.all(.capture).last)
        var next = OrderMachine(step.order, at: later, by: "one", rules: story.rules, ids: IdentifierSource())
        try next.apply(.claim(first.id))
        let claimed = try #require(next.finish().order.payments.first?.attempt.all(.capture).last)
        #expect(claimed.state.name == "unknown")
        #expect((claimed.sendings, claimed.leases, claimed.sentUnderLease) == (2, 1, 0))
    }
}
