import AdapterKit
import Domain
import StrictJSON
import Testing
import WorldpayAdapter

@Suite("Worldpay's events")
struct WorldpayEventTests {
    static let ours = "op_01ka524mnpzx45hy43kwjrp1xp"
    static let saleEvent = "bb55ca5a-e05c-47e1-8e94-000000000003"

    static func event(_ name: String) throws -> WebhookEvent {
        let sample = try #require(
            try WebhookSample.all.first { $0.adapter == "worldpay" && $0.name == name },
            "no \(name)"
        )
        return try #require(try sample.listener.webhook(sample.incoming).events?.first)
    }

    @Test(
        "name our operation and the object where Worldpay repeats our reference",
        arguments: [
            ("capture-succeeded", ours, "op-01ka524mnpzx45hy43kwjrp1xp"),
            ("capture-succeeded-portal", nil, "bb55ca5a-e05c-47e1-8e94-000000000006"),
            ("capture-reversed", nil, nil), ("void-succeeded", nil, nil),
            ("refund-succeeded", ours, "op-01ka524mnpzx45hy43kwjrp1xp"),
            ("refund-reversed", ours, "op-01ka524mnpzx45hy43kwjrp1xp"), ("authorize-succeeded", nil, nil),
            ("authorize-succeeded-sale", nil, saleEvent), ("lapsed", nil, nil),
            ("dispute-opened", nil, "dispute-att_01ka5xxqkfbf5kznwj47tan9zt-10000"),
            ("dispute-opened-charged-back", nil, "dispute-att_01ka5xxqkfbf5kznwj47tan9zt-10000"),
        ] as [(String, String?, String?)]
    )
    func subjects(name: String, operation: String?, object: String?) throws {
        let subject = try #require(try Self.event(name).notices.first?.subject)
        #expect(subject.operation == operation && subject.object == object && subject.payment == nil)
        #expect(subject.attempt == "att_01ka5xxqkfbf5kznwj47tan9zt")
        // A sale's own capture, unless nothing was sold in one call.
        #expect(subject.isOthers == ["capture-succeeded-portal", "authorize-succeeded-sale"].contains(name))
    }

    @Test("call a refund of the portal after its event, the same whenever it is sent again")
    func portalRefund() throws {
        let event = try Self.event("refund-succeeded-portal")
        #expect(event.notices.first?.subject.object == event.id)
        #expect(event.notices.first?.subject.isOthers == true)
        #expect(event.type == "payment.sentForRefund")
    }

    @Test("tell a capture under its reference, and a sale's with its authorization")
    func captures() throws {
        let reference = "op-01ka524mnpzx45hy43kwjrp1xp"
        let part = Success(reference: reference, amount: 6000, capturedAmount: 6000)
        #expect(
            try Self.event("capture-succeeded-in-part").notices.map(\.happening)
                == [.outcome(.capture, .succeeded(part))]
        )
        let sale = Success(reference: nil, amount: 10_000, capturedAmount: 10_000)
        #expect(
            try Self.event("authorize-succeeded-sale").notices.map(\.happening)
                == [.outcome(.authorize, .succeeded(sale))]
        )
    }

    @Test("leave to what was asked whether an approval took anything")
    func approval() throws {
        let approval = Success(reference: nil, amount: 10_000, capturedAmount: nil)
        #expect(
            try Self.event("authorize-succeeded").notices.map(\.happening)
                == [.outcome(.authorize, .succeeded(approval))]
        )
    }

    @Test(
        "of a failed refund keep the issuer's code",
        arguments: [("refund-reversed", "refundFailed"), ("refund-reversed-refused-online", "5")]
    )
    func reversals(name: String, code: String) throws {
        let event = try Self.event(name)
        let message = "Worldpay took it on and then failed (refundFailed, event \(event.id))."
        let expected = Notice.Happening.reversed(.refund, Rejection(.unsupported, code: code, message: message))
        #expect(event.notices.map(\.happening) == [expected])
    }

    @Test("of a failure tell the amount, which alone says what failed")
    func failedAmounts() throws {
        #expect(try Self.event("capture-reversed").notices.map(\.subject.amount) == [10_000])
        #expect(try Self.event("refund-reversed").notices.map(\.subject.amount) == [10_000])
    }

    @Test("in a currency without two digits are left to an inquiry, because their unit is unsure")
    func units() throws {
        let event = try Self.event("problem-unsure-unit")
        #expect(event.problem == "sentForSettlement: an amount of unsure unit" && event.notices.isEmpty)
    }

    @Test("take no name of ours that is not ours")
    func foreignNames() throws {
        let sample = try #require(
            try WebhookSample.all.first { $0.adapter == "worldpay" && $0.name == "capture-succeeded" }
        )
        let text = String(decoding: sample.incoming.body, as: UTF8.self)
        for reference in ["op-of-somebody-else", "op_01ka524mnpzx45hy43kwjrp1xp", "01ka524mnpzx45hy43kwjrp1xp"] {
            let changed = text.replacing("op-01ka524mnpzx45hy43kwjrp1xp", with: reference)
            let incoming = try #require(try AdapterUnderTest.worldpay.webhooks).signed(Array(changed.utf8))
            let event = try #require(try sample.listener.webhook(incoming).events?.first)
            let subject = event.notices.first?.subject
            #expect(subject?.operation == nil && subject?.object == event.id)
        }
    }
}
