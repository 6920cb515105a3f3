import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's events")
struct CheckoutEventTests {
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"
    static let entity = CheckoutSplitTests.entity

    static func event(_ json: JSON, settings: AdapterSettings = CheckoutSample.settings()) throws -> WebhookEvent {
        let scheme = try #require(try AdapterUnderTest.checkout.webhooks)
        let reading = try CheckoutAdapter(settings: settings).webhook(try scheme.signed(json.bytes))
        return try #require(reading.events?.first)
    }

    static func sample(_ name: String) throws -> WebhookEvent {
        let sample = try #require(try WebhookSample.all.first { $0.adapter == "checkout" && $0.name == name })
        return try #require(try sample.listener.webhook(sample.incoming).events?.first)
    }

    static func payment(_ type: String, reference: String, metadata: JSON) -> JSON {
        [
            "id": "evt_1", "type": .string(type),
            "data": [
                "id": .string(CheckoutSample.payment), "action_id": .string(CheckoutSample.action),
                "reference": .string(reference), "amount": 10_000, "currency": "USD", "metadata": metadata,
            ],
        ]
    }

    @Test("name the attempt and the operation, wherever Checkout.com repeats them")
    func names() throws {
        let own = CheckoutSample.operation
        let first = "op_01ka52zzzzzz45hy43kwjrp1xp"
        let rows: [(reference: String, metadata: JSON, attempt: String?, operation: String?)] = [
            (own, ["attempt": .string(Self.attempt), "operation": .string(first)], Self.attempt, own),
            (Self.attempt, ["operation": .string(own)], Self.attempt, own),
            (own, [:], nil, own), (Self.attempt, .null, Self.attempt, nil),
            ("ORD-1", ["attempt": "att_x", "operation": "op_y"], nil, nil),
        ]
        for row in rows {
            let json = Self.payment("payment_refunded", reference: row.reference, metadata: row.metadata)
            let subject = try #require(try Self.event(json).notices.first).subject
            #expect(subject.attempt == row.attempt && subject.operation == row.operation)
            #expect(subject.payment == CheckoutSample.payment && subject.object == CheckoutSample.action)
        }
    }

    @Test("tell whose payment it is by the sub-entity in our metadata")
    func merchantAccount() throws {
        let json = Self.payment(
            "payment_captured",
            reference: Self.attempt,
            metadata: ["merchant_account": .string(Self.entity)]
        )
        #expect(try Self.event(json).merchantAccount == .merchant(Self.entity))
        let ours = Self.payment(
            "payment_captured",
            reference: Self.attempt,
            metadata: ["attempt": .string(Self.attempt)]
        )
        #expect(try Self.event(ours).merchantAccount == .platform(CheckoutSample.ownEntity))
        let without = Self.payment("payment_captured", reference: Self.attempt, metadata: [:])
        #expect(try Self.event(without).merchantAccount == .unsaid)
    }

    @Test("of disputes tell whose it is by the entity, unless it is the platform's own")
    func disputedEntity() throws {
        func dispute(of entity: String) -> JSON {
            [
                "id": "evt_1", "type": "dispute_lost",
                "data": [
                    "id": "dsp_1", "payment_id": .string(CheckoutSample.payment), "amount": 5, "currency": "USD",
                    "entity_id": .string(entity),
                ],
            ]
        }
        #expect(try Self.event(dispute(of: Self.entity)).merchantAccount == .merchant(Self.entity))
        #expect(try Self.event(dispute(of: CheckoutSample.ownEntity)).merchantAccount == .unsaid)
        let unaware = CheckoutSample.settings(["entity_id": nil])
        #expect(try Self.event(dispute(of: Self.entity), settings: unaware).merchantAccount == .unsaid)
    }

    @Test("of disputes tell amount, reason and time left")
    func dispute() throws {
        let opened = DisputeNotice(
            state: .opened,
            amount: 8150,
            reason: "fraudulent",
            respondBy: RFC3339.timestamp("2026-12-05T18:00:00Z")
        )
        let notice = try #require(try Self.sample("dispute-opened-received").notices.first)
        #expect(notice.happening == .dispute(opened))
        #expect(notice.subject.object == "dsp_9rjdlsd4epepfjyyf9vl" && notice.subject.attempt == Self.attempt)
        let won = DisputeNotice(state: .won, amount: 10_000, reason: "fraudulent")
        #expect(try Self.sample("dispute-won").notices.first?.happening == .dispute(won))
    }

    @Test(
        "of disputes open, win, lose, or decide nothing",
        arguments: [
            ("dispute_received", .opened), ("dispute_evidence_required", .opened), ("dispute_won", .won),
            ("dispute_canceled", .won), ("dispute_resolved", .won), ("dispute_arbitration_won", .won),
            ("dispute_lost", .lost), ("dispute_accepted", .lost), ("dispute_expired", .lost),
            ("dispute_arbitration_lost", .lost), ("dispute_evidence_submitted", nil),
            ("dispute_evidence_acknowledged_by_scheme", nil), ("dispute_arbitration_sent_to_scheme", nil),
        ] as [(String, DisputeNotice.State?)]
    )
    func disputeStates(type: String, state: DisputeNotice.State?) throws {
        let json: JSON = [
            "id": "evt_1", "type": .string(type),
            "data": ["id": "dsp_1", "payment_id": .string(CheckoutSample.payment), "amount": 5, "currency": "USD"],
        ]
        let event = try Self.event(json)
        #expect(event.problem == nil)
        guard let state else {
            #expect(event.notices.isEmpty)
            return
        }
        #expect(event.notices.first?.happening == .dispute(DisputeNotice(state: state, amount: 5)))
    }

    @Test("of an approval tell the card and the amount; of a capture what was taken")
    func amounts() throws {
        let approved = Success(reference: CheckoutSample.payment, amount: 10_000, network: "VISA", last4: "4242")
        #expect(
            try Self.sample("authorize-succeeded").notices.first?.happening
                == .outcome(.authorize, .succeeded(approved))
        )
        let captured = Success(reference: CheckoutSample.action, amount: 4000, capturedAmount: 4000)
        #expect(
            try Self.sample("capture-succeeded-in-part").notices.first?.happening
                == .outcome(.capture, .succeeded(captured))
        )
    }

    @Test("of a void tell what captures had taken before it", arguments: [0, 3900])
    func capturedBeforeVoid(_ captured: Int64) throws {
        let json: JSON = [
            "id": "evt_1", "type": "payment_voided",
            "data": [
                "id": "pay_1", "action_id": "act_1", "amount": 6100, "currency": "USD",
                "balances": ["total_authorized": 10_000, "total_captured": .integer(captured)],
            ],
        ]
        let expected = Success(reference: "act_1", amount: 6100, capturedAmount: captured)
        #expect(try Self.event(json).notices.first?.happening == .outcome(.void, .succeeded(expected)))
    }

    @Test("in a currency that is counted otherwise tell ISO 4217's minor units")
    func units() throws {
        let json: JSON = [
            "id": "evt_1", "type": "payment_captured",
            "data": ["id": "pay_1", "action_id": "act_1", "amount": 123_400, "currency": "CLP"],
        ]
        let event = try Self.event(json)
        #expect(event.currency == Currency(code: "CLP"))
        let expected = Success(reference: "act_1", amount: 1234, capturedAmount: 1234)
        #expect(event.notices.first?.happening == .outcome(.capture, .succeeded(expected)))
    }

    @Test("have the same name however often they are sent, and whatever is signed anew")
    func identity() throws {
        let json = Self.payment("payment_captured", reference: Self.attempt, metadata: [:])
        let other = CheckoutSample.settings(["webhook_secret": "new key,\(Sample.webhookSecret)"])
        #expect(try Self.event(json) == (try Self.event(json, settings: other)))
        #expect(try Self.event(json).id == "evt_1")
    }
}
