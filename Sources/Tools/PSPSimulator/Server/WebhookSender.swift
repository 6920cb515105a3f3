import HTTPTransport
import Logging
import Synchronization

/// Sends webhooks, and sends again what was not taken, until it is stopped.
final class WebhookSender: Sendable {
    private let settings: WebhookSettings
    private let dialect: any PSPDialect
    private let clock: @Sendable () -> Int64
    private let logger: Logger
    /// Takes what there is to tell in place of endpoints.
    private let onEvent: (@Sendable (BookEvent, [WebhookNotice]) -> Void)?
    private let queue: Mutex<WebhookQueue>
    private let origin = Mutex("http://127.0.0.1")
    private let transport = Mutex<HTTPTransport?>(nil)
    private let jobs: AsyncStream<WebhookQueue.Job>
    private let intake: AsyncStream<WebhookQueue.Job>.Continuation

    /// - Throws: ``WebhookEndpointError`` if one of the endpoints is not allowed.
    init(
        _ settings: WebhookSettings,
        _ dialect: any PSPDialect,
        clock: @escaping @Sendable () -> Int64,
        logger: Logger,
        onEvent: (@Sendable (BookEvent, [WebhookNotice]) -> Void)? = nil
    ) throws(WebhookEndpointError) {
        self.settings = settings
        self.dialect = dialect
        self.clock = clock
        self.logger = logger
        self.onEvent = onEvent
        queue = Mutex(WebhookQueue(limit: settings.waitingLimit))
        (jobs, intake) = AsyncStream.makeStream()
        for endpoint in settings.endpoints { try register(endpoint) }
    }

    /// Lets an account hear, in place of its endpoint before.
    ///
    /// - Throws: ``WebhookEndpointError/notLoopback``.
    func register(_ endpoint: WebhookEndpoint) throws(WebhookEndpointError) {
        guard settings.allowsOtherHosts || endpoint.isLoopback else { throw .notLoopback }
        queue.withLock { $0.register(endpoint) }
    }

    /// Lets an account hear nothing more; false if it did not before.
    func unregister(_ account: String) -> Bool { queue.withLock { $0.unregister(account) } }

    /// The account's endpoint.
    func endpoint(of account: String) -> WebhookEndpoint? { queue.withLock { $0.endpoint(of: account) } }

    /// Whether anybody hears.
    var isHeard: Bool { queue.withLock { $0.isHeard } }

    /// What became of the webhooks so far.
    var counts: WebhookCounts { queue.withLock { $0.counts } }

    /// Says where the simulator is reached, for the links in webhooks.
    func setOrigin(_ url: String) { origin.withLock { $0 = url } }

    /// Takes what happened; returns at once.
    func post(_ events: [BookEvent]) {
        if let onEvent {
            for event in events { onEvent(event, dialect.notices(of: event, origin: origin.withLock { $0 })) }
            return
        }
        for event in events where endpoint(of: event.authorization.account) != nil {
            let notices = dialect.notices(of: event, origin: origin.withLock { $0 })
            for job in queue.withLock({ $0.add(event, notices) }) { intake.yield(job) }
        }
    }

    /// Waits until nothing waits for the authorization, except what is to be late, or the time is over.
    func waitUntilSent(_ authorization: String, within milliseconds: Int64) async {
        let number = queue.withLock { $0.drawNumber() }
        let timeout = Task {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            self.queue.withLock { $0.release(number) }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.withLock { $0.wait(for: authorization, number, continuation) }
            }
        } onCancel: {
            timeout.cancel()
        }
        timeout.cancel()
    }

    /// Delivers until it is cancelled; what waits then is never sent.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask { await self.perform(job) }
            }
            group.cancelAll()
        }
        queue.withLock { $0.releaseAll() }
        let transport = transport.withLock { current in
            defer { current = nil }
            return current
        }
        await transport?.stop()
    }

    private func perform(_ job: WebhookQueue.Job) async {
        switch job {
        case .late(let item, let milliseconds):
            guard await pause(milliseconds) else { return }
            await deliver(item)
        case .lane(let lane):
            while !Task.isCancelled, let item = queue.withLock({ $0.next(in: lane) }) { await deliver(item) }
        }
    }

    private func deliver(_ item: WebhookQueue.Item) async {
        for _ in 0..<item.copies {
            let isDelivered = await send(item)
            queue.withLock { $0.finish(isDelivered: isDelivered) }
            if !isDelivered, !Task.isCancelled {
                logger.notice("a webhook was not taken", metadata: ["event": "\(item.notice.id)"])
            }
        }
    }

    /// Sends until it is taken or given up.
    private func send(_ item: WebhookQueue.Item) async -> Bool {
        for delay in [0] + settings.retryMilliseconds {
            guard await pause(delay), let endpoint = endpoint(of: item.account) else { return false }
            let request = request(item.notice, to: endpoint)
            if case .reply(let reply) = await sender.send(request), dialect.acknowledges(reply) { return true }
        }
        return false
    }

    private func request(_ notice: WebhookNotice, to endpoint: WebhookEndpoint) -> HTTPRequest {
        let post = dialect.post(notice, to: endpoint, at: clock() / 1000)
        var request = HTTPRequest(.post, endpoint.url, headers: post.headers, body: post.body)
        request.totalTimeoutMilliseconds = settings.timeoutMilliseconds
        request.connectTimeoutMilliseconds = settings.timeoutMilliseconds
        request.replyLimitBytes = 65_536
        request.allowPlainHTTPToLoopback = true
        return request
    }

    /// The way out, opened when it is first needed.
    private var sender: HTTPTransport {
        transport.withLock { current in
            let open = current ?? HTTPTransport()
            current = open
            return open
        }
    }

    /// Waits; false if it is stopped meanwhile.
    private func pause(_ milliseconds: Int64) async -> Bool {
        guard milliseconds > 0 else { return !Task.isCancelled }
        return (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil
    }
}

/// What became of the webhooks.
package struct WebhookCounts: Hashable, Sendable {
    /// How many wait to be taken.
    package var waiting = 0
    /// How many were taken; one that is sent twice counts twice.
    package var delivered = 0
    /// How many were given up after the last repetition.
    package var failed = 0
    /// How many were dropped because too many waited.
    package var dropped = 0
}

/// How the simulator sends webhooks.
package struct WebhookSettings: Hashable, Sendable {
    /// Who hears from the start; others register while it runs.
    package var endpoints: [WebhookEndpoint]
    /// Whether webhooks may leave this machine.
    package var allowsOtherHosts = false
    /// How long to wait before each repetition of a webhook that was not taken, in milliseconds.
    package var retryMilliseconds: [Int64] = [100, 500, 2000, 5000]
    /// How long an endpoint may take to answer, in milliseconds.
    package var timeoutMilliseconds = 5000
    /// How many webhooks may wait to be taken; what comes beyond is dropped and counted.
    package var waitingLimit = 10_000

    /// The settings of an ordinary simulator.
    package init(endpoints: [WebhookEndpoint] = []) { self.endpoints = endpoints }
}
