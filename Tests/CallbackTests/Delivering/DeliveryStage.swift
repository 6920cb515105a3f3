import AdapterKit
import Callbacks
import Domain
import HTTPTransport
import Keyring
import Logging
import SQL
import Storage
import TributaryTestKit
import Wiring

/// A database with endpoints on this machine, and deliverers over it, on a clock that the test sets.
struct DeliveryStage: Sendable {
    /// What a deliverer waits for an answer here, unless a test says otherwise.
    static let patience = 2_000

    let database: any Database
    let clock: ManualClock
    /// The endpoints: the agency's own, then merchants'.
    let endpoints: [CallbackEndpoint]
    let secrets: SecretStore
    private let transport: HTTPTransport

    /// Lends a stage with an endpoint at each server, the first the agency's own.
    static func with(
        _ engine: DatabaseEngine,
        at servers: [ScriptedServer],
        secrets kept: CallbackSecrets = CallbackSecrets(.reference(WebhookSigner.usual.reference)),
        _ body: (DeliveryStage) async throws -> Void
    ) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let clock = ManualClock()
            var ids = IdentifierSource()
            let owners = [nil] + TestMarketplace.travel.merchants.map { Optional($0.id) }
            let endpoints = zip(owners, servers).map { owner, server in
                CallbackEndpoint(
                    id: ids.make(at: clock.now()),
                    marketplace: "travel",
                    merchant: owner,
                    url: "http://127.0.0.1:\(server.port)/hooks",
                    secrets: kept,
                    createdAt: clock.now()
                )
            }
            try await database.write { session in
                for endpoint in endpoints { try CallbackEndpointTable.save(endpoint, in: session) }
            }
            let transport = HTTPTransport()
            let stage = DeliveryStage(
                database: database,
                clock: clock,
                endpoints: endpoints,
                secrets: SecretStore(try Keyring.fresh(), resolve: WebhookSigner.resolve),
                transport: transport
            )
            let result: Result<Void, any Error>
            do { result = .success(try await body(stage)) } catch { result = .failure(error) }
            await transport.stop()
            for server in servers { server.stop() }
            try result.get()
        }
    }

    /// A deliverer, quick to look.
    func deliverer(
        _ instance: String = "one",
        patience: Int = Self.patience,
        over other: (any Database)? = nil,
        by sender: (any CallbackSender)? = nil,
        _ change: (inout DeliverySettings) -> Void = { _ in }
    ) -> CallbackDeliverer {
        var settings = DeliverySettings()
        settings.pollMilliseconds = 5
        settings.glanceMilliseconds = 1
        change(&settings)
        return CallbackDeliverer(
            CallbackDeliverer.Ports(
                database: other ?? database,
                sender: sender
                    ?? CurlCallbackSender(transport, allowsLoopback: true, timeoutMilliseconds: patience),
                secrets: secrets,
                now: { [clock] in clock.now() },
                logger: Logger(label: "callbacks") { _ in SwiftLogNoOpLogHandler() }
            ),
            settings: settings,
            instance: instance
        )
    }

    /// Writes down so many callbacks for an endpoint, each of an order of its own unless `order` says which.
    @discardableResult
    func write(_ count: Int, for endpoint: Int = 0, order: OrderID? = nil) async throws -> [NewCallback] {
        var ids = IdentifierSource()
        let now = clock.now()
        let callbacks = (0..<count).map { number in
            NewCallback(
                id: ids.make(at: now),
                marketplace: "travel",
                merchant: endpoints[endpoint].merchant,
                order: order ?? ids.make(at: now),
                payment: nil,
                type: "order.paid",
                sequence: Int64(number + 1),
                payload: #"{"type":"order.paid","name":"Zürich ✈︎","number":\#(number)}"#,
                at: now
            )
        }
        try await database.write { try Outbox.insert(callbacks, in: $0) }
        return callbacks
    }

    /// The callback as it is stored.
    func stored(_ id: CallbackID) async throws -> StoredCallback? {
        try await database.read { try CallbackTable.find(id, in: $0) }
    }

    /// How many callbacks are in a state.
    func count(_ state: StoredCallback.State) async throws -> Int {
        var filter = CallbackTable.Filter(marketplace: nil)
        filter.state = state
        let wanted = filter
        return try await database.read { try CallbackTable.list(wanted, limit: 10_000, in: $0) }.count
    }

    /// The endpoint as it is stored.
    func endpoint(_ number: Int = 0) async throws -> CallbackEndpoint? {
        let id = endpoints[number].id
        return try await database.read { try CallbackEndpointTable.find(id, in: $0) }
    }

    /// Delivers for the time of `body`, then until what is on its way is written down.
    func delivering(_ deliverers: CallbackDeliverer..., body: () async throws -> Void) async throws {
        let tasks = deliverers.map { deliverer in Task { await deliverer.run() } }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        for deliverer in deliverers { deliverer.stop() }
        for task in tasks { await task.value }
        try result.get()
    }
}

extension ReceivedRequest {
    /// The request as one who verifies callbacks sees it.
    func incoming(at time: Timestamp) -> IncomingWebhook {
        IncomingWebhook(
            body: body,
            headers: headers.compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 1)
                return parts.count == 2 ? Header(String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
            },
            url: "",
            receivedAt: time
        )
    }
}
