import Domain
import Testing

@Suite("A sale in one call whose capture fails later")
struct FailedSaleTests {
    /// How a PSP says so.
    enum Word: CaseIterable, Sendable {
        case reversedByName, reversed, refusedByName, refused, declined

        var happening: Notice.Happening {
            switch self {
            case .reversedByName, .reversed: .reversed(.capture, .later)
            case .refusedByName, .refused: .outcome(.capture, .rejected(.later))
            case .declined: .outcome(.capture, .refusedByIssuer)
            }
        }

        var object: String? { self == .reversed || self == .refused ? nil : "cap_1" }
    }

    private static let sale = Outcome.succeeded(Success(reference: "pay_1", amount: 300, capturedAmount: 300))

    private static func checkout(_ policy: Policy, _ onFailure: OrderTerms.OnCaptureFailure) -> Checkout {
        Checkout(amounts: [300], policy: policy, onDeadline: .continue, onCaptureFailure: onFailure)
    }

    static let terms: [(Policy, OrderTerms.OnCaptureFailure)] =
        [Policy.allOrNothing, .bestEffort, .required([Checkout.name(0)]), .minimum(300)].flatMap { policy in
            [(policy, .attention), (policy, .compensate)]
        }

    @Test("ends as any capture that failed, however it is said", arguments: Word.allCases)
    func fails(_ word: Word) throws {
        for (policy, onFailure) in Self.terms {
            var story = try Story(Self.checkout(policy, onFailure))
            story.authorize(0, Self.sale)
            #expect(story.order.status == .paid)
            for _ in 0..<2 {
                let isMatched = story.notice(0, word.happening, object: word.object)
                #expect(isMatched)
            }
            #expect(story.order.status != .paid && story.order.captured == 0)
            #expect(story.reasons == [.captureFailed])
            #expect(story.order.attention.first?.amountAtRisk == 300)
            let capture = try #require(story.last(.capture, 0))
            let entries = story.books.entries.filter { $0.operation == capture.id }
            #expect(entries.map(\.kind) == [.capture, .reversal])
            #expect(story.told("payment.capture_failed") == 1)
            #expect(story.toldMarketplace.contains(.paymentCaptureFailed))
            #expect(story.states == [onFailure == .compensate ? .voiding : .captureFailed])
        }
    }

    @Test("is known as failed although it is said before the approval", arguments: Word.allCases)
    func early(_ word: Word) throws {
        var story = try Story(Self.checkout(.bestEffort, .attention))
        let isEarly = story.notice(0, word.happening, object: word.object)
        #expect(!isEarly)
        story.authorize(0, Self.sale)
        let isMatched = story.notice(0, word.happening, object: word.object)
        #expect(isMatched && story.order.captured == 0 && story.reasons == [.captureFailed])
        story.authorize(0, Self.sale)
        _ = story.notice(0, .outcome(.authorize, Self.sale))
        #expect(story.order.captured == 0)
    }

    @Test(
        "and that was told as declined since is known as that, and nothing else under another name or state",
        arguments: [
            (Outcome.refusedByIssuer, "pay_1", true), (.refusedByIssuer, "cap_1", false),
            (.refusedByPSP(.unsupported), "pay_1", false), (.timedOut, "pay_1", false),
        ]
    )
    func declined(outcome: Outcome, object: String, isKnown: Bool) throws {
        var story = try Story(Self.checkout(.bestEffort, .attention))
        story.authorize(0, outcome)
        let (order, entries) = (story.order, story.books.entries)
        let attempt = order.payments[0].attempt.id.text
        let subject = Notice.Subject(attempt: attempt, payment: "pay_1", object: object)
        for _ in 0..<2 {
            let isMatched = story.hear(Notice(about: subject, .reversed(.capture, .later)))
            #expect(isMatched == isKnown)
        }
        #expect(story.states == order.payments.map { $0.state } && story.order.status == order.status)
        #expect(story.books.entries == entries && story.reasons.isEmpty)
    }

    @Test(
        "and that was refused as a capture of its own is known as that once its answer came, under no other name",
        arguments: [
            (Outcome.refusedByIssuer, "psp-0", true), (.refusedByPSP(.unsupported), "psp-0", true),
            (.refusedByIssuer, "cap_1", false), (.timedOut, "psp-0", false),
        ]
    )
    func refusedCapture(outcome: Outcome, object: String, isKnown: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300], capture: .manual))
        try story.capture()
        try story.answer(.capture, 0, .timedOut)
        let attempt = story.order.payments[0].attempt.id.text
        let subject = Notice.Subject(attempt: attempt, payment: "psp-0", object: object)
        let failure = Notice(about: subject, .reversed(.capture, .later))
        let isEarly = story.hear(failure)
        #expect(!isEarly)
        try story.answer(.capture, 0, outcome)
        let (order, entries) = (story.order, story.books.entries)
        for _ in 0..<2 {
            let isMatched = story.hear(failure)
            #expect(isMatched == isKnown)
        }
        #expect(story.order == order && story.books.entries == entries)
        guard isKnown else { return }
        #expect(story.reasons == [.captureFailed] && story.told("payment.capture_failed") == 1)
        try story.capture()
        let isTaken = story.hear(failure)
        #expect(!isTaken)
    }

    @Test("undoes what was sold beside it where the terms say so") func siblings() throws {
        let checkout = Checkout(policy: .bestEffort, onDeadline: .continue, onCaptureFailure: .compensate)
        var story = try Story(checkout)
        story.authorize(0, Self.sale)
        story.authorize(1, .succeeded(Success(reference: "pay_2", amount: 200, capturedAmount: 200)))
        #expect(story.order.status == .paid)
        _ = story.notice(0, .reversed(.capture, .later), object: "cap_1")
        #expect(story.last(.refund, 1)?.amount == 200)
        try story.succeed(.refund, 1)
        try story.succeed(.void, 0)
        #expect(story.books.balances.isEmpty)
    }

    @Test("is not meant by a refusal because it was captured already") func capturedAlready() throws {
        var story = try Story(Self.checkout(.bestEffort, .attention))
        story.authorize(0, Self.sale)
        let isMatched = story.notice(0, .outcome(.capture, .refusedByPSP(.alreadyCaptured)), object: "cap_7")
        #expect(isMatched && story.order.status == .paid && story.reasons.isEmpty)
    }

    @Test("as a refund that was pending and is refused is told and raised, whoever asked for it")
    func refunds() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        let refund = try #require(story.last(.refund, 0))
        story.report(.pending(Progress(reference: "re_1")), of: refund.id)
        for _ in 0..<2 {
            let isMatched = story.notice(0, .outcome(.refund, .rejected(.later)), object: "re_1")
            #expect(isMatched)
        }
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        #expect(story.reasons == [.refundFailed] && story.order.attention.first?.amountAtRisk == 100)
        #expect(story.told("payment.refund_rejected") == 1)
        #expect(story.toldMarketplace.last == .orderAttentionRequired)
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        #expect(story.reasons.isEmpty)
    }

    @Test(
        "as a refund that is refused by a later answer is told and raised like one that a webhook refuses",
        arguments: [Outcome.inProgress, .timedOut]
    )
    func answeredLater(first: Outcome) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        let refund = try #require(story.last(.refund, 0))
        story.report(first, of: refund.id)
        #expect(story.reasons.isEmpty)
        story.sleep(milliseconds: 3_600_000)
        let isClaimed = story.claim(refund.id)
        #expect(isClaimed)
        story.report(.rejected(.later), of: refund.id)
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        #expect(story.reasons == [.refundFailed] && story.order.attention.first?.amountAtRisk == 100)
        try story.refund(.amount(100))
        try story.answer(.refund, 0, .rejected(.later))
        #expect(story.order.attention.count == 1, "of a first answer only who asked is told")
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        #expect(story.reasons.isEmpty)
    }
}
