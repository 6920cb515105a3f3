import Domain
import Testing

@Suite("An operator's word")
struct ResolveTests {
    private func resolve(
        _ story: inout Story,
        _ operation: OperationID,
        _ word: ManualOutcome
    ) throws(RequestRefusal) {
        try story.request { (it) throws(RequestRefusal) in
            let evidence = OrderRequest.Evidence(
                evidence: "ch_1 in the dashboard",
                reason: "no reply for a day",
                by: "ada"
            )
            try it.resolve(operation, word, evidence)
        }
    }

    @Test("ends a doubt like a PSP's own word, and is told with evidence, reason and name") func endsDoubts() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .timedOut)
        let capture = try #require(story.last(.capture, 0)).id
        try resolve(&story, capture, .succeeded(amount: nil, reference: "ch_1"))
        #expect(story.order.status == .paid)
        #expect(story.last(.capture, 0)?.reference == "ch_1")
        #expect(story.facts.last?.origin == .operator)
        let event = try #require(story.events.first { $0.type == "payment.resolved" })
        #expect(event.details.map(\.name) == ["outcome", "evidence", "reason", "by"])
        #expect(event.details.map(\.value) == ["succeeded", "ch_1 in the dashboard", "no reply for a day", "ada"])
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture])
    }

    @Test("can say that it failed, or was never sent", arguments: [ManualOutcome.failed, .notSent])
    func saysNo(_ word: ManualOutcome) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .timedOut)
        try resolve(&story, story.order.payments[0].attempt.authorization.id, word)
        #expect(story.states == [word == .failed ? .declined : .notSent])
        #expect(story.order.status == .failed)
        var capturing = try Story.accepted(Checkout(amounts: [300]))
        try capturing.capture()
        try capturing.answer(.capture, 0, .timedOut)
        try resolve(&capturing, try #require(capturing.last(.capture, 0)).id, word)
        #expect(capturing.states == [.captureFailed])
        #expect(capturing.reasons == [.captureFailed])
    }

    @Test("is refused if it names another payment than the PSP did") func refusesAnotherName() throws {
        var story = try Story(Checkout(amounts: [300]))
        let attempt = story.order.payments[0].attempt
        story.report(.pending(Progress(reference: "psp-1")), of: attempt.authorization.id)
        for (name, code) in [("psp-2", RequestRefusal.Code.referenceKnown), ("psp-1", nil)] {
            let refusal = story.refusal { (it) throws(RequestRefusal) in
                let word = ManualOutcome.succeeded(amount: nil, reference: name)
                try it.resolve(attempt.authorization.id, word, .init(evidence: "", reason: "", by: "ada"))
            }
            #expect(refusal?.code == code)
        }
        #expect(story.states == [.capturing])
        var undone = try Story(Checkout(amounts: [300]))
        let id = undone.sendAuthorizationTwice(of: 0)
        undone.report(.refusedByIssuer, of: id)
        undone.step { $0.hear(Report(operation: id, outcome: .approved(300, "psp-2"), isOfSearch: true)) }
        let refusal = undone.refusal { (it) throws(RequestRefusal) in
            try it.resolve(id, .succeeded(amount: nil, reference: "psp-2"), .init(evidence: "", reason: "", by: "ada"))
        }
        #expect(refusal?.code == .referenceKnown)
    }

    @Test("is refused about what is known, except a success after a refusal") func refusesTheKnown() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .refusedByIssuer)
        let capture = try #require(story.last(.capture, 0)).id
        for word in [ManualOutcome.failed, .notSent] {
            let refusal = story.refusal { (it) throws(RequestRefusal) in
                try it.resolve(capture, word, .init(evidence: "", reason: "", by: "ada"))
            }
            #expect(refusal?.code == .operationSettled)
        }
        try resolve(&story, capture, .succeeded())
        #expect(story.order.status == .paid)
        #expect(story.reasons == [.successAfterRefusal])
        let again = story.refusal { (it) throws(RequestRefusal) in
            try it.resolve(capture, .succeeded(), .init(evidence: "", reason: "", by: "ada"))
        }
        #expect(again?.code == .operationSettled)
        #expect(again?.detail == "The operation is succeeded already.")
    }

    @Test("is refused about another order's operation") func refusesStrangers() throws {
        var story = try Story()
        let other = try Story(Checkout(amounts: [1, 2, 3])).order.payments[2].attempt.authorization.id
        let refusal = story.refusal { (it) throws(RequestRefusal) in
            try it.resolve(other, .failed, .init(evidence: "", reason: "", by: "ada"))
        }
        #expect(refusal?.code == .unknownOperation)
    }

    @Test("of the buyer's side that a step is done has the PSP asked at once, and only then") func completes() throws {
        var story = try Story(Checkout(amounts: [300]))
        let payment = story.order.payments[0].id
        let early = story.refusal { (it) throws(RequestRefusal) in try it.complete(payment) }
        #expect(early?.code == .actionNotRequired)
        story.authorize(0, .buyerHasToAct())
        #expect(story.order.payments[0].attempt.authorization.dueAt == story.now.adding(milliseconds: 5000))
        story.sleep(milliseconds: 1000)
        try story.request { (it) throws(RequestRefusal) in try it.complete(payment) }
        #expect(story.order.payments[0].attempt.authorization.dueAt == story.now)
        #expect(story.told("payment.action_completed") == 1)
        let isClaimed = story.claim(story.order.payments[0].attempt.authorization.id)
        #expect(isClaimed)
        #expect(story.states == [.requiresAction])
        story.approve(0)
        #expect(story.order.decision.state == .cleared)
        let stranger = try Story(Checkout(amounts: [1, 2, 3])).order.payments[2].id
        let unknown = story.refusal { (it) throws(RequestRefusal) in try it.complete(stranger) }
        #expect(unknown?.code == .unknownPayment)
    }
}
