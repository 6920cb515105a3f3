import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A PSP's webhook", .timeLimit(.minutes(10)))
struct WebhookStoryTests {
    @Test("finishes a capture that the PSP works on", arguments: DatabaseEngine.allCases)
    func pendingCapture(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            await stage.api.psp.script("tok_airline", .capture, ScriptedBehaviour(.pending(inquiries: .max)))
            let (placed, authorization) = try await stage.place()
            let capture = try #require(placed.all(.capture).first)
            #expect(placed.captured == 0 && capture.state == .pending)
            let object = try #require(authorization.operations.first?.id)
            try await stage.tell(
                .operation(.capture, "succeeded", 30_000, of: authorization, object: object, operation: capture.id)
            )
            let order = try await stage.api.order(placed.id)
            #expect(order.status == .paid && order.captured == 30_000)
            #expect(order.all(.capture).map(\.state) == [.succeeded])
        }
    }

    @Test("may come before the PSP's own answer, and counts once", arguments: DatabaseEngine.allCases)
    func beforeTheAnswer(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let psp = stage.api.psp
            await psp.script("tok_airline", .authorize, .held)
            await psp.script("tok_airline", .capture, .held)
            let checkout = Task { try await stage.place() }
            try await psp.arrival(of: .authorize, "tok_airline")
            let id = try #require(try await LedgerCheck.orders(in: stage.api.database).first?.id)
            let open = try await stage.api.order(id)
            let operation = try #require(open.all(.authorize).first?.id)
            // The PSP has written it down just before it holds its answer back.
            while await psp.authorizations.isEmpty { await Task.yield() }
            let authorization = try await stage.authorization(of: open)
            try await stage.tell(.authorization(authorization, "succeeded", operation: operation))
            #expect(try await stage.api.order(id).authorized == 30_000)

            try await psp.arrival(of: .capture, "tok_airline")
            while await psp.authorizations.first?.operations.isEmpty != false { await Task.yield() }
            let capture = try #require(try await stage.api.order(id).all(.capture).first?.id)
            let captured = try await stage.authorization(of: open)
            let object = try #require(captured.operations.first?.id)
            try await stage.tell(
                .operation(.capture, "succeeded", 30_000, of: captured, object: object, operation: capture)
            )
            #expect(try await checkout.value.order.status == .paid)
            await psp.releaseAll()
            let order = try await stage.api.order(id) { $0.all(.capture).allSatisfy { $0.leasedBy == nil } }
            #expect(order.captured == 30_000 && order.all(.capture).count == 1)
            #expect(order.payments[0].attempt.pspReference == authorization.id)
        }
    }

    @Test("of a refund in the PSP's dashboard becomes an operation and is posted", arguments: DatabaseEngine.allCases)
    func dashboardRefund(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            let news = PSPNews.operation(.refund, "succeeded", 12_000, of: authorization, object: "refund_dash")
            try await stage.tell(news)
            var order = try await stage.api.order(placed.id)
            #expect(order.status == .partiallyRefunded && order.refunded == 12_000)
            let refund = try #require(order.all(.refund).first)
            #expect(refund.origin == .psp && refund.reference == "refund_dash" && refund.doneAmount == 12_000)
            let posted = try await stage.api.database.read { session in
                try session.rows("SELECT kind FROM journal_entry WHERE operation_id = \(refund.id.text)")
                    .map { try $0.text("kind") }
            }
            #expect(posted == ["refund"])

            try await stage.tell(
                .operation(.refund, "failed_later", 12_000, of: authorization, object: "refund_dash")
            )
            order = try await stage.api.order(placed.id)
            #expect(order.status == .paid && order.refunded == 0)
            #expect(order.all(.refund).map(\.state.name) == ["reversed"])
        }
    }

    @Test("says that a refund of ours failed after all", arguments: DatabaseEngine.allCases)
    func ourRefundFails(engine: DatabaseEngine) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, _) = try await stage.place()
            let asked = try await stage.api.gateway.request(.refund(.init(.all)), of: .init(placed.id, of: "travel"))
            let refund = try #require(asked?.order.all(.refund).first)
            #expect(asked?.order.refunded == 30_000)
            let books = try await stage.authorization(of: placed)
            let object = try #require(books.operations.last?.id)
            try await stage.tell(
                .operation(.refund, "failed_later", 30_000, of: books, object: object, operation: refund.id)
            )
            let order = try await stage.api.order(placed.id)
            #expect(order.refunded == 0)
            #expect(order.all(.refund).first?.state.name == "reversed")
        }
    }

    @Test("opens a dispute and decides it", arguments: DatabaseEngine.allCases, [DisputeNotice.State.won, .lost])
    func dispute(engine: DatabaseEngine, end: DisputeNotice.State) async throws {
        try await WebhookStage.with(engine) { stage in
            let (placed, authorization) = try await stage.place()
            try await stage.tell(.dispute(.opened, 30_000, of: authorization))
            let disputed = try await stage.api.order(placed.id)
            #expect(disputed.payments[0].chargedBack == 30_000)
            #expect(disputed.payments[0].disputes.map(\.state) == [.opened])
            try await stage.tell(.dispute(end, 30_000, of: authorization))
            let order = try await stage.api.order(placed.id)
            #expect(order.payments[0].disputes.map(\.state) == [end])
            #expect(order.payments[0].chargedBack == (end == .won ? 0 : 30_000))
        }
    }

    /// The ways in which three webhooks may come: as they happened, the other way round, and each twice.
    static let sequences = [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 0, 1, 1, 2, 2], [2, 2, 1, 0, 1, 2]]

    @Test("leads to the same state in whatever order it comes, and however often", arguments: sequences)
    func sequence(_ sequence: [Int]) async throws {
        try await WebhookStage.with(.sqlite) { stage in
            let (placed, authorization) = try await stage.place(WebhookStage.ticket(.manual))
            let news: [PSPNews] = [
                .operation(.capture, "succeeded", 30_000, of: authorization, object: "capture_dash"),
                .operation(.refund, "succeeded", 5000, of: authorization, object: "refund_dash"),
                .dispute(.opened, 1000, of: authorization),
            ]
            for index in sequence {
                #expect(try await stage.api.deliver(news[index]).status == 200)
            }
            for item in news { try await stage.api.webhook(item, once: .applied) }
            #expect(try await stage.api.inbox().count == 3)
            let order = try await stage.api.order(placed.id)
            #expect(order.captured == 30_000 && order.refunded == 5000)
            #expect(order.payments[0].chargedBack == 1000)
            #expect(order.all(.capture).map(\.origin) == [.psp])
            #expect(order.all(.refund).map(\.origin) == [.psp])

            let settled = try await stage.api.inbox()
            let now = stage.api.clock.now()
            try await stage.api.database.write { session in
                for entry in settled { _ = try WebhookTable.replay(entry.id, at: now, in: session) }
            }
            for item in news { try await stage.api.webhook(item, once: .applied) }
            var again = try await stage.api.order(placed.id)
            (again.version, again.updatedAt) = (order.version, order.updatedAt)
            #expect(again == order)
        }
    }
}
