import AdapterKit
import Domain
import StrictJSON
import StripeAdapter
import Testing

@Suite("Stripe's events")
struct StripeEventTests {
    /// A body with a good signature of Stripe's.
    static func signed(_ body: [UInt8]) throws -> IncomingWebhook {
        try #require(try AdapterUnderTest.stripe.webhooks).signed(body)
    }

    static let maker = "op_01ka524mnpzx45hy43kwjrp1xp"
    static let other = "op_01ka5a7z3dj8fssz5awsh8vhtp"

    static func event(_ name: String) throws -> WebhookEvent {
        let samples = try WebhookSample.all
        let sample = try #require(samples.first { $0.adapter == "stripe" && $0.name == name }, "no \(name)")
        return try #require(try sample.listener.webhook(sample.incoming).events?.first)
    }

    @Test(
        "name our operation where Stripe repeats it",
        arguments: [
            ("authorize-succeeded-held", maker), ("authorize-succeeded-held-by-the-buyer", maker),
            ("authorize-succeeded-sale", maker), ("capture-succeeded", other), ("capture-succeeded-dashboard", nil),
            ("void-succeeded", other), ("void-succeeded-dashboard", nil), ("refund-succeeded", other),
            ("refund-succeeded-later", other), ("refund-reversed", other), ("refund-succeeded-dashboard", nil),
            ("dispute-opened", nil), ("lapsed", nil),
        ] as [(String, String?)]
    )
    func operations(name: String, operation: String?) throws {
        #expect(try Self.event(name).notices.first?.subject.operation == operation)
    }

    @Test(
        "name the object",
        arguments: [
            ("capture-succeeded", "ch_3PANrEaarYMgEftsqwCtFuRp"), ("void-succeeded", "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ"),
            ("refund-succeeded", "re_3tECZXNn11sHWGCkeNUtnNP5"), ("dispute-opened", "du_3Wsample"),
            ("authorize-succeeded-held", nil),
        ] as [(String, String?)]
    )
    func objects(name: String, object: String?) throws {
        let subject = try #require(try Self.event(name).notices.first?.subject)
        #expect(subject.object == object)
        #expect(subject.payment == "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ")
    }

    @Test("say until when a hold lives, and on which card it is")
    func charge() throws {
        let event = try Self.event("authorize-succeeded-charge")
        let expected = Success(
            reference: "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ",
            amount: 10_000,
            expiresAt: Timestamp(microseconds: 1_795_852_800_000_000),
            network: "visa",
            last4: "4242"
        )
        #expect(event.notices.map(\.happening) == [.outcome(.authorize, .succeeded(expected))])
    }

    @Test("tell a sale's capture with its authorization, and a later capture on its own")
    func captures() throws {
        let sale = Success(reference: "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ", amount: 10_000, capturedAmount: 10_000)
        #expect(
            try Self.event("authorize-succeeded-sale").notices.map(\.happening)
                == [.outcome(.authorize, .succeeded(sale))]
        )
        let part = Success(reference: "ch_3PANrEaarYMgEftsqwCtFuRp", amount: 6000, capturedAmount: 6000)
        #expect(
            try Self.event("capture-succeeded-in-part").notices.map(\.happening)
                == [.outcome(.capture, .succeeded(part))]
        )
    }

    @Test("say why a dispute was opened, over how much, and until when to answer")
    func disputes() throws {
        let opened = DisputeNotice(
            state: .opened,
            amount: 2500,
            reason: "fraudulent",
            respondBy: Timestamp(microseconds: 1_795_854_799_000_000)
        )
        #expect(try Self.event("dispute-opened-in-part").notices.map(\.happening) == [.dispute(opened)])
        let lost = DisputeNotice(state: .lost, amount: 10_000, reason: "fraudulent")
        #expect(try Self.event("dispute-lost").notices.map(\.happening) == [.dispute(lost)])
    }

    @Test("of a connected account say which")
    func connect() throws {
        #expect(try Self.event("authorize-succeeded-connect").merchantAccount == .merchant("acct_1sample"))
        #expect(try Self.event("authorize-succeeded-held").merchantAccount == .platform())
    }

    @Test(
        "of the other mode say nothing",
        arguments: [
            ("sk_test_1", false, 1), ("sk_test_1", true, 0), ("rk_live_1", true, 1), ("rk_live_1", false, 0),
            ("other", true, 1), ("other", false, 1),
        ]
    )
    func modes(key: String, isLive: Bool, count: Int) throws {
        var settings = Sample.settings
        settings.credentials["secret_key"] = Secret(key)
        let adapter = try StripeAdapter(settings: settings)
        let sample = try #require(try WebhookSample.all.first { $0.adapter == "stripe" && $0.name == "lapsed" })
        let text = String(decoding: sample.incoming.body, as: UTF8.self)
        let json = try JSON.parse(text: text.replacing(#""livemode": false"#, with: #""livemode": \#(isLive)"#))
        let reading = adapter.webhook(try Self.signed(json.bytes))
        #expect(reading.events?.first?.notices.count == count)
    }

    @Test("take no names of ours that are not ours")
    func foreignNames() throws {
        let sample = try #require(
            try WebhookSample.all.first { $0.adapter == "stripe" && $0.name == "refund-succeeded" }
        )
        let text = String(decoding: sample.incoming.body, as: UTF8.self)
            .replacing("att_01ka5xxqkfbf5kznwj47tan9zt", with: "att_of somebody else")
            .replacing(Self.other, with: "op_of_somebody_else")
        let reading = try sample.listener.webhook(try Self.signed(Array(text.utf8)))
        let subject = try #require(reading.events?.first?.notices.first?.subject)
        #expect(subject.attempt == nil && subject.operation == nil)
    }

    @Test("count amounts in the currency's own unit", arguments: [("jpy", 10_000), ("kwd", 10_000), ("isk", 100)])
    func units(currency: String, amount: Int64) throws {
        let sample = try #require(
            try WebhookSample.all.first { $0.adapter == "stripe" && $0.name == "capture-succeeded" }
        )
        let text = String(decoding: sample.incoming.body, as: UTF8.self)
            .replacing(#""currency": "usd""#, with: #""currency": "\#(currency)""#)
        let reading = try sample.listener.webhook(try Self.signed(Array(text.utf8)))
        let event = try #require(reading.events?.first)
        #expect(event.currency?.code == currency.uppercased())
        guard case .outcome(.capture, .succeeded(let success)) = event.notices.first?.happening else {
            Issue.record("\(event)")
            return
        }
        #expect(success.amount == amount)
    }

    @Test("are never led to a capture that leaves the rest held")
    func finalCapturesOnly() throws {
        var call = try Sample.call(.capture, reference: "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ")
        call.kind = .capture(applicationFee: nil, isFinal: false)
        let adapter = try StripeAdapter(settings: Sample.settings)
        guard case .outcome(.rejected(let rejection)) = adapter.next(for: call, after: []) else {
            Issue.record("something is sent")
            return
        }
        #expect(rejection.reason == .unsupported)
        #expect(!StripeAdapter.capabilities.multipleCapture && StripeAdapter.capabilities.partialRefund)
    }
}
