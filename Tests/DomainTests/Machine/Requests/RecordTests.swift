import Domain
import Testing

@Suite("What an operator enters that a PSP did")
struct RecordTests {
    private func record(
        _ story: inout Story,
        _ deed: OperatorRecord.Deed,
        _ index: Int = 0,
        reference: String? = nil
    ) throws(RequestRefusal) {
        let record = OperatorRecord(deed, of: story.order.payments[index].id, reference: reference)
        try story.request { (it) throws(RequestRefusal) in
            try it.record(record, .init(evidence: "portal, re_1", reason: "no webhook", by: "ada"))
        }
    }

    private func hear(_ index: Int, _ happening: Notice.Happening, object: String, _ story: inout Story) {
        let isHeard = story.notice(index, happening, object: object)
        #expect(isHeard)
    }

    /// Has it refused with a code, and what could have been entered instead.
    private func refuse(
        _ code: RequestRefusal.Code,
        _ story: inout Story,
        _ deed: OperatorRecord.Deed,
        of payment: PaymentID? = nil,
        reference: String? = nil,
        available: Int64? = nil
    ) {
        let record = OperatorRecord(deed, of: payment ?? story.order.payments[0].id, reference: reference)
        let refusal = story.refusal { (it) throws(RequestRefusal) in
            try it.record(record, .init(evidence: "e", reason: "r", by: "ada"))
        }
        #expect(refusal?.code == code, "\(deed)")
        if let available { #expect(refusal?.available == available, "\(deed)") }
    }

    private static func dispute(_ state: DisputeNotice.State, _ amount: Int64 = 200) -> OperatorRecord.Deed {
        .dispute(DisputeNotice(state: state, amount: amount))
    }

    private static func refunded(_ amount: Int64) -> Notice.Happening {
        .outcome(.refund, .succeeded(Success(reference: nil, amount: amount)))
    }

    @Test(
        "as a capture without a name is what the PSP names over as much, and no other one where several are possible",
        arguments: [100, 50] as [Int64]
    )
    func unnamedCapture(_ told: Int64) throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try record(&story, .capture(amount: 100, isFinal: false))
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_2")
        let notice = Notice(about: about, .outcome(.capture, .approved(told, "cap_2")))
        let isHeard = story.hear(notice, severalCaptures: true)
        #expect(isHeard)
        #expect(story.order.captured == (told == 100 ? 100 : 150))
        #expect(story.order.payments[0].held == (told == 100 ? 200 : 150))
    }

    @Test("as a last capture without a name gives way to what the PSP names, whatever that is over")
    func unnamedLastCapture() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try record(&story, .capture(amount: 100, isFinal: true))
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_1")
        let notice = Notice(about: about, .outcome(.capture, .approved(90, "cap_1")))
        let isHeard = story.hear(notice, severalCaptures: true)
        #expect(isHeard && story.order.captured == 90)
    }

    @Test("is posted with evidence, reason and name, as a fact of the operator's") func refund() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, .refund(amount: 100), reference: "re_1")
        #expect(story.order.refunded == 100)
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .refund])
        let operation = try #require(story.last(.refund, 0))
        #expect(operation.origin == .operator && operation.reference == "re_1")
        #expect(story.facts.last?.origin == .operator && story.facts.last?.amount == 100)
        let event = try #require(story.events.first { $0.type == "payment.recorded" })
        #expect(event.details.map(\.name) == ["deed", "amount", "psp_reference", "evidence", "reason", "by"])
        #expect(event.details.last?.value == "ada")
    }

    @Test("and what the PSP says of the same object changes nothing, whichever came first", arguments: [false, true])
    func sameObject(pspIsFirst: Bool) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        if pspIsFirst { hear(0, Self.refunded(100), object: "re_1", &story) }
        for _ in 0..<2 { try record(&story, .refund(amount: 100), reference: "re_1") }
        hear(0, Self.refunded(100), object: "re_1", &story)
        #expect(story.order.refunded == 100)
        #expect(story.order.attention == [])
        #expect(story.order.payments[0].attempt.all(.refund).count == 1)
        refuse(.referenceKnown, &story, .refund(amount: 50), reference: "re_1")
        hear(0, Self.refunded(30), object: "re_2", &story)
        #expect(story.order.refunded == 130)
    }

    @Test(
        "without the PSP's name is the object that the PSP names later, also where that says that nobody of ours asked for it",
        arguments: [false, true]
    )
    func named(isOthers: Bool) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, .refund(amount: 100))
        let attempt = story.order.payments[0].attempt.id.text
        let subject = Notice.Subject(attempt: attempt, object: "re_1", isOthers: isOthers)
        let isHeard = story.hear(Notice(about: subject, Self.refunded(100)))
        #expect(isHeard)
        #expect(story.order.refunded == 100 && story.last(.refund, 0)?.reference == "re_1")
        try record(&story, Self.dispute(.opened, 150))
        hear(0, .dispute(DisputeNotice(state: .opened, amount: 150)), object: "dp_1", &story)
        #expect(story.order.payments[0].disputes.map(\.reference) == ["dp_1"])
        #expect(story.order.payments[0].disputes.map(\.saidBy) == [.psp])
        #expect(story.order.chargedBack == 150)
    }

    @Test("of a dispute is the one that the PSP says was lost in part") func disputeLostInPart() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, Self.dispute(.opened, 150))
        hear(0, .dispute(DisputeNotice(state: .lost, amount: 40, disputed: 150)), object: "dp_1", &story)
        #expect(story.order.payments[0].disputes.map(\.reference) == ["dp_1"])
        #expect(story.order.chargedBack == 40)
    }

    @Test("of a dispute follows its life, with the PSP's word beside it") func disputes() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, Self.dispute(.opened), reference: "dp_1")
        #expect(story.order.chargedBack == 200)
        try record(&story, Self.dispute(.opened), reference: "dp_1")
        hear(0, .dispute(DisputeNotice(state: .opened, amount: 200)), object: "dp_1", &story)
        #expect(story.events.count { $0.type == "dispute.opened" } == 1)
        try record(&story, Self.dispute(.won), reference: "dp_1")
        #expect(story.order.chargedBack == 0)
        refuse(.disputeDecided, &story, Self.dispute(.opened), reference: "dp_1")
        try record(&story, Self.dispute(.lost), reference: "dp_1")
        #expect(story.order.chargedBack == 200)
        #expect(story.order.payments[0].disputes.count == 1)
        #expect(
            story.books.entries.map(\.kind)
                == [.authorization, .capture, .chargeback, .chargebackReversal, .chargeback]
        )
    }

    @Test("of a dispute without a name is no other one of another amount: that needs the PSP's name")
    func unnamedDisputes() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, Self.dispute(.opened, 100))
        refuse(.referenceRequired, &story, Self.dispute(.opened, 50))
        #expect(story.order.chargedBack == 100)
        try record(&story, Self.dispute(.opened, 50), reference: "dp_2")
        #expect(story.order.payments[0].disputes.map(\.amount) == [100, 50] && story.order.chargedBack == 150)
        try record(&story, Self.dispute(.lost, 80))
        #expect(story.order.payments[0].disputes.map(\.amount) == [80, 50])
        story.sleep(milliseconds: 1000)
        try record(&story, Self.dispute(.won, 80))
        refuse(.referenceRequired, &story, Self.dispute(.opened, 90))
        try record(&story, Self.dispute(.opened, 90), reference: "dp_1")
        #expect(story.order.chargedBack == 140)
    }

    @Test("of another amount than the PSP says gives way to the PSP") func corrected() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, Self.dispute(.opened, 250), reference: "dp_1")
        hear(0, .dispute(DisputeNotice(state: .opened, amount: 200)), object: "dp_1", &story)
        #expect(story.order.chargedBack == 200)
    }

    @Test("of more than the PSP says of it by its name gives way to the PSP, and a person is told")
    func entersTooMuch() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try record(&story, .refund(amount: 100), reference: "re_1")
        for _ in 0..<2 { hear(0, Self.refunded(10), object: "re_1", &story) }
        #expect(story.order.refunded == 10)
        #expect(story.order.attention.map(\.reason) == [.amountMismatch])
        #expect(story.order.attention.map(\.amountAtRisk) == [90])
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .refund, .correction])
        try record(&story, .refund(amount: 10), reference: "re_1")
        hear(0, Self.refunded(4), object: "re_1", &story)
        #expect(story.order.refunded == 10 && story.order.attention.count == 1)
    }

    @Test("of a dispute without a name is none that the PSP has named: that is asked for")
    func namedDispute() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        hear(0, .dispute(DisputeNotice(state: .opened, amount: 120)), object: "dp_1", &story)
        for state in [DisputeNotice.State.lost, .opened] {
            refuse(.referenceRequired, &story, Self.dispute(state, 120))
        }
        try record(&story, Self.dispute(.lost, 120), reference: "dp_1")
        #expect(story.order.chargedBack == 120 && story.order.payments[0].disputes.count == 1)
    }

    @Test("is a capture, or a release of what is held") func captures() throws {
        var story = try Story.accepted(Checkout(amounts: [300, 200], policy: .bestEffort))
        try record(&story, .capture(amount: 100, isFinal: false), reference: "cap_1")
        #expect(story.order.payments[0].captured == 100 && story.order.payments[0].held == 200)
        try record(&story, .void)
        #expect(story.order.payments[0].held == 0)
        try record(&story, .capture(amount: 150, isFinal: true), 1)
        #expect(story.order.payments[1].captured == 150 && story.order.payments[1].held == 0)
        #expect(story.order.captured == 250)
        refuse(.nothingHeld, &story, .void)
        refuse(.nothingHeld, &story, .capture(amount: 1, isFinal: true), available: 0)
    }

    @Test("is said with resolve where an operation of ours is under way") func underWay() throws {
        var story = try Story(Checkout(amounts: [300, 200]))
        story.approve(0)
        story.authorize(1, .refusedByIssuer)
        #expect(story.order.decision.state == .refused)
        refuse(.releaseInProgress, &story, .capture(amount: 300, isFinal: true))
    }

    @Test("is refused precisely where it cannot be") func refusals() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let stranger = try Story(Checkout(amounts: [1, 2, 3])).order.payments[2].id
        refuse(.unknownPayment, &story, .refund(amount: 1), of: stranger)
        for amount in [0, -1, .max] as [Int64] {
            refuse(.invalidAmount, &story, .refund(amount: amount))
            refuse(.invalidAmount, &story, Self.dispute(.opened, amount))
        }
        refuse(.refundExceedsCaptured, &story, .refund(amount: 301), available: 300)
        refuse(.disputeExceedsCaptured, &story, Self.dispute(.opened, 301), available: 300)
        try record(&story, Self.dispute(.opened, 200), reference: "dp_1")
        refuse(.disputeExceedsCaptured, &story, Self.dispute(.opened, 101), reference: "dp_2", available: 100)
        refuse(.refundExceedsCaptured, &story, .refund(amount: 101), available: 100)
        var held = try Story.accepted(Checkout(amounts: [300]))
        refuse(.refundExceedsCaptured, &held, .refund(amount: 1))
        refuse(.disputeExceedsCaptured, &held, Self.dispute(.opened, 1))
        refuse(.captureExceedsAuthorized, &held, .capture(amount: 301, isFinal: true), available: 300)
        try held.capture()
        refuse(.captureInProgress, &held, .capture(amount: 1, isFinal: true))
        refuse(.captureInProgress, &held, .void)
    }
}
