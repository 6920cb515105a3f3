import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("Square's events")
struct SquareEventTests {
    static let operation = "op_01ka524mnpzx45hy43kwjrp1xp"
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"

    static func sample(_ name: String) throws -> WebhookSample {
        try #require(try WebhookSample.all.first { $0.adapter == "square" && $0.name == name }, "no \(name)")
    }

    static func event(_ name: String, _ adapter: SquareAdapter? = nil) throws -> WebhookEvent {
        let listener = try adapter ?? SquareSample.adapter()
        return try #require(listener.webhook(sample(name).incoming).events?.first)
    }

    @Test(
        "name the attempt, our operation where there is one, and the object",
        arguments: [
            ("authorize-succeeded", attempt, nil, nil), ("capture-succeeded", attempt, nil, SquareSample.payment),
            ("void-succeeded", attempt, nil, SquareSample.payment), ("lapsed", attempt, nil, nil),
            ("refund-succeeded", nil, operation, SquareSample.refund),
            ("refund-succeeded-dashboard", nil, nil, SquareSample.refund),
            ("refund-reversed", nil, operation, SquareSample.refund),
            ("dispute-opened", nil, nil, "sampleDisputeXDgyFu7yo1E2S5"),
            ("dispute-opened-older-version", nil, nil, "sampleDisputeXDgyFu7yo1E2S5"),
        ] as [(String, String?, String?, String?)]
    )
    func subjects(name: String, attempt: String?, operation: String?, object: String?) throws {
        let expected = Notice.Subject(
            attempt: attempt,
            operation: operation,
            payment: SquareSample.payment,
            object: object
        )
        #expect(try Self.event(name).notices.map(\.subject) == [expected])
    }

    @Test("say until when a hold lives, on which card it is, and what was approved whatever it is lowered to")
    func holds() throws {
        let expected = Success(
            reference: SquareSample.payment,
            amount: 10_000,
            expiresAt: Timestamp(microseconds: 1_795_852_800_000_000),
            network: "VISA",
            last4: "1111",
            state: #"{"amount":6000,"fee":0,"version":"kSampleVersion2"}"#
        )
        let happening = Notice.Happening.outcome(.authorize, .succeeded(expected))
        #expect(try Self.event("authorize-succeeded-lowered").notices.map(\.happening) == [happening])
    }

    @Test("tell what was captured")
    func captures() throws {
        let part = Success(
            reference: SquareSample.payment,
            amount: 6000,
            capturedAmount: 6000,
            state: #"{"amount":6000,"fee":0,"version":"kSampleVersion1"}"#
        )
        let happening = Notice.Happening.outcome(.capture, .succeeded(part))
        #expect(try Self.event("capture-succeeded-in-part").notices.map(\.happening) == [happening])
    }

    @Test("say why a dispute was opened, over how much, and until when to answer")
    func disputes() throws {
        let opened = DisputeNotice(
            state: .opened,
            amount: 2500,
            reason: "NOT_RECEIVED",
            respondBy: Timestamp(microseconds: 1_796_342_400_000_000)
        )
        #expect(try Self.event("dispute-opened-in-part").notices.map(\.happening) == [.dispute(opened)])
        let lost = DisputeNotice(state: .lost, amount: 10_000, reason: "NOT_RECEIVED")
        #expect(try Self.event("dispute-lost").notices.map(\.happening) == [.dispute(lost)])
    }

    @Test(
        "name the location as the merchant's account, unless it is the account's own",
        arguments: ["authorize-succeeded", "refund-succeeded", "dispute-opened"]
    )
    func locations(name: String) throws {
        #expect(try Self.event(name).merchantAccount == .platform(SquareSample.location))
        for own in [nil, SquareSample.branch] {
            var settings = try AdapterUnderTest.square.settings
            settings.credentials["location_id"] = own.map { Secret($0) }
            let adapter = try SquareAdapter(settings: settings)
            #expect(try Self.event(name, adapter).merchantAccount == .merchant(SquareSample.location))
        }
    }

    @Test("of another seller than the account's say nothing", arguments: [("MLSAMPLESELLER", 1), ("MLANOTHER", 0)])
    func sellers(merchant: String, count: Int) throws {
        var settings = try AdapterUnderTest.square.settings
        settings.credentials["merchant_id"] = Secret(merchant)
        let event = try Self.event("authorize-succeeded", SquareAdapter(settings: settings))
        #expect(event.notices.count == count && event.problem == nil)
    }

    @Test("keep their identifier, by which a repeated one is known, as the signature has no time")
    func identifiers() throws {
        let sample = try Self.sample("capture-succeeded")
        var later = sample.incoming
        later.receivedAt = later.receivedAt.adding(milliseconds: 30 * 86_400_000)
        let listener = try SquareSample.adapter()
        #expect(listener.webhook(later) == listener.webhook(sample.incoming))
        #expect(listener.webhook(later).events?.first?.id.hasPrefix("6f606f30-") == true)
    }
}
