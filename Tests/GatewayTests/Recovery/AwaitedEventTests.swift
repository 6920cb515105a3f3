import AdapterKit
import Domain
import Gateway
import Logging
import SQL
import SimulatorAdapter
import Storage
import Testing
import TributaryTestKit
import Wiring

/// A refund that was asked for behind the point to which books were restored, of a payment whose authorization they have in
/// doubt: neither its name nor the payment's is known.
@Suite("A listed refund of a payment in doubt", .timeLimit(.minutes(10)))
struct AwaitedEventTests {
    /// The simulator's dialect at a PSP that lists what a test says.
    private struct ListingAdapter: PaymentAdapter, ActivityListing {
        static let name = "simulator"
        static let capabilities = SimulatorAdapter.capabilities
        static let activityReachMilliseconds: Int64? = nil
        /// What is listed.
        @TaskLocal static var events: [WebhookEvent] = []

        private let base: SimulatorAdapter

        init(settings: AdapterSettings) throws(SettingsError) { base = try SimulatorAdapter(settings: settings) }

        func next(for call: Call, after exchanges: [Exchange]) -> Step { base.next(for: call, after: exchanges) }

        func listing(_ query: ActivityQuery) -> WireRequest { base.listing(query) }

        func activity(_ reply: WireReply, to query: ActivityQuery) -> ActivityReading { .page(Self.events, next: nil) }
    }

    /// The way to a PSP that answers everything with nothing.
    private struct EmptySender: Sender {
        func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
            .reply(WireReply(status: 200))
        }
    }

    private static func recovery(over harness: GatewayHarness) -> BooksRecovery {
        let psps = ["simulator": PSPDirectory.PSP(ListingAdapter.self)]
        let ports = Gateway.Ports(
            database: harness.database,
            clock: harness.clock,
            sender: EmptySender(),
            vault: Vault(harness.keyring),
            directory: PSPDirectory(psps: psps, database: harness.database) { _ in Secret("key_test") },
            presentation: .plain,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        return BooksRecovery(ports, settings: harness.settings, instance: "recovery")
    }

    /// A refund of all of a payment, under a name of ours that its order does not know.
    private static func refund(of payment: Payment, named name: String, in order: Order) throws -> WebhookEvent {
        let unknown = OperationID(of: order.id, step: 40, number: 1)
        let done = Success(reference: "re_1", amount: payment.amount)
        let subject = Notice.Subject(operation: unknown.text, payment: name, object: "re_1")
        return WebhookEvent(
            id: "evt_1",
            type: "refund.succeeded",
            merchantAccount: payment.attempt.route.merchantAccount.map(NoticeAccount.merchant) ?? .platform(),
            currency: Currency(code: "USD"),
            notices: [Notice(about: subject, .outcome(.refund, .succeeded(done)))]
        )
    }

    private static func inbox(_ harness: GatewayHarness) async throws -> [WebhookEntry.State] {
        try await harness.database.read { session in
            try WebhookTable.list(WebhookTable.Filter(marketplace: nil), limit: 10, in: session).map(\.state)
        }
    }

    @Test("is kept, and told to its order once that knows the payment's name", arguments: DatabaseEngine.allCases)
    func told(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: KeylessAdapter.self, keys: .none) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.capture, .replyLost))
            await harness.psp.always("tok_hotel", .inquire, ScriptedBehaviour(.approve, .errorBefore))
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                try await harness.psp.arrival(of: .inquire, "tok_hotel", count: 2)
                let order = try await harness.order(id)
                let hotel = order.payments[1]
                #expect(hotel.attempt.pspReference == nil && hotel.state == .unresolved)
                let held = await harness.psp.authorizations.first { $0.token == "tok_hotel" }
                let event = try Self.refund(of: hotel, named: try #require(held?.id), in: order)
                let found = try await harness.database.read { session in
                    try PSPAccountTable.find(hotel.attempt.route.pspAccount, of: order.marketplace, in: session)
                }
                let (account, recovery) = (try #require(found), Self.recovery(over: harness))
                let now = harness.clock.now()
                try await ListingAdapter.$events.withValue([event]) {
                    let dry = try await recovery.ask(account, since: now, isDryRun: true)
                    #expect(dry.told == 1 && dry.raised == 0 && dry.obstacle == nil)
                    #expect(try await Self.inbox(harness) == [])
                    let first = try await recovery.ask(account, since: now)
                    #expect(first.told == 1 && first.raised == 0 && first.unknown == [] && first.obstacle == nil)
                    let second = try await recovery.ask(account, since: now)
                    #expect(second.told == 0 && second.raised == 0 && second.unknown == [])
                }
                #expect(try await Self.inbox(harness).count == 1)
                await harness.psp.always("tok_hotel", .inquire, nil)
                let after = try await harness.order(id) { $0.payments[1].refunded == hotel.amount }
                #expect(after.payments[1].captured == hotel.amount)
                #expect(try await Self.inbox(harness) == [.applied])
                _ = try await answer
            }
        }
    }
}
