import Domain
import Gateway
import Storage
import Testing
import TributaryTestKit

/// What a PSP does that nobody asked for, told by webhook in any order; the books are held to all of `ledger verify`
/// after each.
@Suite("What a PSP does that nobody asked for", .timeLimit(.minutes(10)))
struct UnaskedEffectTests {
    /// What is told of a payment of 300.00, and what it comes to in whatever order.
    struct Sequence: Sendable, CustomTestStringConvertible {
        let name: String
        let checkout: TestCheckout
        let captured: Int64
        let refunded: Int64
        let status: OrderStatus
        let attention: Set<Attention.Reason>
        /// Whether it may be told backwards: a void that is told first cancels an order of which nothing is captured.
        var isReversible = true
        let news: @Sendable (Order, ScriptedAuthorization) -> [PSPNews]

        var testDescription: String { name }
    }

    private static let sale = TestCheckout([.init("airline", 30_000)], capture: .automatic, onDeadline: .continue)

    static let sequences: [Sequence] = [
        Sequence(
            name: "a void of a captured payment, told twice under two names of events",
            checkout: WebhookStage.ticket(),
            captured: 30_000,
            refunded: 30_000,
            status: .refunded,
            attention: [.captureVoided]
        ) { _, authorization in
            [.operation(.void, "succeeded", 30_000, of: authorization, object: "void_dash")]
        },
        Sequence(
            name: "a capture at the PSP and the void of it",
            checkout: WebhookStage.ticket(.manual),
            captured: 30_000,
            refunded: 30_000,
            status: .refunded,
            attention: [.captureVoided],
            isReversible: false
        ) { _, authorization in
            [
                .operation(.capture, "succeeded", 30_000, of: authorization, object: "capture_dash"),
                .operation(.void, "succeeded", 30_000, of: authorization, object: "void_dash"),
            ]
        },
        Sequence(
            name: "a capture of a part and the void of the rest",
            checkout: WebhookStage.ticket(.manual),
            captured: 10_000,
            refunded: 0,
            status: .partiallyPaid,
            attention: [],
            isReversible: false
        ) { _, authorization in
            [
                .operation(.capture, "succeeded", 10_000, of: authorization, object: "capture_dash"),
                .operation(.void, "succeeded", 20_000, of: authorization, object: "void_dash"),
            ]
        },
        Sequence(
            name: "refunds of all that was captured, the capture that they give back, and the end of the hold",
            checkout: WebhookStage.ticket(.manual),
            captured: 30_000,
            refunded: 30_000,
            status: .refunded,
            attention: []
        ) { _, authorization in
            [
                .operation(.refund, "succeeded", 10_000, of: authorization, object: "refund_1"),
                .operation(.refund, "succeeded", 20_000, of: authorization, object: "refund_2"),
                .operation(.capture, "succeeded", 30_000, of: authorization, object: "capture_dash"),
            ]
        },
        Sequence(
            name: "a sale in one call whose capture fails later",
            checkout: sale,
            captured: 0,
            refunded: 0,
            status: .authorized,
            attention: [.captureFailed]
        ) { _, authorization in
            [.operation(.capture, "failed_later", 30_000, of: authorization, object: "capture_sale")]
        },
        Sequence(
            name: "a second capture under the name of ours",
            checkout: WebhookStage.ticket(),
            captured: 40_000,
            refunded: 0,
            status: .paid,
            attention: [.duplicateEffect, .overCaptured]
        ) { order, authorization in
            [
                .operation(
                    .capture,
                    "succeeded",
                    10_000,
                    of: authorization,
                    object: "capture_again",
                    operation: order.all(.capture).first?.id
                )
            ]
        },
    ]

    @Test("is booked and raised", arguments: sequences, DatabaseEngine.allCases)
    func isBooked(_ sequence: Sequence, engine: DatabaseEngine) async throws {
        for isBackwards in sequence.isReversible ? [false, true] : [false] {
            try await WebhookStage.with(engine) { stage in
                let (placed, authorization) = try await stage.place(sequence.checkout)
                let order = try await stage.api.order(placed.id) { $0.payments.allSatisfy { !$0.isUnresolved } }
                let news = sequence.news(order, authorization)
                for item in isBackwards ? news.reversed() : news {
                    let reply = try await stage.api.deliver(item)
                    #expect(reply.status == 200)
                    // What was taken is applied by whoever comes first; where the order counts, one waits for the other.
                    if !sequence.isReversible { try await stage.settle(item) }
                }
                for item in news { try await stage.settle(item) }
                let told = try await stage.api.order(placed.id)
                #expect(told.captured == sequence.captured && told.refunded == sequence.refunded)
                #expect(told.status == sequence.status)
                #expect(Set(told.attention.map(\.reason)) == sequence.attention)
                #expect(told.attention.count == sequence.attention.count)
            }
        }
    }

    @Test("is booked although our void is out when the hold lapses", arguments: DatabaseEngine.allCases)
    func lapse(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place(WebhookStage.ticket(.manual))
            await stage.api.psp.script("tok_airline", .void, .held)
            let asking = Task { try await stage.api.gateway.request(.cancel, of: .init(placed.id, of: "travel")) }
            try await stage.api.psp.arrival(of: .void, "tok_airline")
            let lapsed = PSPNews.authorization(authorization, "expired")
            #expect(try await stage.api.deliver(lapsed).status == 200)
            try await stage.settle(lapsed)
            await stage.api.psp.release("tok_airline", .void)
            _ = try await asking.value
            let told = try await stage.api.order(placed.id) { $0.payments.allSatisfy { !$0.isUnresolved } }
            #expect(told.status == .canceled)
            #expect(told.all(.void).map(\.doneAmount) == [0, 30_000])
        }
    }
}

extension WebhookStage {
    /// Lets time pass until an event is told.
    fileprivate func settle(_ news: PSPNews) async throws {
        let end = ContinuousClock.now + .patience
        while ContinuousClock.now < end {
            if try await api.inbox().contains(where: { $0.eventID == news.id && $0.state == .applied }) { return }
            api.clock.advance(milliseconds: 1000)
            try await Task.sleep(for: .milliseconds(10))
        }
        try await api.webhook(news, once: .applied)
    }
}
