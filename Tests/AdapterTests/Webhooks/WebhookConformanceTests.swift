import AdapterKit
import Domain
import Testing

@Suite("Every adapter that hears webhooks")
struct WebhookConformanceTests {
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"

    @Test("reads recorded webhooks as their file is named", arguments: try WebhookFixture.all)
    func reads(fixture: WebhookFixture) throws {
        let expectation = try #require(WebhookExpectation(fixture.name), "the name is no expectation")
        let reading = try fixture.listener.webhook(fixture.incoming)
        #expect(WebhookExpectation(reading) == expectation, "\(reading)")
    }

    @Test("names what each notice is about, in the payment's currency", arguments: try WebhookFixture.accepted)
    func names(fixture: WebhookFixture) throws {
        let subject = try fixture.subject
        let scheme = try fixture.scheme
        let events = try #require(try fixture.listener.webhook(fixture.incoming).events)
        for event in events {
            #expect(!event.id.isEmpty && !event.type.isEmpty)
            for notice in event.notices {
                let isOther = scheme.paymentPrefix.map { notice.subject.payment?.hasPrefix($0) == true } ?? false
                let isNamed = notice.subject.attempt == Self.attempt || notice.subject.object?.isEmpty == false
                let isUnnamed = !scheme.alwaysNamesPayment && notice.subject.payment == nil && isNamed
                #expect(notice.subject.payment == subject.pspReference || isOther || isUnnamed)
                #expect(notice.subject.attempt == nil || notice.subject.attempt == Self.attempt)
                #expect(notice.subject.operation.map { OperationID($0) != nil } ?? true)
                #expect(notice.at == WebhookFixture.moment(Sample.signedAt - 3) || !scheme.tellsTime)
                let isWithoutAmount = !scheme.statesAmounts && event.currency == nil
                #expect(event.currency == Currency(code: "USD") || isWithoutAmount)
            }
        }
    }

    @Test("acknowledges what it reads", arguments: try WebhookFixture.accepted)
    func acknowledges(fixture: WebhookFixture) throws {
        guard case .read(_, let reply) = try fixture.listener.webhook(fixture.incoming) else {
            Issue.record("refused")
            return
        }
        #expect(reply.status == 200)
    }

    @Test("reads a webhook the same again, whatever came between", arguments: try AdapterUnderTest.listeners)
    func repeats(subject: AdapterUnderTest) throws {
        let listener = try #require(subject.listener)
        var random = SeededGenerator(seed: 20_261_121)
        let fixtures = try WebhookFixture.all.filter { $0.adapter == subject.name }
        let first = fixtures.map { listener.webhook($0.incoming) }
        for _ in 0..<5 {
            for index in fixtures.indices.shuffled(using: &random) {
                #expect(listener.webhook(fixtures[index].incoming) == first[index])
            }
        }
    }

    @Test("reads what was stored under a rotated secret as before", arguments: try WebhookFixture.accepted)
    func rotates(fixture: WebhookFixture) throws {
        let other = try fixture.scheme.otherSecret
        let own = try #require(try fixture.subject.settings.credentials["webhook_secret"]).reveal()
        let first = try fixture.listener.webhook(fixture.incoming)
        for secrets in ["\(own),\(other)", " \(other) , \(own)\n"] {
            let listener = try Self.listener(fixture.adapter, secret: secrets)
            #expect(listener.webhook(fixture.incoming) == first)
        }
        #expect(try Self.listener(fixture.adapter, secret: other).webhook(fixture.incoming).refusal == .wrongSignature)
    }

    @Test("has recordings of what a webhook may say", arguments: try AdapterUnderTest.listeners)
    func isRecorded(subject: AdapterUnderTest) throws {
        let names = try WebhookFixture.all.filter { $0.adapter == subject.name }.map(\.name)
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

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
