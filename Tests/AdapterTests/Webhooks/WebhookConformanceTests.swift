import AdapterKit
import Domain
import SeededRandom
import Testing

@Suite("Every adapter that hears webhooks")
struct WebhookConformanceTests {
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"

    @Test("reads a webhook as its file is named", arguments: try WebhookSample.all)
    func reads(sample: WebhookSample) throws {
        let expectation = try #require(WebhookExpectation(sample.name), "the name is no expectation")
        let reading = try sample.listener.webhook(sample.incoming)
        #expect(WebhookExpectation(reading) == expectation, "\(reading)")
    }

    @Test("names what each notice is about, in the payment's currency", arguments: try WebhookSample.accepted)
    func names(sample: WebhookSample) throws {
        let subject = try sample.subject
        let scheme = try sample.scheme
        let events = try #require(try sample.listener.webhook(sample.incoming).events)
        for event in events {
            #expect(!event.id.isEmpty && !event.type.isEmpty)
            for notice in event.notices {
                let isOther = scheme.paymentPrefix.map { notice.subject.payment?.hasPrefix($0) == true } ?? false
                let isNamed = notice.subject.attempt == Self.attempt || notice.subject.object?.isEmpty == false
                let isUnnamed = !scheme.alwaysNamesPayment && notice.subject.payment == nil && isNamed
                #expect(notice.subject.payment == subject.pspReference || isOther || isUnnamed)
                #expect(notice.subject.attempt == nil || notice.subject.attempt == Self.attempt)
                #expect(notice.subject.operation.map { OperationID($0) != nil } ?? true)
                #expect(notice.at == WebhookSample.moment(Sample.signedAt - 3) || !scheme.tellsTime)
                let isWithoutAmount = !scheme.statesAmounts && event.currency == nil
                #expect(event.currency == Currency(code: "USD") || isWithoutAmount)
            }
        }
    }

    @Test(
        "says whether a capture let go of the rest where the PSP says so",
        arguments: [("capture-succeeded-in-part", false), ("capture-succeeded-dashboard", true)]
    )
    func isFinal(row: (name: String, isLast: Bool)) throws {
        let sample = try #require(try WebhookSample.all.first { $0.adapter == "simulator" && $0.name == row.name })
        let notice = try #require(try sample.listener.webhook(sample.incoming).events?.first?.notices.first)
        guard case .outcome(.capture, .succeeded(let success)) = notice.happening else {
            Issue.record("\(notice)")
            return
        }
        #expect(success.isFinal == row.isLast)
    }

    @Test("acknowledges what it reads", arguments: try WebhookSample.accepted)
    func acknowledges(sample: WebhookSample) throws {
        guard case .read(_, let reply) = try sample.listener.webhook(sample.incoming) else {
            Issue.record("refused")
            return
        }
        #expect(reply.status == 200)
    }

    @Test("reads a webhook the same again, whatever came between", arguments: try AdapterUnderTest.listeners)
    func repeats(subject: AdapterUnderTest) throws {
        let listener = try #require(subject.listener)
        var random = SeededRandom(seed: 20_261_121)
        let samples = try WebhookSample.all.filter { $0.adapter == subject.name }
        let first = samples.map { listener.webhook($0.incoming) }
        for _ in 0..<5 {
            for index in samples.indices.shuffled(using: &random) {
                #expect(listener.webhook(samples[index].incoming) == first[index])
            }
        }
    }

    @Test("reads what was stored under a rotated secret as before", arguments: try WebhookSample.accepted)
    func rotates(sample: WebhookSample) throws {
        let other = try sample.scheme.otherSecret
        let own = try #require(try sample.subject.settings.credentials["webhook_secret"]).reveal()
        let first = try sample.listener.webhook(sample.incoming)
        for secrets in ["\(own),\(other)", " \(other) , \(own)\n"] {
            let listener = try Self.listener(sample.adapter, secret: secrets)
            #expect(listener.webhook(sample.incoming) == first)
        }
        #expect(try Self.listener(sample.adapter, secret: other).webhook(sample.incoming).refusal == .wrongSignature)
    }

    @Test("has samples of what a webhook may say", arguments: try AdapterUnderTest.listeners)
    func isComplete(subject: AdapterUnderTest) throws {
        let names = try WebhookSample.all.filter { $0.adapter == subject.name }.map(\.name)
        let wanted = [
            "authorize-succeeded", "authorize-declined", "authorize-action-required", "capture-succeeded",
            "void-succeeded", "refund-succeeded", "refund-pending", "refund-reversed", "lapsed", "dispute-opened",
            "dispute-won", "dispute-lost", "nothing", "problem", "refused-unsigned", "refused-wrong-signature",
            "refused-outside-tolerance", "refused-malformed",
        ]
        for word in wanted where !subject.lacks.contains("webhook/\(word)") {
            #expect(names.contains { $0.hasPrefix(word) }, "no \(word)")
        }
    }

    /// The adapter with other webhook secrets; nil removes the credential.
    static func listener(_ name: String, secret: String?) throws -> any WebhookListener {
        let subject = try AdapterUnderTest.named(name)
        var settings = subject.settings
        settings.credentials["webhook_secret"] = secret.map { Secret($0) }
        return try #require(try type(of: subject.adapter).init(settings: settings) as? any WebhookListener)
    }
}
