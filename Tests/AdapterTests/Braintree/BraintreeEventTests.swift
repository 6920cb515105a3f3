import AdapterKit
import BraintreeAdapter
import Domain
import Testing

@Suite("Braintree's notifications")
struct BraintreeEventTests {
    static func event(_ name: String) throws -> WebhookEvent {
        let samples = try WebhookSample.all
        let sample = try #require(samples.first { $0.adapter == "braintree" && $0.name == name }, "no \(name)")
        return try #require(try sample.listener.webhook(sample.incoming).events?.first)
    }

    /// What the adapter makes of a notification that is signed well.
    static func events(_ xml: String) throws -> [WebhookEvent]? {
        try BraintreeForm.reading(try BraintreeForm.signed(Base64Writer.text(Array(xml.utf8)))).events
    }

    @Test("of a dispute name the attempt, the payment and the dispute, and say why and until when to answer")
    func disputes() throws {
        let event = try Self.event("dispute-opened-in-part")
        let subject = Notice.Subject(
            attempt: "att_01ka5xxqkfbf5kznwj47tan9zt",
            payment: "p4mq7kzr",
            object: "5rz7hkq2vd4w9p6t"
        )
        let news = DisputeNotice(
            state: .opened,
            amount: 2500,
            reason: "fraud",
            respondBy: Timestamp(microseconds: 1_795_996_800_000_000)
        )
        let at = Timestamp(microseconds: 1_795_249_997_000_000)
        #expect(event.notices == [Notice(about: subject, .dispute(news), at: at)])
        #expect(event.type == "dispute_opened")
        #expect(event.id == "dispute_opened:5rz7hkq2vd4w9p6t:2026-11-21T08:33:17Z")
        let lost = DisputeNotice(state: .lost, amount: 10_000, reason: "fraud")
        #expect(try Self.event("dispute-lost").notices.map(\.happening) == [.dispute(lost)])
        let rest = DisputeNotice(state: .lost, amount: 4000, disputed: 10_000, reason: "fraud")
        #expect(try Self.event("dispute-lost-won-in-part").notices.map(\.happening) == [.dispute(rest)])
    }

    @Test("take no order identifier for an attempt that is none of ours")
    func foreignNames() throws {
        let subject = try #require(try Self.event("dispute-opened-foreign-order").notices.first?.subject)
        #expect(subject.attempt == nil && subject.payment == "p4mq7kzr")
    }

    @Test("say which account it is, the marketplace's own or a submerchant's")
    func merchantAccounts() throws {
        #expect(try Self.event("dispute-opened").merchantAccount == .platform("shop_usd"))
        #expect(try Self.event("dispute-opened-submerchant").merchantAccount == .merchant("sub_7"))
        #expect(try Self.event("refund-reversed").merchantAccount == .platform("shop_usd"))
    }

    @Test(
        "of what failed later name the operation or the attempt, and the processor's code",
        arguments: [
            ("refund-reversed", "op_01ka524mnpzx45hy43kwjrp1xp", nil, "r8xw2hdn", "2046"),
            ("refund-reversed-settlement", "op_01ka524mnpzx45hy43kwjrp1xp", nil, "r8xw2hdn", "1000"),
            ("capture-reversed", nil, "att_01ka5xxqkfbf5kznwj47tan9zt", "p4mq7kzr", "4001"),
        ] as [(String, String?, String?, String, String)]
    )
    func failures(name: String, operation: String?, attempt: String?, object: String, code: String) throws {
        let notice = try #require(try Self.event(name).notices.first)
        let subject = Notice.Subject(attempt: attempt, operation: operation, payment: "p4mq7kzr", object: object)
        #expect(notice.subject == subject)
        guard case .reversed(_, let rejection) = notice.happening else {
            Issue.record("\(notice)")
            return
        }
        #expect(rejection.code == code && rejection.reason == .unsupported)
    }

    @Test("take an amount won above the disputed one for unreadable")
    func wonTooMuch() throws {
        #expect(try Self.event("problem-won-too-much").problem?.hasPrefix("dispute_won: an amount won") == true)
    }

    @Test("say what cannot be read of them in a sentence")
    func problems() throws {
        #expect(
            try Self.event("problem-won-nothing").problem
                == "dispute_won: an amount won that is none of the disputed amount"
        )
        #expect(
            try Self.event("problem-retried").problem
                == "transaction_retried: Braintree tried a declined payment again on its own"
        )
    }

    @Test("that are about nothing with a name are told apart by the body")
    func unnamed() throws {
        let xml = { (kind: String) in
            "<notification><kind>\(kind)</kind><timestamp>2026-11-21T08:33:17Z</timestamp><subject/></notification>"
        }
        let first = try #require(try Self.events(xml("check"))?.first)
        let other = try #require(try Self.events(xml("probe"))?.first)
        #expect(first.id.hasPrefix("check:") && first.id.hasSuffix(":2026-11-21T08:33:17Z"))
        #expect(first.id != other.id)
        #expect(try Self.events(xml("check")) == [first])
    }

    @Test("claim nothing of a dispute that lacks any one of its parts")
    func lacking() throws {
        let parts = [
            ("<id>d1</id>", true), ("<amount-disputed>1.00</amount-disputed>", true),
            ("<currency-iso-code>USD</currency-iso-code>", true), ("<kind>chargeback</kind>", true),
            ("<transaction><id>t1</id></transaction>", true), ("<reason>fraud</reason>", false),
        ]
        for (missing, isNeeded) in parts {
            let dispute = parts.map(\.0).filter { $0 != missing }.joined()
            let events = try Self.events(
                "<notification><kind>dispute_opened</kind><timestamp>2026-11-21T08:33:17Z</timestamp><subject>"
                    + "<dispute>\(dispute)</dispute></subject></notification>"
            )
            let event = try #require(events?.first)
            #expect(event.notices.isEmpty == isNeeded, "\(missing)")
            #expect((event.problem != nil) == isNeeded, "\(missing)")
        }
    }
}
