import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("Authorize.Net's notifications")
struct AuthorizeNetEventTests {
    static let attempt = "att_01ka5xxqkfe4hs4d2pf2dbsqqg"
    static let operation = "op_01ka5xxqkfe4hs4d2pf2dbsqqg"

    static func event(_ name: String) throws -> WebhookEvent {
        let samples = try WebhookSample.all
        let sample = try #require(samples.first { $0.adapter == "authorize-net" && $0.name == name }, "no \(name)")
        return try #require(try sample.listener.webhook(sample.incoming).events?.first)
    }

    /// A notification with another payload or date than the sample of a refund.
    static func event(
        payload: String,
        type: String = "refund.created",
        date: String = "2026-11-21T08:33:17Z"
    ) throws -> WebhookEvent {
        let body =
            #"{"notificationId":"n1","eventType":"net.authorize.payment.\#(type)","eventDate":"\#(date)","#
            + #""payload":{"entityName":"transaction","id":"60198770001","responseCode":1,\#(payload)}}"#
        let subject = try AdapterUnderTest.authorizeNet
        let incoming = try #require(subject.webhooks).signed(Array(body.utf8))
        let listener = try #require(subject.listener)
        return try #require(listener.webhook(incoming).events?.first)
    }

    @Test(
        "name our operation where Authorize.Net repeats it",
        arguments: [
            ("capture-succeeded", operation), ("void-succeeded", operation), ("refund-succeeded", operation),
            ("authorize-succeeded-sale", operation), ("capture-succeeded-dashboard", nil),
            ("void-succeeded-dashboard", nil), ("refund-succeeded-dashboard", nil), ("authorize-succeeded-held", nil),
        ] as [(String, String?)]
    )
    func operations(name: String, operation: String?) throws {
        #expect(try Self.event(name).notices.first?.subject.operation == operation)
    }

    @Test("of a refund name the refund, and its payment's attempt if they carry it")
    func refunds() throws {
        let ours = try #require(try Self.event("refund-succeeded").notices.first?.subject)
        #expect(ours.payment == nil && ours.object == "60198770001" && !ours.isOthers)
        let dashboard = try Self.event(payload: #""authAmount":25.00,"invoiceNumber":"2vkwECEwXUQ9cJGGOKNE""#)
        let subject = try #require(dashboard.notices.first?.subject)
        #expect(subject.attempt == Self.attempt && subject.operation == nil && subject.payment == nil)
        // Ours never has its payment's name: one of the same amount that is in doubt is another.
        #expect(subject.isOthers)
        let success = Success(reference: "60198770001", amount: 2500)
        #expect(dashboard.notices.map(\.happening) == [.outcome(.refund, .succeeded(success))])
    }

    @Test("tell a sale's capture with its authorization, and a later capture on its own")
    func captures() throws {
        let sale = Success(reference: AuthorizeNetSample.payment, amount: 10_000, capturedAmount: 10_000)
        #expect(
            try Self.event("authorize-succeeded-sale").notices.map(\.happening)
                == [.outcome(.authorize, .succeeded(sale))]
        )
        let held = Success(reference: AuthorizeNetSample.payment, amount: 10_000)
        #expect(
            try Self.event("authorize-succeeded-held").notices.map(\.happening)
                == [.outcome(.authorize, .succeeded(held))]
        )
        let part = Success(reference: AuthorizeNetSample.payment, amount: 6000, capturedAmount: 6000)
        #expect(
            try Self.event("capture-succeeded-in-part").notices.map(\.happening)
                == [.outcome(.capture, .succeeded(part))]
        )
    }

    @Test("never take a void for the payment's that may be a refund's")
    func voids() throws {
        let subject = try #require(try Self.event("void-succeeded-dashboard").notices.first?.subject)
        #expect(subject.payment == AuthorizeNetSample.payment && subject.object == nil)
    }

    @Test("tell the void of an unsettled capture with the attempt that its transaction carries")
    func voidsOfCaptures() throws {
        let event = try Self.event(
            payload: #""authAmount":60.00,"invoiceNumber":"2vkwECEwXUQ9cJGGOKNE""#,
            type: "void.created"
        )
        let subject = Notice.Subject(attempt: Self.attempt, payment: "60198770001")
        let success = Success(reference: "60198770001", amount: 6000)
        #expect(event.notices.map(\.subject) == [subject])
        #expect(event.notices.map(\.happening) == [.outcome(.void, .succeeded(success))])
    }

    @Test(
        "that test an endpoint or move nothing are ignored, and say so for the log",
        arguments: [
            "nothing-endpoint-test", "nothing-endpoint-test-empty", "nothing-endpoint-test-zero", "nothing-test-mode",
            "nothing-zero-amount",
        ]
    )
    func tests(name: String) throws {
        let event = try Self.event(name)
        #expect(event.notices.isEmpty && event.problem == nil && event.remark?.isEmpty == false)
    }

    @Test("are in the account's currency, which they do not name")
    func currency() throws {
        #expect(try Self.event("capture-succeeded").currency?.code == "USD")
        var settings = AuthorizeNetSample.settings
        settings.credentials["currency"] = Secret("CAD")
        let sample = try #require(
            try WebhookSample.all.first { $0.adapter == "authorize-net" && $0.name == "capture-succeeded" }
        )
        let event = try AuthorizeNetAdapter(settings: settings).webhook(sample.incoming).events?.first
        #expect(event?.currency?.code == "CAD")
    }

    @Test(
        "say when they were made",
        arguments: [
            ("2026-11-21T08:33:17Z", 0), ("2026-11-21T08:33:17.0000001Z", 0), ("2026-11-21T08:33:17.25Z", 250_000),
            ("2026-11-21T08:33:17.1234567Z", 123_456), ("2026-11-21T08:33:17", 0),
        ] as [(String, Int64)]
    )
    func moments(date: String, microseconds: Int64) throws {
        let event = try Self.event(payload: #""authAmount":1"#, date: date)
        let expected = Timestamp(microseconds: (Sample.signedAt - 3) * 1_000_000 + microseconds)
        #expect(event.notices.first?.at == expected)
    }

    @Test(
        "say nothing of a time that they do not write as documented",
        arguments: [
            "2026-11-21T08:33:17+01:00", "2026-13-21T08:33:17Z", "2026-11-32T08:33:17Z", "2026-11-21T24:00:00Z",
            "2026-11-21 08:33:17Z", "2026-11-21T08:33:17.Z", "2026-11-21T08:33:17,5Z", "21.11.2026", "",
        ]
    )
    func malformedMoments(date: String) throws {
        let event = try Self.event(payload: #""authAmount":1"#, date: date)
        #expect(event.notices.count == 1 && event.notices.first?.at == nil)
    }

    @Test(
        "count leap days",
        arguments: [("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-03-01T00:00:00Z", 951_868_800)]
    )
    func leapDays(date: String, seconds: Int64) throws {
        let event = try Self.event(payload: #""authAmount":1"#, date: date)
        #expect(event.notices.first?.at == Timestamp(microseconds: seconds * 1_000_000))
    }
}
