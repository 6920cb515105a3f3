import AdapterKit
import Domain
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PSPSimulator
import SimulatorAdapter
import Testing

/// A server that takes webhooks and keeps them.
actor WebhookReceiver {
    /// What the receiver's webhooks are signed with.
    static let secret = "whsec_c2ltdWxhdG9yIHdlYmhvb2tzLCAzMiBieXRlcyBsb25n"

    /// What came, in the order in which it came.
    private(set) var received: [IncomingWebhook] = []
    private(set) var port = 0
    private let account: String
    private let dialect: DialectName
    private let secret: String
    private var replies: [Int]
    private var waiters: [(count: Int, CheckedContinuation<Void, Never>)] = []

    /// - Parameters:
    ///   - replies: the statuses to answer with, the last one for good.
    ///   - account: whose webhooks it takes.
    ///   - dialect: the wire format of the simulator that sends them.
    ///   - secret: what they are signed with.
    init(replies: [Int], account: String, dialect: DialectName, secret: String) {
        self.replies = replies
        self.account = account
        self.dialect = dialect
        self.secret = secret
    }

    /// Where it listens.
    var url: String { "http://127.0.0.1:\(port)/hooks?x=1" }

    /// The endpoint of the account that it is.
    var endpoint: WebhookEndpoint {
        get throws { try WebhookEndpoint(account: account, url: url, secret: secret, dialect: dialect.dialect) }
    }

    /// Waits until so many have come, and answers all of them.
    func first(_ count: Int) async -> [IncomingWebhook] {
        if received.count < count { await withCheckedContinuation { waiters.append((count, $0)) } }
        return received
    }

    fileprivate func open(on port: Int) { self.port = port }

    fileprivate func take(_ incoming: IncomingWebhook) -> Int {
        received.append(incoming)
        for waiter in waiters where waiter.count <= received.count { waiter.1.resume() }
        waiters.removeAll { $0.count <= received.count }
        return replies.count > 1 ? replies.removeFirst() : replies[0]
    }
}

/// Runs `body` against a simulator that tells a receiver what happens to an account.
func withReceiver(
    replies: [Int] = [204],
    account: String = "shop",
    dialect: DialectName = .simulator,
    secret: String = WebhookReceiver.secret,
    books: BooksStorage = .memory,
    configure: (inout WebhookSettings) -> Void = { _ in },
    _ body: (WebhookReceiver, RunningSimulator, RawClient) async throws -> Void
) async throws {
    let receiver = WebhookReceiver(replies: replies, account: account, dialect: dialect, secret: secret)
    let router = Router()
    router.post("hooks") { request, _ in
        let buffer = try await request.body.collect(upTo: 1 << 20)
        let incoming = IncomingWebhook(
            body: Array(buffer.readableBytesView),
            headers: request.headers.map { Header($0.name.rawName, $0.value) },
            url: await receiver.url,
            receivedAt: Timestamp(microseconds: SimulatorClock.system() * 1000)
        )
        return Response(status: HTTPResponse.Status(code: await receiver.take(incoming)))
    }
    let (ports, announcement) = AsyncStream<Int>.makeStream()
    let application = Application(
        router: router,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in announcement.yield(channel.localAddress?.port ?? 0) },
        logger: Logger(label: "receiver") { _ in SwiftLogNoOpLogHandler() }
    )
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        for await port in ports {
            await receiver.open(on: port)
            break
        }
        var settings = WebhookSettings(endpoints: [try await receiver.endpoint])
        settings.retryMilliseconds = [5, 5]
        configure(&settings)
        try await withSimulator(dialect: dialect, books: books, webhooks: settings) { simulator, client in
            try await body(receiver, simulator, client)
        }
        group.cancelAll()
    }
}

/// Reads webhooks as the gateway would.
struct Hearing {
    let adapter: SimulatorAdapter

    init(secret: String = WebhookReceiver.secret) throws {
        adapter = try SimulatorAdapter(
            settings: AdapterSettings(
                account: "a",
                baseURL: "http://127.0.0.1:1",
                credentials: ["api_key": Secret("key_shop"), "webhook_secret": Secret(secret)]
            )
        )
    }

    /// The events of a webhook, which must be the simulator's.
    func events(_ incoming: IncomingWebhook) throws -> [WebhookEvent] {
        guard case .read(let events, reply: let reply) = adapter.webhook(incoming) else {
            throw Refused(reading: adapter.webhook(incoming))
        }
        #expect(reply.status == 200)
        return events
    }

    /// Its only notice.
    func notice(_ incoming: IncomingWebhook) throws -> Notice {
        try #require(try events(incoming).first?.notices.first)
    }

    /// What each says, in words.
    func words(_ incoming: [IncomingWebhook]) throws -> [String] {
        try incoming.map { try notice($0).happening.word }
    }

    /// A webhook that was not taken.
    struct Refused: Error { let reading: WebhookReading }
}

extension Notice.Happening {
    /// What happened in a few words, with the amounts.
    var word: String {
        switch self {
        case .outcome(let action, let outcome): "\(action.rawValue) \(outcome.word)"
        case .reversed(let action, let rejection): "\(action.rawValue) reversed \(rejection.reason.rawValue)"
        case .lapsed: "lapsed"
        case .dispute(let dispute): "dispute \(dispute.state.rawValue) \(dispute.amount)"
        }
    }
}
