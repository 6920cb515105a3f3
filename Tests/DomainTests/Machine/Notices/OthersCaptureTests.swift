import Domain
import Testing

@Suite("A void beside somebody else's captures")
struct OthersCaptureTests {
    /// What is told of the first payment, at a PSP that takes several captures or one.
    private static func tell(
        _ story: inout Story,
        _ action: Notice.Action,
        _ amount: Int64,
        _ name: String,
        severalCaptures: Bool
    ) {
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: name)
        let notice = Notice(about: about, .outcome(action, .approved(amount, name)))
        let isMatched = story.hear(notice, severalCaptures: severalCaptures)
        #expect(isMatched)
    }

    private static func refuse(_ story: inout Story, _ operation: Operation, captured: Int64?) {
        let refusal = Rejection(.alreadyCaptured, code: "captured", message: "It is captured.", captured: captured)
        let report = Report(operation: operation.id, outcome: .rejected(refusal), severalCaptures: true)
        story.step { $0.hear(report) }
    }

    @Test("of ours takes back what had left nothing to release, whichever is heard of first", arguments: [true, false])
    func ours(isCaptureFirst: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        if isCaptureFirst { Self.tell(&story, .capture, 190, "cap_1", severalCaptures: false) }
        try story.answer(.void, 0, .approved(300, "void_1"))
        if !isCaptureFirst { Self.tell(&story, .capture, 190, "cap_1", severalCaptures: false) }
        let payment = story.order.payments[0]
        #expect(payment.captured == 190 && payment.refunded == 190 && payment.held == 0)
        #expect(story.reasons == [])
        Self.tell(&story, .void, 300, "void_1", severalCaptures: false)
        #expect(story.order.payments[0].refunded == 190)
    }

    @Test("that was told released what a capture of a known amount left", arguments: [true, false])
    func toldPart(isVoidFirst: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let capture = try #require(story.last(.capture, 0))
        if isVoidFirst { Self.tell(&story, .void, 300, "void_2", severalCaptures: true) }
        Self.refuse(&story, capture, captured: 123)
        if !isVoidFirst { Self.tell(&story, .void, 300, "void_2", severalCaptures: true) }
        Self.tell(&story, .capture, 123, "cap_1", severalCaptures: true)
        let payment = story.order.payments[0]
        #expect(payment.captured == 123 && payment.refunded == 0 && payment.held == 0)
        #expect(!story.reasons.contains(.captureVoided))
    }

    @Test("that was told leaves no capture of all, however often ours was sent", arguments: [true, false])
    func sentTwice(isCut: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let capture = try #require(story.last(.capture, 0))
        if isCut { story.report(.timedOut, of: capture.id) }
        Self.tell(&story, .void, 300, "void_2", severalCaptures: true)
        Self.refuse(&story, capture, captured: nil)
        #expect(story.order.captured == 0 && story.order.payments[0].refunded == 0)
        Self.tell(&story, .capture, 63, "cap_1", severalCaptures: true)
        let payment = story.order.payments[0]
        #expect(payment.captured == 63 && payment.refunded == 0 && payment.held == 0)
    }

    @Test("was a release, and took nothing back, once a part is told that it had left", arguments: [true, false])
    func takenForReversal(isVoidFirst: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        Self.refuse(&story, try #require(story.last(.capture, 0)), captured: nil)
        #expect(story.order.captured == 300)
        if isVoidFirst {
            Self.tell(&story, .void, 300, "void_2", severalCaptures: true)
            #expect(story.order.payments[0].refunded == 300 && story.reasons == [.captureVoided])
        }
        Self.tell(&story, .capture, 159, "cap_1", severalCaptures: true)
        if !isVoidFirst { Self.tell(&story, .void, 300, "void_2", severalCaptures: true) }
        let payment = story.order.payments[0]
        #expect(payment.captured == 159 && payment.refunded == 0 && payment.held == 0)
        #expect(!story.reasons.contains(.captureVoided))
        #expect(story.told("payment.reverse_explained") == (isVoidFirst ? 1 : 0))
    }

    @Test(
        "tells of what was captured before it, once, and that is given back where nobody wants it",
        arguments: [true, false],
        [true, false]
    )
    func toldByVoid(isOurs: Bool, isCaptureFirst: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let void = try #require(story.last(.void, 0))
        if isCaptureFirst { Self.tell(&story, .capture, 110, "cap_1", severalCaptures: true) }
        let released = Outcome.succeeded(Success(reference: "void_1", amount: 190, capturedAmount: 110))
        if isOurs {
            let report = Report(operation: void.id, outcome: released, severalCaptures: true)
            story.step { $0.hear(report) }
        } else {
            let attempt = story.order.payments[0].attempt.id.text
            let about = Notice.Subject(attempt: attempt, object: "void_1", isOthers: true)
            let isMatched = story.hear(Notice(about: about, .outcome(.void, released)), severalCaptures: true)
            #expect(isMatched)
            story.report(.refusedByPSP(.alreadyVoided), of: void.id)
        }
        if !isCaptureFirst { Self.tell(&story, .capture, 110, "cap_1", severalCaptures: true) }
        let payment = story.order.payments[0]
        #expect(payment.captured == 110 && payment.refunded == 0 && payment.held == 0)
        #expect(payment.attempt.all(.capture).count { $0.doneAmount > 0 } == 1)
        #expect(story.last(.refund, 0)?.amount == 110 && story.reasons == [])
    }

    @Test("tells a sum of which each capture takes its part as it is named", arguments: [[60, 50], [50, 60], [60]])
    func sum(named: [Int64]) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let void = try #require(story.last(.void, 0))
        let told = Success(reference: "void_1", amount: 190, capturedAmount: 110)
        story.step { $0.hear(Report(operation: void.id, outcome: .succeeded(told), severalCaptures: true)) }
        for amount in named { Self.tell(&story, .capture, amount, "cap_\(amount)", severalCaptures: true) }
        let payment = story.order.payments[0]
        #expect(payment.captured == 110 && payment.held == 0)
        #expect(story.last(.refund, 0)?.amount == 110 && story.reasons == [])
        story.step { $0.hear(Report(operation: void.id, outcome: .succeeded(told), severalCaptures: true)) }
        #expect(story.order.captured == 110)
    }

    @Test("tells of captures also where it is heard of behind a void that did nothing, or again", arguments: 0...2)
    func toldLater(_ way: Int) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let void = try #require(story.last(.void, 0))
        let gone = Rejection(.alreadyVoided, code: "voided", message: "It is.", captured: way == 2 ? 110 : nil)
        let first = way == 0 ? Outcome.approved(300, "void_1") : .rejected(gone)
        story.step { $0.hear(Report(operation: void.id, outcome: first, severalCaptures: true)) }
        if way < 2 {
            let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "void_1")
            let told = Success(reference: "void_1", amount: 190, capturedAmount: 110)
            let isMatched = story.hear(Notice(about: about, .outcome(.void, .succeeded(told))), severalCaptures: true)
            #expect(isMatched)
        }
        #expect(story.order.captured == 110 && story.last(.refund, 0)?.amount == 110)
    }

    @Test("tells of captures also beside one of ours that is under way and asks for more, whatever becomes of that")
    func toldBesideOurs() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .timedOut)
        let capture = try #require(story.last(.capture, 0))
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "void_1")
        let told = Success(reference: "void_1", amount: 254, capturedAmount: 46)
        let isMatched = story.hear(Notice(about: about, .outcome(.void, .succeeded(told))), severalCaptures: true)
        #expect(isMatched && story.order.captured == 46 && story.order.payments[0].held == 0)
        let refusal = Rejection(.alreadyCaptured, code: "c", message: "It is captured.", captured: 46)
        story.step {
            $0.hear(Report(operation: capture.id, outcome: .rejected(refusal), severalCaptures: true))
        }
        #expect(story.order.captured == 46 && story.order.payments[0].refunded == 0)
        #expect(story.last(.capture, 0)?.origin == .psp && !story.reasons.contains(.captureVoided))
    }

    @Test("tells of a capture of less than ours took, which stays beside it")
    func toldBesideOursDone() throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.answer(.capture, 0, .timedOut)
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "void_1")
        let told = Success(reference: "void_1", amount: 180, capturedAmount: 20)
        let isMatched = story.hear(Notice(about: about, .outcome(.void, .succeeded(told))), severalCaptures: true)
        #expect(isMatched && story.order.captured == 20)
        let capture = try #require(story.order.payments[0].attempt.all(.capture).first)
        story.report(.approved(100, "cap_1"), of: capture.id)
        #expect(story.order.captured == 120 && story.order.payments[0].refunded == 0)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("stands beside a capture that is declined, which is another one than it tells of")
    func declinedBeside() throws {
        var story = try Story.accepted(Checkout(amounts: [300, 100], onCaptureFailure: .compensate))
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "void_1")
        let told = Success(reference: "void_1", amount: 220, capturedAmount: 80)
        let isMatched = story.hear(Notice(about: about, .outcome(.void, .succeeded(told))), severalCaptures: true)
        #expect(isMatched && story.order.payments[0].captured == 80)
        _ = story.notice(0, .outcome(.capture, .refusedByIssuer), object: "cap_1")
        #expect(story.order.payments[0].captured == 80 && !story.reasons.contains(.captureFailed))
    }

    @Test("of which one failed after all, has all at stake that the PSP told under its name")
    func failedUnderOneName() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let capture = try #require(story.last(.capture, 0))
        let refusal = Rejection(.alreadyVoided, code: "voided", message: "Nothing is held.", captured: 20)
        story.step { $0.hear(Report(operation: capture.id, outcome: .rejected(refusal), severalCaptures: true)) }
        Self.tell(&story, .capture, 280, "cap_1", severalCaptures: true)
        Self.tell(&story, .capture, 20, "cap_2", severalCaptures: true)
        #expect(story.order.captured == 300)
        let isMatched = story.notice(0, .outcome(.capture, .refusedByIssuer), object: "cap_1")
        #expect(isMatched)
        let doubted = story.order.attention.filter { $0.reason == .successAfterRefusal }
        #expect(doubted.map(\.amountAtRisk) == [280])
    }

    @Test("and a refund of a part that took it all need nobody, once it is told which part that was")
    func refundedAlready() throws {
        var story = try Story.accepted(Checkout(amounts: [300], onCaptureFailure: .compensate))
        try story.capture()
        try story.answer(.capture, 0, .refusedByPSP(.unsupported))
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 300)
        try story.answer(.refund, 0, .refusedByPSP(.unsupported))
        #expect(story.reasons.contains(.compensationRefused))
        Self.tell(&story, .refund, 49, "ref_1", severalCaptures: false)
        Self.tell(&story, .capture, 49, "cap_1", severalCaptures: false)
        let payment = story.order.payments[0]
        #expect(payment.captured == 49 && payment.refunded == 49 && payment.held == 0)
        #expect(!story.reasons.contains(.compensationRefused))
    }
}
