package import HTTPTransport
package import StrictJSON

/// A client of Tributary's HTTP API: places orders and acts on them, safely over lost connections.
///
/// Whatever moves money is sent under an idempotency key, the same one for each repeat of a call, so that a repeat never
/// does anything twice. Calls are repeated by themselves after a lost connection and after 408, 429, 502, 503 and 504,
/// with growing pauses; other refusals are never repeated. Members and words of answers that this version does not know
/// are ignored.
///
/// After ``Failure/noAnswer(_:)`` and ``Failure/unreadable(status:idempotencyKey:)`` make the same call again under the
/// key that they name: a call under a new key may do what was done already.
public final class TributaryClient: Sendable {
    /// How requests are repeated, and for how long they wait.
    public struct Settings: Hashable, Sendable {
        /// How often a call is repeated at most; 0 for never.
        public var repeats: Int
        /// The pause before the first repeat, doubled before each further one; half of it is left to chance.
        public var firstPause: Duration
        /// The longest pause, the server's own `Retry-After` included.
        public var longestPause: Duration
        /// How long one try may take.
        public var timeLimit: Duration

        /// Makes settings.
        ///
        /// - Parameters:
        ///   - repeats: how often a call is repeated at most.
        ///   - firstPause: the pause before the first repeat.
        ///   - longestPause: the longest pause.
        ///   - timeLimit: how long one try may take.
        public init(
            repeats: Int = 4,
            firstPause: Duration = .milliseconds(500),
            longestPause: Duration = .seconds(30),
            timeLimit: Duration = .seconds(60)
        ) {
            self.repeats = max(0, repeats)
            self.firstPause = firstPause
            self.longestPause = longestPause
            self.timeLimit = timeLimit
        }
    }

    /// The version of the API that this client reads; it asks for it, whatever its key is pinned to.
    public static let apiVersion = "2026-11-23"

    private let wire: ClientWire

    /// Makes a client with connections of its own; ``close()`` ends them.
    ///
    /// - Parameters:
    ///   - baseURL: where Tributary is, without a path: `https`, or `http` on this machine.
    ///   - key: a secret API key.
    ///   - settings: how requests are repeated.
    public convenience init(baseURL: String, key: String, settings: Settings = Settings()) {
        self.init(baseURL: baseURL, key: key, settings: settings, transport: HTTPTransport())
    }

    /// Makes a client over connections that somebody else ends.
    package init(
        baseURL: String,
        key: String,
        settings: Settings = Settings(),
        transport: HTTPTransport,
        trusting authorities: PEM? = nil
    ) {
        let base = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        wire = ClientWire(
            transport: transport,
            baseURL: base,
            key: key,
            settings: settings,
            authorities: authorities
        )
    }

    /// Ends every connection; calls under way and later ones fail.
    public func close() async { await wire.transport.stop() }

    // MARK: Orders

    /// Places an order.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - idempotencyKey: the key of an earlier call that got no answer; nil for a new one.
    /// - Returns: the order as it is by then; a declined one is an order too, see ``Order/decision``.
    /// - Throws: ``Failure``.
    public func place(_ order: NewOrder, idempotencyKey: String? = nil) async throws(Failure) -> Order {
        try await place(order.json, idempotencyKey: idempotencyKey)
    }

    /// Places an order whose body is written already.
    package func place(_ body: JSON, idempotencyKey: String? = nil) async throws(Failure) -> Order {
        try await Order(reading: act("/v1/orders", body, idempotencyKey))
    }

    /// Reads an order.
    ///
    /// - Parameter id: the order's id.
    /// - Returns: the order.
    /// - Throws: ``Failure``.
    public func order(_ id: String) async throws(Failure) -> Order {
        try await Order(reading: wire.send(.get, "/v1/orders/" + ClientWire.escaped(id)))
    }

    /// Lists orders, the newest first.
    ///
    /// - Parameter filter: which orders.
    /// - Returns: a page of them.
    /// - Throws: ``Failure``.
    public func list(_ filter: OrderFilter = OrderFilter()) async throws(Failure) -> OrderPage {
        try await wire.send(.get, "/v1/orders" + filter.query).read(OrderPage.init(reading:))
    }

    /// Captures what is held.
    ///
    /// - Parameters:
    ///   - order: the order's id.
    ///   - parts: payments, each with an amount or whole, or all that is held.
    ///   - idempotencyKey: the key of an earlier call that got no answer; nil for a new one.
    /// - Returns: the order.
    /// - Throws: ``Failure``.
    public func capture(
        _ order: String,
        _ parts: Parts<Item> = .all,
        idempotencyKey: String? = nil
    ) async throws(Failure) -> Order {
        try await Order(reading: act(Self.path(order, "capture"), Self.body(parts) { $0 }, idempotencyKey))
    }

    /// Cancels an order, or some of its payments.
    ///
    /// - Parameters:
    ///   - order: the order's id.
    ///   - payments: ids of payments, or the whole order.
    ///   - idempotencyKey: the key of an earlier call that got no answer; nil for a new one.
    /// - Returns: the order.
    /// - Throws: ``Failure``.
    public func cancel(
        _ order: String,
        _ payments: Parts<String> = .all,
        idempotencyKey: String? = nil
    ) async throws(Failure) -> Order {
        let body = try Self.body(payments) { Item(payment: $0) }
        return try await Order(reading: act(Self.path(order, "cancel"), body, idempotencyKey))
    }

    /// Releases what is still held of an accepted order.
    ///
    /// - Parameters:
    ///   - order: the order's id.
    ///   - payments: ids of payments, or all that is held.
    ///   - idempotencyKey: the key of an earlier call that got no answer; nil for a new one.
    /// - Returns: the order.
    /// - Throws: ``Failure``.
    public func release(
        _ order: String,
        _ payments: Parts<String> = .all,
        idempotencyKey: String? = nil
    ) async throws(Failure) -> Order {
        let body = try Self.body(payments) { Item(payment: $0) }
        return try await Order(reading: act(Self.path(order, "release"), body, idempotencyKey))
    }

    /// Gives money back.
    ///
    /// - Parameters:
    ///   - order: the order's id.
    ///   - share: how much of which payments.
    ///   - reason: why, for the order's history; nil for none.
    ///   - idempotencyKey: the key of an earlier call that got no answer; nil for a new one.
    /// - Returns: the refund.
    /// - Throws: ``Failure``.
    public func refund(
        _ order: String,
        _ share: RefundShare,
        reason: String? = nil,
        idempotencyKey: String? = nil
    ) async throws(Failure) -> Refund {
        if case .items(let items) = share, items.isEmpty { throw .nothingNamed }
        let body = JSON.object(share.members + (reason.map { [JSON.Member("reason", .string($0))] } ?? []))
        return try await act(Self.path(order, "refunds"), body, idempotencyKey).read(Refund.init(reading:))
    }

    // MARK: Payments

    /// Reads a payment.
    ///
    /// - Parameter id: the payment's id.
    /// - Returns: the payment.
    /// - Throws: ``Failure``.
    public func payment(_ id: String) async throws(Failure) -> Payment {
        try await wire.send(.get, "/v1/payments/" + ClientWire.escaped(id)).read(Payment.init(reading:))
    }

    /// Asks the PSP what came of the buyer's step; safe to repeat.
    ///
    /// - Parameter id: the payment's id.
    /// - Returns: the payment.
    /// - Throws: ``Failure``.
    public func complete(payment id: String) async throws(Failure) -> Payment {
        let path = "/v1/payments/" + ClientWire.escaped(id) + "/complete"
        return try await wire.send(.post, path, body: [:]).read(Payment.init(reading:))
    }

    // MARK: Anything

    /// Reads what a path answers.
    package func read(_ path: String) async throws(Failure) -> JSON { try await wire.send(.get, path).json }

    /// Posts a body, and answers the status and the document.
    ///
    /// - Parameters:
    ///   - path: the path with its query, its segments escaped.
    ///   - body: the body.
    ///   - idempotencyKey: the key; without one the request is sent once, since a repeat would act again.
    /// - Returns: what was answered.
    /// - Throws: ``Failure``.
    package func post(
        _ path: String,
        _ body: JSON,
        idempotencyKey: String?
    ) async throws(Failure) -> (status: Int, json: JSON) {
        var wire = self.wire
        if idempotencyKey == nil { wire.settings.repeats = 0 }
        let answer = try await wire.send(.post, path, body: body, idempotencyKey: idempotencyKey)
        return (answer.status, answer.json)
    }

    /// Text as one segment of a path.
    package static func segment(_ text: String) -> String { ClientWire.escaped(text) }

    // MARK: Wallets

    /// Stores a payment request, and answers what Apple's sheet is to be given.
    ///
    /// A repeat stores another one, which lapses unused.
    package func preparePayment(_ body: JSON) async throws(Failure) -> JSON {
        try await wire.send(.post, "/v1/payment-requests", body: body).json
    }

    /// Starts an Apple Pay session, and answers what Apple said of it.
    package func startApplePaySession(_ body: JSON) async throws(Failure) -> JSON {
        try await wire.send(.post, "/v1/apple-pay/sessions", body: body).json
    }

    /// Asks under an idempotency key, one of its own unless one is said.
    private func act(_ path: String, _ body: JSON, _ key: String?) async throws(Failure) -> ClientWire.Answer {
        try await wire.send(.post, path, body: body, idempotencyKey: key ?? Self.makeIdempotencyKey())
    }

    /// A new idempotency key: 128 bits of chance.
    public static func makeIdempotencyKey() -> String {
        let halves = (0..<2).map { _ in UInt64.random(in: .min ... .max) }
        return "tc_" + halves.map { String($0, radix: 36) }.joined(separator: "_")
    }

    private static func path(_ order: String, _ action: String) -> String {
        "/v1/orders/" + ClientWire.escaped(order) + "/" + action
    }

    /// The body that names parts; an empty one stands for all of them.
    private static func body<Part>(_ parts: Parts<Part>, _ item: (Part) -> Item) throws(Failure) -> JSON {
        switch parts {
        case .all: return [:]
        case .only(let named):
            guard !named.isEmpty else { throw .nothingNamed }
            return ["items": .array(named.map { item($0).json })]
        }
    }
}
