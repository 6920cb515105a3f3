import Domain
import Testing

@Suite("What is not news of an operation is read all the same")
struct DuplicateEffectTests {
    private static func named(_ operation: Operation, _ action: Notice.Action, _ outcome: Outcome) -> Notice {
        let object: String? = if case .succeeded(let success) = outcome { success.reference } else { nil }
        return Notice(about: .init(operation: operation.id.text, object: object), .outcome(action, outcome))
    }

    @Test("as a second refund under our name for it, with another object") func secondRefund() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        let refund = try #require(story.last(.refund, 0))
        story.report(.approved(100, "re_1"), of: refund.id)
        for _ in 0..<2 {
            for object in ["re_2", "re_1"] {
                let isMatched = story.hear(Self.named(refund, .refund, .approved(100, object)))
                #expect(isMatched)
            }
        }
        #expect(story.order.refunded == 200)
        let refunds = story.order.payments[0].attempt.all(.refund)
        #expect(refunds.map(\.origin) == [.gateway, .psp] && refunds.map(\.reference) == ["re_1", "re_2"])
        #expect(story.order.attention.map(\.reason) == [.duplicateEffect])
        #expect(story.order.attention.first?.operation == refunds[1].id)
        #expect(story.order.attention.first?.amountAtRisk == 100)
        #expect(story.books.entries.last?.operation == refunds[1].id)
        #expect(story.order.status(of: story.order.refunds[0]) == .succeeded)
        _ = story.hear(Notice(about: .init(operation: refund.id.text, object: "re_2"), .reversed(.refund, .later)))
        #expect(story.order.refunded == 100)
        #expect(story.last(.refund, 0)?.state == .reversed(.later))
    }

    @Test("as a second object in an answer, or under a name that was pending") func answers() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        let refund = try #require(story.last(.refund, 0))
        story.report(.pending(Progress(reference: "re_1")), of: refund.id)
        _ = story.hear(Self.named(refund, .refund, .approved(100, "re_2")))
        #expect(story.order.refunded == 100 && story.reasons == [.duplicateEffect])
        #expect(story.order.status(of: story.order.refunds[0]) == .pending)
        story.report(.approved(100, "re_1"), of: refund.id)
        #expect(story.order.refunded == 200)
        story.report(.approved(50, "re_3"), of: refund.id)
        story.report(.approved(50, "re_3"), of: refund.id)
        #expect(story.order.refunded == 250)
        #expect(story.reasons == [.duplicateEffect, .duplicateEffect])
    }

    @Test("as a second capture under our name for it, with another object") func secondCapture() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture(story.items([(0, 100)], isFinal: false))
        let capture = try #require(story.last(.capture, 0))
        story.report(.approved(100, "cap_1"), of: capture.id)
        for _ in 0..<2 { _ = story.hear(Self.named(capture, .capture, .approved(100, "cap_2")), severalCaptures: true) }
        #expect(story.order.captured == 200 && story.order.payments[0].held == 100)
        #expect(story.reasons == [.duplicateEffect])
    }

    @Test("as an approval that comes again with money captured at the PSP, once, and in any order")
    func capturedApproval() throws {
        for amounts in [[0, 120], [0, 120, 0, 120], [120, 0]] as [[Int64]] {
            var story = try Story(Checkout(amounts: [300], capture: .manual))
            for amount in amounts {
                let success = Success(reference: "pay_1", amount: 300, capturedAmount: amount)
                let isMatched = story.notice(0, .outcome(.authorize, .succeeded(success)))
                #expect(isMatched)
            }
            #expect(story.order.captured == 120)
            #expect(story.last(.capture, 0)?.origin == .psp)
            #expect(story.told("payment.captured_by_psp") == 1)
            #expect(story.books.entries.count { $0.kind == .capture } == 1)
            #expect(story.toldMarketplace.contains(.paymentCaptured))
        }
    }

    @Test("but not as an approval that tells of a capture of ours, before or after its answer, or one that failed")
    func capturesOfOurs() throws {
        let told = Success(reference: "pay_1", amount: 300, capturedAmount: 300)
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let isEarly = story.notice(0, .outcome(.authorize, .succeeded(told)))
        #expect(!isEarly)
        try story.answer(.capture, 0, .timedOut)
        let isMatched = story.notice(0, .outcome(.authorize, .succeeded(told)))
        #expect(isMatched && story.order.captured == 300 && story.count(.capture) == 1)
        _ = story.notice(0, .outcome(.authorize, .succeeded(told)))
        #expect(story.order.captured == 300 && story.count(.capture) == 1 && story.reasons.isEmpty)
        _ = story.notice(0, .reversed(.capture, .later))
        _ = story.notice(0, .outcome(.authorize, .succeeded(told)))
        #expect(story.order.captured == 0 && story.reasons == [.captureFailed])
    }

    @Test(
        "as a refund or a capture whose amount grew, and not as one that names less",
        arguments: [[100, 150], [150, 100]]
    )
    func grown(_ amounts: [Int64]) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        let refund = try #require(story.last(.refund, 0))
        for amount in amounts + amounts { story.report(.approved(amount, "re_1"), of: refund.id) }
        for amount in amounts { _ = story.hear(Self.named(refund, .refund, .approved(amount, "re_1"))) }
        #expect(story.order.refunded == 150)
        #expect(story.reasons == [.amountMismatch] && story.order.attention.first?.amountAtRisk == 50)
        var capturing = try Story.accepted(Checkout(amounts: [300]))
        try capturing.capture(capturing.items([(0, 100)]), ability: Story.anyAbility)
        let capture = try #require(capturing.last(.capture, 0))
        for amount in amounts + amounts { capturing.report(.approved(amount, "cap_1"), of: capture.id) }
        #expect(capturing.order.captured == 150)
        #expect(capturing.reasons == [.amountMismatch] && capturing.order.attention.first?.amountAtRisk == 50)
    }

    @Test("as a refund made at the PSP whose amount grew", arguments: [[40, 90], [90, 40]])
    func grownElsewhere(_ amounts: [Int64]) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        for amount in amounts + amounts {
            _ = story.notice(0, .outcome(.refund, .approved(amount, "re_9")), object: "re_9")
        }
        #expect(story.order.refunded == 90)
    }

    @Test("but nothing that names less than what is known, or another authorization") func less() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let before = story.order
        let less: [(Notice.Action, Outcome)] = [
            (.capture, .approved(100, "capture-0")), (.authorize, .approved(300, "psp-0")),
            (.capture, .approved(300, "capture-0")), (.capture, .inProgress),
        ]
        for (action, outcome) in less {
            _ = story.notice(0, .outcome(action, outcome))
            #expect(story.order == before)
        }
        let attempt = story.order.payments[0].attempt.id.text
        let other = Notice(
            about: .init(attempt: attempt, payment: "psp-9"),
            .outcome(.authorize, .succeeded(Success(reference: "psp-9", amount: 300, capturedAmount: 300)))
        )
        let isMatched = story.hear(other)
        #expect(!isMatched && story.order == before)
    }
}
