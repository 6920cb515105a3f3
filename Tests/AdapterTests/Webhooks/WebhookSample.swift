import AdapterKit
import Domain
import Testing

/// A sample of a webhook, named for what the adapter must make of it.
struct WebhookSample: Sendable, CustomTestStringConvertible {
    let adapter: String
    let name: String
    let incoming: IncomingWebhook

    var testDescription: String { "\(adapter)/webhook/\(name)" }

    /// Every webhook, received a dozen seconds after it was signed.
    static var all: [WebhookSample] {
        get throws {
            try SampleFiles.psps().flatMap { psp in
                try SampleFiles.names(in: "\(psp)/webhooks").map { try WebhookSample(adapter: psp, file: $0) }
            }
        }
    }

    /// Those that the adapter has to accept.
    static var accepted: [WebhookSample] { get throws { try all.filter { !$0.name.hasPrefix("refused") } } }

    private init(adapter: String, file: String) throws {
        let path = "\(adapter)/webhooks/\(file)"
        try #require(file.hasSuffix(".http"), "\(path) is no webhook")
        self.adapter = adapter
        name = String(file.dropLast(".http".count))
        let message = try #require(SampleMessage(try SampleFiles.data(path)), "\(path) is no webhook")
        try #require(message.firstLine.count == 3 && message.firstLine[0] == "POST", "\(path) is no POST")
        incoming = IncomingWebhook(
            body: message.body,
            headers: message.headers,
            url: message.firstLine[1],
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
