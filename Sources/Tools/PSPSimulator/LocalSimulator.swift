import Logging

/// A simulator without a server: it is asked and it tells by calls, in an order that the caller determines.
///
/// What is due by itself happens when it is asked, or when ``advance()`` is called.
package struct LocalSimulator: Sendable {
    private let routes: [DialectRoute]
    private let handler: DialectHandler
    private let bookkeeper: Bookkeeper
    private let webhookSender: WebhookSender
    private let random: (@Sendable () -> UInt64)?

    /// Makes a simulator with empty books.
    ///
    /// - Parameters:
    ///   - name: the wire format it speaks.
    ///   - lateness: how late inquiries see what happened, in milliseconds.
    ///   - clock: the time in milliseconds since 1970.
    ///   - random: answers 64 random bits, which the PSP's names are made of; nil for the system's.
    ///   - onEvent: takes what happened in the books and what the PSP tells of it; called as it happens.
    /// - Throws: nothing that books in memory and no endpoints could give rise to.
    package init(
        _ name: DialectName,
        lateness: Int64 = 0,
        clock: @escaping @Sendable () -> Int64,
        random: (@Sendable () -> UInt64)? = nil,
        onEvent: @escaping @Sendable (BookEvent, [WebhookNotice]) -> Void
    ) async throws {
        self.random = random
        let dialect = name.dialect
        let logger = Logger(label: "local") { _ in SwiftLogNoOpLogHandler() }
        webhookSender = try WebhookSender(WebhookSettings(), dialect, clock: clock, logger: logger, onEvent: onEvent)
        let webhookSender = webhookSender
        bookkeeper = try await NameDraw.$current.withValue(NameDraw(random)) {
            try await Bookkeeper(
                .memory,
                webhookSender: webhookSender,
                clock: clock,
                keeping: dialect.keeping,
                lateness: lateness
            )
        }
        handler = DialectHandler(dialect: dialect, bookkeeper: bookkeeper, webhookSender: webhookSender)
        routes = dialect.routes
    }

    /// Answers a request as the PSP would, and says how a trigger wants the answer given.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - request: the request, with its path and without the segments that vary.
    ///   - delivery: how it is answered whatever its token says; nil for as that says.
    /// - Returns: the answer; nil if there is no such endpoint.
    /// - Throws: ``BooksFileError``, which books in memory never do.
    package func answer(
        _ method: String,
        _ request: PSPRequest,
        as delivery: Delivery? = nil
    ) async throws -> (PSPReply, Handling)? {
        let segments = Self.segments(of: request.path)
        let meant = routes.filter { $0.method.rawValue == method }.compactMap { route in
            Self.match(Self.segments(of: route.path), segments).map { (route: route, parameters: $0) }
        }
        // A fixed segment is preferred to one that varies.
        guard let (route, parameters) = meant.min(by: { $0.parameters.count < $1.parameters.count }) else { return nil }
        var request = request
        request.parameters = parameters
        let asked = request
        return try await MeantDelivery.$current.withValue(delivery) {
            try await NameDraw.$current.withValue(NameDraw(random)) { try await handler.answer(asked, by: route) }
        }
    }

    /// What a 500 of the PSP says.
    package var serverError: PSPReply { handler.dialect.serverError }

    /// Does what somebody wants without the API: the merchant in the PSP's dashboard, or the bank.
    ///
    /// - Throws: ``Refusal`` if it cannot be done.
    @discardableResult
    package func act(_ action: DashboardAction) async throws -> Authorization {
        try await bookkeeper.receive(action)
    }

    /// Takes a buyer's answer on the page of an authorization's step; nil if nobody waits for it.
    package func receive(answerFor authorization: String, approves: Bool) async -> Authorization? {
        try? await bookkeeper.receive(answerFor: authorization, approves: approves)
    }

    /// Does what has become due by itself.
    package func advance() async { await bookkeeper.advance() }

    /// Reads the books and the time, in milliseconds since 1970, as of which to read them.
    package func read<Value: Sendable>(_ body: @Sendable (Books, _ now: Int64) -> Value) async -> Value {
        await bookkeeper.read(body)
    }

    private static func segments(of path: String) -> [Substring] { path.split(separator: "/") }

    /// The segments that vary, by their names; nil if the path is another one.
    private static func match(_ pattern: [Substring], _ path: [Substring]) -> [String: String]? {
        guard pattern.count == path.count else { return nil }
        var parameters: [String: String] = [:]
        for (wanted, found) in zip(pattern, path) {
            if wanted.hasPrefix(":") {
                parameters[String(wanted.dropFirst())] = String(found)
            } else if wanted != found {
                return nil
            }
        }
        return parameters
    }
}

/// How what is asked of the books in the present task is answered, whatever its token says.
enum MeantDelivery {
    /// Nil for as tokens say.
    @TaskLocal static var current: Delivery?
}
