import AdapterKit
import Domain
import StrictJSON
import Testing
import TributaryTestKit
import WireFormats

/// Nobody has to be known to post to a webhook's address, so that nothing may be done there that costs the square of
/// what was sent: Swift's comparison and hashing of text do, for a long run of combining marks.
@Suite("Webhooks of marks without end", .serialized, .timeLimit(.minutes(10)))
struct WebhookWorkTests {
    /// So long that ten of them are within what a body may have.
    private static let bytes = IncomingWebhook.bodyLimitBytes / 12
    private static let run = HostileText.marks.text(bytes)
    private static let plain = HostileText.marks.ascii(bytes)

    /// Bodies with the text as a key, as every value, in a form and as no JSON at all.
    static let bodies: [@Sendable (String) -> [UInt8]] = [
        { text in JSON.object([JSON.Member(text, 1), JSON.Member(text + "1", 2)]).bytes },
        { text in
            let names = [
                "pspReference", "originalReference", "merchantAccountCode", "merchantReference", "eventCode", "success",
                "eventDate", "reason",
            ]
            let members = names.map { JSON.Member($0, .string(text)) }
            let amount = JSON.object([JSON.Member("value", 1), JSON.Member("currency", .string(text))])
            let item = JSON.object(members + [JSON.Member("amount", amount)])
            return JSON.object([JSON.Member("notificationItems", [["NotificationRequestItem": item]])]).bytes
        },
        { text in Array("bt_signature=\(text)&bt_payload=\(text)&\(text)=1".utf8) },
        { text in Array(text.utf8) },
    ]

    @Test("cost no more than as much ASCII, wherever the marks stand", arguments: try AdapterUnderTest.listeners)
    func body(subject: AdapterUnderTest) throws {
        let listener = try #require(subject.listener)
        for (number, body) in Self.bodies.enumerated() {
            let (run, plain) = (Self.webhook(body(Self.run)), Self.webhook(body(Self.plain)))
            let ratio = ProcessorWork.ratio(of: { _ = listener.webhook(run) }, to: { _ = listener.webhook(plain) })
            #expect(ratio < HostileText.bound, "body \(number): \(ratio)")
            #expect(listener.webhook(run).refusal != nil)
        }
    }

    @Test("cost no more in header fields, named and unnamed", arguments: try AdapterUnderTest.listeners)
    func headers(subject: AdapterUnderTest) throws {
        let listener = try #require(subject.listener)
        func webhook(_ text: String) -> IncomingWebhook {
            var incoming = Self.webhook(Array("{}".utf8))
            let names = [
                "webhook-id", "webhook-timestamp", "webhook-signature", "X-ANET-Signature", "Cko-Signature",
                "x-square-hmacsha256-signature", "Stripe-Signature", "Event-Signature",
            ]
            incoming.headers = names.map { Header($0, text) } + [Header(text, "x")]
            return incoming
        }
        let (run, plain) = (webhook(Self.run), webhook(Self.plain))
        let ratio = ProcessorWork.ratio(of: { _ = listener.webhook(run) }, to: { _ = listener.webhook(plain) })
        #expect(ratio < HostileText.bound, "\(ratio)")
    }

    @Test("a signature's codes are compared with one reading of the body, however many there are")
    func codes() throws {
        let listener = try #require(try AdapterUnderTest.named("simulator").listener)
        func webhook(_ count: Int) -> IncomingWebhook {
            var incoming = Self.webhook([UInt8](repeating: 0x20, count: 60_000))
            let code = "v1,\(Base64.encode([UInt8](repeating: 7, count: 32)))"
            incoming.headers = [
                Header("webhook-id", "a"), Header("webhook-timestamp", String(Sample.signedAt)),
                Header("webhook-signature", [String](repeating: code, count: count).joined(separator: " ")),
            ]
            return incoming
        }
        let (many, one) = (webhook(300), webhook(1))
        #expect(listener.webhook(many).refusal == .wrongSignature)
        let ratio = ProcessorWork.ratio(of: { _ = listener.webhook(many) }, to: { _ = listener.webhook(one) })
        #expect(ratio < 60, "\(ratio)")
    }

    private static func webhook(_ body: [UInt8]) -> IncomingWebhook {
        IncomingWebhook(
            body: body,
            headers: [],
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(Sample.signedAt)
        )
    }
}
