import Callbacks
import Domain
import Gateway
import HTTPTransport
import Logging
import SQL
import Storage
import Synchronization
import Wiring

/// A database with a marketplace and its merchants' endpoints, healthy ones and others, and a deliverer over it.
struct CallbackStage {
    private static let marketplace = "bench"
    /// How many write callbacks down at the same time.
    private static let writers = 4
    /// How long what was written down may be on its way once nothing more is.
    private static let patience = Duration.seconds(30)
    private static let payload = #"{"type":"order.paid","sequence":1,"data":"\#(String(repeating: "x", count: 900))"}"#

    private let database: any Database
    private let endpoints: BenchEndpoints
    private let healthy: [CallbackEndpoint]
    private let troubled: [CallbackEndpoint]
    private let secrets: SecretStore

    /// Migrates the database and declares so many healthy endpoints, and so many in each kind of trouble.
    ///
    /// - Throws: `SQLError` or `SchemaRefusal`.
    init(
        _ database: some Database,
        _ endpoints: BenchEndpoints,
        at url: String,
        healthy: Int,
        ofEachTrouble: Int
    ) async throws {
        _ = try await Migrator().migrate(database)
        self.database = database
        self.endpoints = endpoints
        let secret = SigningSecret.make()
        secrets = SecretStore(seal: { _, _ in .reference("env:BENCH") }, open: { _, _ in secret })
        let now = Timestamp(microseconds: try await database.now())
        var ids = IdentifierSource()
        func endpoint(_ path: String) -> CallbackEndpoint {
            CallbackEndpoint(
                id: ids.make(at: now),
                marketplace: Self.marketplace,
                merchant: ids.make(at: now),
                url: "\(url)/\(path)",
                secrets: CallbackSecrets(.reference("env:BENCH")),
                createdAt: now
            )
        }
        let well = (0..<healthy).map { endpoint("healthy/\($0)") }
        let others = (0..<ofEachTrouble).flatMap { number in
            EndpointTrouble.allCases.map { endpoint("\($0.rawValue)/\(number)") }
        }
        (self.healthy, troubled) = (well, others)
        try await database.write { session in
            if try MarketplaceTable.all(in: session).isEmpty {
                try MarketplaceTable.save(.init(id: Self.marketplace, name: "Bench"), at: now, in: session)
            }
            for endpoint in well + others { try CallbackEndpointTable.save(endpoint, in: session) }
        }
    }

    /// Writes callbacks down for some time while they are delivered, and answers how long those for healthy endpoints
    /// took to arrive.
    ///
    /// - Parameters:
    ///   - seconds: how long.
    ///   - perSecond: how many a second for healthy endpoints.
    ///   - isDisturbed: whether as many are written down for the others, all of which are tried anew.
    /// - Returns: the latencies in milliseconds.
    /// - Throws: `SQLError`, or ``CommandFailure`` if a callback for a healthy endpoint does not arrive.
    func latencies(seconds: Int, perSecond: Double, isDisturbed: Bool = false) async throws -> [Double] {
        try await prepare(isDisturbed: isDisturbed)
        let times = DeliveryTimes()
        endpoints.note(in: times)
        let transport = HTTPTransport(limits: CurlCallbackSender.transportLimits)
        let clock = try await DatabaseClock(database)
        let deliverer = CallbackDeliverer(
            CallbackDeliverer.Ports(
                database: database,
                sender: CurlCallbackSender(transport, allowsLoopback: true),
                secrets: secrets,
                now: { clock.now() },
                logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
            ),
            instance: "bench-\(UInt64.random(in: .min ... .max))"
        )
        let delivering = Task { await deliverer.run() }
        let result = await Result {
            let numbers = Numbers()
            _ = try await OrderLoad(callers: Self.writers, seconds: seconds, perSecond: perSecond).run {
                try await write(numbers.next(), isDisturbed: isDisturbed, times, at: clock.now())
                deliverer.wake()
            }
            try await wait(for: times)
        }
        delivering.cancel()
        await delivering.value
        await transport.stop()
        try result.get()
        return times.latencies
    }

    /// Enables the troubled endpoints, as if nothing had failed there, or disables them.
    private func prepare(isDisturbed: Bool) async throws {
        try await database.write { [troubled] session in
            try CallbackQueue.releaseAll(in: session)
            for endpoint in troubled {
                if isDisturbed {
                    _ = try CallbackEndpointTable.enable(endpoint.id, in: session)
                } else {
                    _ = try CallbackEndpointTable.disable(endpoint.id, because: .undeclared, in: session)
                }
            }
        }
    }

    private func write(_ number: Int, isDisturbed: Bool, _ times: DeliveryTimes, at now: Timestamp) async throws {
        var ids = IdentifierSource()
        func callback(for endpoint: CallbackEndpoint) -> NewCallback {
            NewCallback(
                id: ids.make(at: now),
                marketplace: Self.marketplace,
                merchant: endpoint.merchant,
                order: ids.make(at: now),
                payment: nil,
                type: "order.paid",
                sequence: 1,
                payload: Self.payload,
                at: now
            )
        }
        let wanted = callback(for: healthy[number % healthy.count])
        let others = isDisturbed && !troubled.isEmpty ? [callback(for: troubled[number % troubled.count])] : []
        try await database.write { try Outbox.insert([wanted] + others, in: $0) }
        times.write(wanted.id.text)
    }

    private func wait(for times: DeliveryTimes) async throws {
        let end = ContinuousClock.now + Self.patience
        while times.missing > 0 {
            guard ContinuousClock.now < end else {
                throw CommandFailure.finding("\(times.missing) callbacks did not arrive at healthy endpoints")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// Counts from zero.
private final class Numbers: Sendable {
    private let last = Atomic(-1)

    func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// When callbacks were written down, and when they arrived for the first time.
final class DeliveryTimes: Sendable {
    private struct Book {
        var written: [String: ContinuousClock.Instant] = [:]
        var arrived: [String: ContinuousClock.Instant] = [:]
    }

    private let book = Mutex(Book())

    /// Notes that a callback is written down, as of now.
    func write(_ id: String) { book.withLock { $0.written[id] = .now } }

    /// Notes that a callback has arrived, as of now.
    func arrive(_ id: String) {
        book.withLock { book in
            if book.arrived[id] == nil { book.arrived[id] = .now }
        }
    }

    /// How many of those that were written down have not arrived.
    var missing: Int { book.withLock { book in book.written.keys.count { book.arrived[$0] == nil } } }

    /// How long those took that have arrived, in milliseconds; a reader may be quicker than the writer's own note.
    var latencies: [Double] {
        book.withLock { book in
            book.written.compactMap { id, written in book.arrived[id].map { max(0, ($0 - written).milliseconds) } }
        }
    }
}
