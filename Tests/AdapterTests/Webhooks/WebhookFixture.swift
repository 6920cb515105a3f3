import AdapterKit
import Domain
import Testing

/// A recorded webhook, named for what the adapter must make of it.
struct WebhookFixture: Sendable, CustomTestStringConvertible {
    let adapter: String
    let name: String
    let incoming: IncomingWebhook

    var testDescription: String { "\(adapter)/webhook/\(name)" }

    /// Every recording, received a dozen seconds after it was signed.
    static var all: [WebhookFixture] {
        get throws { try Fixture.webhookPaths().sorted().map(WebhookFixture.init) }
    }

    /// Those that the adapter has to accept.
    static var accepted: [WebhookFixture] { get throws { try all.filter { !$0.name.hasPrefix("refused") } } }

    private init(path: String) throws {
        let parts = path.dropLast(".http".count).split(separator: "/")
        try #require(parts.count == 3, "\(path) does not lie in <psp>/webhook")
        adapter = String(parts[0])
        name = String(parts[2])
        let recording = try #require(HTTPRecording(message: try Fixture.data(path)), "\(path) is no recording")
        try #require(recording.firstLine.count == 3 && recording.firstLine[0] == "POST", "\(path) is no POST")
        incoming = IncomingWebhook(
            body: recording.body,
            headers: recording.headers,
            url: recording.firstLine[1],
            receivedAt: Self.moment(Sample.signedAt + 12)
        )
    }

    /// The adapter that hears it, as the suites know it.
    var subject: AdapterUnderTest { get throws { try AdapterUnderTest.named(adapter) } }

    /// The adapter that hears it.
    var listener: any WebhookListener { get throws { try #require(try subject.listener) } }

    /// How it is signed.
    var scheme: WebhookScheme { get throws { try #require(try subject.webhooks) } }

    /// A moment in seconds since 1970.
    static func moment(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }
}

extension WebhookReading {
    /// The events; nil if it was refused.
    var events: [WebhookEvent]? {
        if case .read(let events, reply: _) = self { events } else { nil }
    }

    /// Why it was refused.
    var refusal: WebhookRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
