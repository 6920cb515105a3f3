import ServiceLifecycle

/// A simulator that accepts connections.
package struct RunningSimulator: Sendable {
    /// The address it listens on.
    package let host: String
    /// The port it listens on.
    package let port: Int
    private let bookkeeper: Bookkeeper
    private let webhookSender: WebhookSender
    private let group: ServiceGroup
    private let serving: Task<Void, any Error>

    /// How long what was just accepted has to reach its handler.
    private static let settlingTime = Duration.milliseconds(50)

    init(
        host: String,
        port: Int,
        bookkeeper: Bookkeeper,
        webhookSender: WebhookSender,
        group: ServiceGroup,
        serving: Task<Void, any Error>
    ) {
        self.host = host
        self.port = port
        self.bookkeeper = bookkeeper
        self.webhookSender = webhookSender
        self.group = group
        self.serving = serving
    }

    /// The base URL for an adapter's settings.
    package var baseURL: String { "http://\(host):\(port)" }

    /// Reads the books and the time, in milliseconds since 1970, as of which to read them.
    package func read<Value: Sendable>(_ body: @Sendable (Books, _ now: Int64) -> Value) async -> Value {
        await bookkeeper.read(body)
    }

    /// The account's authorizations as they are now.
    package func authorizations(of account: String) async -> [Authorization] {
        await read { books, now in books.authorizations(of: account, at: now) }
    }

    /// Does what somebody wants without the API: the merchant in the PSP's dashboard, or the bank.
    ///
    /// - Throws: ``Refusal`` if it cannot be done, ``BooksFileError`` if it cannot be kept.
    @discardableResult
    package func act(_ action: DashboardAction) async throws -> Authorization {
        try await bookkeeper.receive(action)
    }

    /// Sends webhooks to an endpoint from now on, in place of the account's endpoint before.
    ///
    /// - Throws: ``WebhookEndpointError/notLoopback``.
    package func sendWebhooks(to endpoint: WebhookEndpoint) async throws(WebhookEndpointError) {
        try webhookSender.register(endpoint)
        await bookkeeper.watch()
    }

    /// What became of the webhooks so far.
    package var webhooks: WebhookCounts { webhookSender.counts }

    /// Cuts every connection, answered or not, stops listening and closes the books.
    ///
    /// It stops listening first: a connection that is accepted and has no handler yet must not be dropped, which NIO
    /// takes for a mistake and ends the process.
    package func stop() async {
        await group.triggerGracefulShutdown()
        try? await Task.sleep(for: Self.settlingTime)
        serving.cancel()
        _ = await serving.result
        await bookkeeper.close()
    }
}
