import Domain
import Gateway
import HTTPAPI
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

/// An order of an airline and a hotel, with one of everything that an operation may be about: a refund, a dispute and a
/// payout of the airline's, a break about it, its endpoint with a callback, and a webhook.
struct AccessStage {
    static let reference = "cart-7"

    let api: APIHarness
    let outsiders: Outsiders
    let trip: OrderStage
    let refund: String
    let dispute: String
    let payout: String
    let difference: String
    let endpoint: String
    let callback: String
    let webhook: String
    let merchant: Merchant
    let agreement: String

    init(_ api: APIHarness) async throws {
        self.api = api
        try await api.listen()
        outsiders = try await Outsiders(api)
        trip = try await OrderStage(api, OrderBody.trip.with("reference", .string(Self.reference)))
        let asked = try await trip.ask("refunds", trip.items(100), key: "first")
        refund = try #require(asked.json["id"]?.stringValue, "\(asked)")
        let found = try await api.database.read { session in
            try MerchantTable.find(["airline"], of: "travel", in: session).first
        }
        merchant = try #require(found)
        webhook = try await Self.tellOfDispute(api, trip)
        let order = try await api.order(try #require(OrderID(trip.order))) { order in
            order.payments.contains { !$0.disputes.isEmpty }
        }
        dispute = try #require(order.payments.flatMap(\.disputes).first).id.text
        payout = try await Self.pay(merchant, api)
        difference = try await Self.differ(about: merchant, api)
        let told = try #require(try await outsiders.heard("airline").first)
        (endpoint, callback) = (told.endpoint.text, told.id.text)
        agreement = try await Self.agree(with: merchant, api)
    }

    private static func agree(with merchant: Merchant, _ api: APIHarness) async throws -> String {
        let agreements = Agreements(
            database: api.database,
            clock: api.clock,
            presentation: OrderPresenter.presentation
        )
        let currency = try #require(Currency(code: "USD"))
        let terms = AgreementTerms(
            type: .recurring,
            currency: currency,
            bound: .maximum(5_000),
            description: "Lounge"
        )
        let draft = AgreementDraft(externalIdentifier: merchant.externalIdentifier, terms: terms)
        return try #require(try await agreements.create(draft, of: "travel")).id.text
    }

    private static func tellOfDispute(_ api: APIHarness, _ trip: OrderStage) async throws -> String {
        let order = try await api.order(try #require(OrderID(trip.order)))
        let attempt = try #require(order.payments.first?.attempt.id.text)
        let authorization = try #require(await api.psp.authorizations.first { $0.reference == attempt })
        let news = PSPNews.dispute(.opened, 5_000, of: authorization)
        let reply = try await api.deliver(news)
        #expect(reply.status == 200, "\(reply)")
        return try await api.webhook(news, once: .applied).id.text
    }

    private static func pay(_ merchant: Merchant, _ api: APIHarness) async throws -> String {
        api.clock.advance(milliseconds: 2)
        let desk = Gateway.Payouts(
            database: api.database,
            clock: api.clock,
            presentation: OrderPresenter.presentation,
            by: .instance("test")
        )
        let draft = try PayoutDraft(
            marketplace: "travel",
            merchant: merchant.id,
            amount: TestCheckout.dollars(5_000),
            reference: "SEPA-1",
            paidAt: nil,
            origin: .operator
        )
        return try await desk.record(draft).payout.id.text
    }

    private static func differ(about merchant: Merchant, _ api: APIHarness) async throws -> String {
        let currency = try #require(Currency(code: "USD"))
        let now = api.clock.now()
        let difference = Break(
            type: .amountMismatch,
            key: "k",
            currency: currency,
            amount: -30,
            day: "2027-01-14",
            psp: "simulator",
            pspAccount: "sim-a",
            merchant: merchant.id,
            subject: nil,
            lines: [],
            explanation: "theirs are 299.70, ours 300.00",
            suggestion: "ask"
        )
        let stored = try await api.database.write { session in
            var ids = IdentifierSource()
            let run = BreakRun(id: "run", asOf: "2027-01-15")
            _ = try BreakTable.record([difference], run, of: "travel", at: now, ids: &ids, in: session)
            return try BreakTable.find(keys: ["k"], of: "travel", in: session).first
        }
        return try #require(stored).id.text
    }

    /// A template's path, about what the stage has.
    func path(of template: String) -> String {
        let names = [
            ("/v1/orders/by-reference/", Self.reference), ("/v1/orders/", trip.order),
            ("/v1/payments/", trip.payments[0]),
            ("/v1/refunds/", refund), ("/v1/disputes/", dispute), ("/v1/payouts/", payout), ("/v1/breaks/", difference),
            ("/v1/merchants/", merchant.id.text), ("/v1/callback-endpoints/", endpoint), ("/v1/callbacks/", callback),
            ("/v1/psp-webhooks/", webhook), ("/v1/psp-accounts/", "sim-c"),
            ("/v1/agreements/", agreement),
        ]
        let name = names.first { template.hasPrefix($0.0) }?.1 ?? "prq_00000000000000000000000000"
        let path = template.replacing("{id}", with: name).replacing("{reference}", with: name)
            .replacing("{psp}", with: "simulator").replacing("{account}", with: "nobody")
            .replacing("{external_identifier}", with: "parcel-1").replacing("{device}", with: "dev-A")
            .replacing("{type}", with: "order.com.example.travel").replacing("{proof}", with: "0.0")
            .replacing("{payment}", with: "pay_00000000000000000000000000")
            .replacing("{refund}", with: "rfd_00000000000000000000000000")
            .replacing("{merchant}", with: merchant.id.text).replacing("{event}", with: "evt-1")
            .replacing("{file}", with: "nothing.json").replacing("{code}", with: "nothing")
        return template.hasSuffix("/statement") ? path + "?currency=USD" : path
    }
}
