import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's events")
struct AdyenEventTests {
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"
    static let operation = "op_01ka5a7z3dj8fssz5awsh8vhtp"

    static func event(_ name: String) throws -> WebhookEvent {
        try #require(try AdyenSample.reading([try AdyenSample.item(name)]).events?.first)
    }

    @Test(
        "name our attempt or operation where Adyen repeats our reference, and the object besides its payment",
        arguments: [
            ("authorize-succeeded", attempt, nil, nil), ("authorize-declined-generic", attempt, nil, nil),
            ("capture-succeeded", nil, operation, AdyenSample.modification),
            ("capture-succeeded-customer-area", attempt, nil, AdyenSample.modification),
            ("capture-reversed-of-a-sale", attempt, nil, nil), ("lapsed", attempt, nil, nil),
            ("void-succeeded-by-our-reference", attempt, nil, AdyenSample.modification),
            ("refund-succeeded-customer-area", nil, nil, AdyenSample.modification),
            ("refund-reversed", nil, operation, AdyenSample.modification),
            ("dispute-opened", attempt, nil, AdyenSample.modification),
            ("dispute-opened-without-original", attempt, nil, nil),
        ] as [(String, String?, String?, String?)]
    )
    func subjects(name: String, attempt: String?, operation: String?, object: String?) throws {
        let subject = try #require(try Self.event(name).notices.first?.subject)
        let expected = Notice.Subject(
            attempt: attempt,
            operation: operation,
            payment: AdyenSample.payment,
            object: object
        )
        #expect(subject == expected)
    }

    @Test("leave it to what was asked whether an authorization was a sale")
    func sale() throws {
        let success = Success(reference: AdyenSample.payment, amount: 10_000, capturedAmount: nil, last4: "4242")
        let expected = Notice.Happening.outcome(.authorize, .succeeded(success))
        #expect(try Self.event("authorize-succeeded").notices.map(\.happening) == [expected])
    }

    @Test("tell how much was captured, refunded and approved")
    func parts() throws {
        let capture = Success(reference: AdyenSample.modification, amount: 6000, capturedAmount: 6000)
        #expect(
            try Self.event("capture-succeeded-in-part").notices.map(\.happening)
                == [.outcome(.capture, .succeeded(capture))]
        )
        let refund = Success(reference: AdyenSample.modification, amount: 2500)
        #expect(
            try Self.event("refund-succeeded-in-part").notices.map(\.happening)
                == [.outcome(.refund, .succeeded(refund))]
        )
    }

    @Test("say why a dispute was opened, over how much, and until when to answer")
    func disputes() throws {
        let opened = DisputeNotice(
            state: .opened,
            amount: 2500,
            reason: "4853",
            respondBy: Timestamp(microseconds: 1_797_814_987_000_000)
        )
        #expect(try Self.event("dispute-opened-in-part").notices.map(\.happening) == [.dispute(opened)])
        let lost = DisputeNotice(state: .lost, amount: 10_000, reason: "4853")
        #expect(try Self.event("dispute-lost").notices.map(\.happening) == [.dispute(lost)])
    }

    @Test(
        "of a sale's capture name the attempt, the payment, and the capture where it has a name of its own",
        arguments: [
            ("capture-rejected-unsupported-of-a-sale", AdyenSample.modification),
            ("capture-reversed-of-a-sale-by-its-name", AdyenSample.modification), ("capture-reversed-of-a-sale", nil),
        ] as [(String, String?)]
    )
    func sales(name: String, object: String?) throws {
        let subject = Notice.Subject(
            attempt: "att_01ka5xxqkfbf5kznwj47tan9zt",
            payment: AdyenSample.payment,
            object: object
        )
        #expect(try Self.event(name).notices.map(\.subject) == [subject])
    }

    @Test("say whose payment it is, from the signed reference")
    func merchantAccounts() throws {
        #expect(
            try Self.event("authorize-succeeded-for-a-merchant").merchantAccount
                == .merchant(AdyenSample.balanceAccount)
        )
        #expect(try Self.event("authorize-succeeded").merchantAccount == .platform())
        #expect(try Self.event("refund-succeeded-customer-area").merchantAccount == .unsaid)
    }

    @Test(
        "take no names of ours that are not ours",
        arguments: [
            "att_of_somebody", "op_1", "att_01ka5xxqkfbf5kznwj47tan9zt.acct_1", "att_01ka5xxqkfbf5kznwj47tan9zt.", "",
            ".BA1", "BA32272223222B5CTDQPM6W2H",
        ]
    )
    func foreignNames(reference: String) throws {
        #expect(MerchantReference(reference) == nil)
        let item = try AdyenSample.item("capture-succeeded").setting("merchantReference", .string(reference))
        let event = try #require(try Self.reread(item).first)
        let subject = try #require(event.notices.first?.subject)
        #expect(subject.attempt == nil && subject.operation == nil && event.merchantAccount == .unsaid)
    }

    /// What the adapter makes of an item that Adyen signed as it now is.
    static func reread(_ item: JSON) throws -> [WebhookEvent] {
        try #require(try AdyenSample.reading([try AdyenSample.sealed(item)]).events)
    }

    @Test("come several at a time, each with a name that is the same when it comes again")
    func several() throws {
        let names = ["authorize-succeeded", "capture-succeeded", "capture-rejected-unsupported", "nothing-report"]
        let items = try names.map { try AdyenSample.item($0) }
        let events = try #require(try AdyenSample.reading(items).events)
        #expect(
            events.map(\.id) == [
                "AUTHORISATION:QFQTPCQ8HXSKGK82:true", "CAPTURE:JDD6LKT8MBLZNN84:true",
                "CAPTURE:JDD6LKT8MBLZNN84:false", "REPORT_AVAILABLE:settlement_detail_report_batch_7.csv:true",
            ]
        )
        #expect(events.map(\.type) == ["AUTHORISATION", "CAPTURE", "CAPTURE", "REPORT_AVAILABLE"])
        #expect(events.map(\.notices.count) == [1, 1, 1, 0])
        let again = try #require(try AdyenSample.reading(items.reversed()).events)
        #expect(again == events.reversed())
    }

    @Test("are acknowledged in Adyen's word")
    func acknowledgement() throws {
        guard case .read(_, let reply) = try AdyenSample.reading([try AdyenSample.item("capture-succeeded")]) else {
            Issue.record("refused")
            return
        }
        #expect(reply.status == 200 && reply.body == Array("[accepted]".utf8))
    }

    @Test("count amounts in the currency's own unit", arguments: [("JPY", 10_000), ("CLP", 100), ("IDR", 1_000_000)])
    func units(currency: String, amount: Int64) throws {
        let item = try AdyenSample.item("capture-succeeded")
            .setting("amount", ["currency": .string(currency), "value": 10_000])
        let event = try #require(try Self.reread(item).first)
        #expect(event.currency?.code == currency)
        guard case .outcome(.capture, .succeeded(let success)) = event.notices.first?.happening else {
            Issue.record("\(event)")
            return
        }
        #expect(success.amount == amount)
    }

    @Test("know the merchant account in whatever case it is configured")
    func merchantAccountCase() throws {
        var settings = AdyenSample.settings
        settings.credentials["merchant_account"] = Secret("TRIBUTARYmarket")
        let item = try AdyenSample.item("capture-succeeded")
        #expect(try AdyenSample.reading([item], settings: settings).events?.first?.notices.count == 1)
        settings.credentials["merchant_account"] = Secret("AnotherShop")
        #expect(try AdyenSample.reading([item], settings: settings).events?.first?.notices.count == 0)
    }
}
