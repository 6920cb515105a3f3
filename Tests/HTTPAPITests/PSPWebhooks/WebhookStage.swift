import AdapterKit
import Domain
import Gateway
import SimulatorAdapter
import Storage
import Testing
import TributaryTestKit

/// An API that hears webhooks, and orders whose PSP is in the test's hands.
struct WebhookStage: Sendable {
    let api: APIHarness

    /// Lends a stage on a fresh database.
    static func with(
        _ engine: DatabaseEngine,
        adapter: any PaymentAdapter.Type = SimulatorAdapter.self,
        _ body: @Sendable (WebhookStage) async throws -> Void
    ) async throws {
        try await APIHarness.with(engine, adapter: adapter) { api in
            try await api.listen()
            try await body(WebhookStage(api: api))
            #expect(try await api.complaints() == [])
        }
    }

    /// An airline's ticket for 300.00 dollars, at the account `sim-a`, authorized and captured in two calls.
    static func ticket(_ capture: OrderTerms.Capture = .automatic) -> TestCheckout {
        TestCheckout([.init("airline", 30_000)], capture: capture, onDeadline: .abandon)
    }

    /// Places an order and answers it with what the PSP's books say of its only payment.
    func place(
        _ checkout: TestCheckout = ticket(),
        key: String = "key"
    ) async throws -> (order: Order, authorization: ScriptedAuthorization) {
        let answer = try await api.gateway.place(try checkout.draft(), under: TestCheckout.use(key))
        let order = try await api.order(answer.order)
        return (order, try await authorization(of: order))
    }

    /// Places an order under manual capture whose authorization is sent twice: the first one never arrives.
    func placeSentTwice() async throws -> (order: Order, authorization: ScriptedAuthorization) {
        await api.psp.script("tok_airline", .authorize, .requestLost)
        let answer = try await api.gateway.place(try Self.ticket(.manual).draft(), under: TestCheckout.use("key"))
        let order = try await api.order(answer.order) { $0.status == .authorized }
        return (order, try await authorization(of: order))
    }

    /// What the PSP's books say of an order's first payment.
    func authorization(of order: Order) async throws -> ScriptedAuthorization {
        let attempt = try #require(order.payments.first?.attempt.id.text)
        return try #require(await api.psp.authorizations.first { $0.reference == attempt })
    }

    /// Sends news that must be taken, and waits until they stand as wanted.
    func tell(_ news: PSPNews, to account: String = "sim-a", until state: WebhookEntry.State = .applied) async throws {
        let reply = try await api.deliver(news, to: account)
        #expect(reply.status == 200, "\(reply)")
        try await api.webhook(news, once: state)
    }
}

extension Order {
    /// Its operations of a kind.
    func all(_ kind: Operation.Kind) -> [Operation] { payments.flatMap(\.attempts).flatMap { $0.all(kind) } }
}
