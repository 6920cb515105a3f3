package import Domain
package import Logging
package import SQL
package import Storage
import Synchronization
package import Telemetry

/// Delivers what the outbox holds, at least once and under the same identifier each time.
///
/// Any number of instances may deliver from one database. Each endpoint is served by itself: one that is slow, hangs or
/// is dead delays nobody else, and costs one try at a time.
package final class CallbackDeliverer: Sendable {
    /// What delivering needs of the outside.
    package struct Ports: Sendable {
        /// The database that all instances share.
        package var database: any Database
        /// The way to endpoints.
        package var sender: any CallbackSender
        /// The secrets to sign with.
        package var secrets: SecretStore
        /// The database's time.
        package var now: @Sendable () -> Timestamp
        /// Background logger.
        package var logger: Logger
        /// Told of what is to be counted; must not block.
        package var count: @Sendable (DeliveryEvent) -> Void
        /// Where deliveries are told of.
        package var traces: TraceWriter
        /// Waits so many milliseconds.
        package var sleep: @Sendable (Int64) async throws -> Void
        /// Where pauses are drawn from.
        package var random: RandomSource

        /// Gathers the ports.
        package init(
            database: any Database,
            sender: any CallbackSender,
            secrets: SecretStore,
            now: @escaping @Sendable () -> Timestamp,
            logger: Logger,
            count: @escaping @Sendable (DeliveryEvent) -> Void = { _ in },
            traces: TraceWriter = .none,
            sleep: @escaping @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .milliseconds($0)) },
            random: RandomSource = .system
        ) {
            self.database = database
            self.sender = sender
            self.secrets = secrets
            self.now = now
            self.logger = logger
            self.count = count
            self.traces = traces
            self.sleep = sleep
            self.random = random
        }
    }

    private let ports: Ports
    private let settings: DeliverySettings
    private let instance: String
    private let slots: Mutex<DeliverySlots>
    private let nextSweep: Mutex<Timestamp>
    private let claims = Atomic<UInt64>(0)
    private let isStopping = Atomic(false)
    private let wakeUps = WakeUps()

    /// Makes a deliverer.
    ///
    /// - Parameters:
    ///   - ports: what it needs of the outside.
    ///   - settings: times and limits.
    ///   - instance: a name no other instance has.
    package init(_ ports: Ports, settings: DeliverySettings = DeliverySettings(), instance: String) {
        self.ports = ports
        self.settings = settings
        self.instance = instance
        slots = Mutex(DeliverySlots(settings))
        nextSweep = Mutex(ports.now())
    }

    /// Tells it that callbacks were just written down; never blocks.
    package func wake() { wakeUps.signal() }

    /// Lets it come to an end: nothing more is begun, and ``run()`` returns once what is on its way is written down.
    package func stop() {
        isStopping.store(true, ordering: .relaxed)
        wakeUps.signal()
    }

    /// Delivers what is due until it is stopped or the task is canceled.
    package func run() async {
        let ticker = Task { [wakeUps, settings, ports] in
            while !Task.isCancelled {
                wakeUps.signal()
                try? await ports.sleep(settings.pollMilliseconds)
            }
        }
        defer { ticker.cancel() }
        await withDiscardingTaskGroup { group in
            for await _ in wakeUps.stream {
                guard goesOn else { break }
                for endpoint in await look() { group.addTask { await self.serve(endpoint) } }
                await clean()
                try? await ports.sleep(settings.glanceMilliseconds)
            }
        }
    }

    /// Goes one turn at each endpoint at which something is due now, and answers at how many.
    package func beat() async -> Int {
        let due = await look()
        await withDiscardingTaskGroup { group in
            for endpoint in due { group.addTask { await self.serve(endpoint) } }
        }
        await clean()
        return due.count
    }

    private var goesOn: Bool { !isStopping.load(ordering: .relaxed) && !Task.isCancelled }

    /// Takes what is due and has a place.
    private func look() async -> [EndpointID] {
        let room = slots.withLock { $0.room }
        guard room.healthy > 0 || room.failing > 0 else { return [] }
        let now = ports.now()
        do {
            let due = try await ports.database.read { session in
                try CallbackQueue.due(at: now, healthy: room.healthy, failing: room.failing, in: session)
            }
            return slots.withLock { $0.take(due) }
        } catch {
            ports.logger.warning("looking for due callbacks failed", metadata: ["error": "\(error)"])
            return []
        }
    }

    private func serve(_ endpoint: EndpointID) async {
        let holder = CallbackQueue.holder(instance, claim: claims.add(1, ordering: .relaxed).newValue)
        var isMore = false
        let alarm = Task { [self] in
            try await ports.sleep(settings.slowMilliseconds)
            if slots.withLock({ $0.demote(endpoint) }) { wakeUps.signal() }
        }
        defer { alarm.cancel() }
        do {
            isMore = try await DeliveryBatch(ports: ports, settings: settings)
                .run(endpoint, as: holder) { [self] in !isStopping.load(ordering: .relaxed) }
        } catch {
            ports.logger.warning(
                "an endpoint could not be served",
                metadata: ["endpoint": "\(endpoint)", "error": "\(error)"]
            )
        }
        let wasFull = slots.withLock { slots in
            let room = slots.room
            slots.giveBack(endpoint)
            return room.healthy == 0 || room.failing == 0
        }
        if isMore || wasFull { wakeUps.signal() }
    }

    /// Gives up what waits for nobody, once in a while.
    private func clean() async {
        let now = ports.now()
        let isTime = nextSweep.withLock { next in
            guard next <= now else { return false }
            next = now.adding(milliseconds: settings.cleaningMilliseconds)
            return true
        }
        guard isTime else { return }
        do {
            try await DesertedEndpointSweep(settings: settings).run(in: ports.database, at: now)
        } catch {
            ports.logger.warning(
                "callbacks that wait for nobody could not be given up",
                metadata: ["error": "\(error)"]
            )
        }
    }
}

/// Something that is counted of deliveries.
package enum DeliveryEvent: Hashable, Sendable {
    /// A callback was tried, and that became of it; an endpoint that wants nothing more leaves it untouched.
    case tried(DeliveryReport.Outcome)
    /// A claim to an endpoint ended before what became of its callbacks was written down.
    case claimLost
}

/// Tells one listener that there is something to look at; wake-ups that come while it looks become one.
struct WakeUps: Sendable {
    /// The wake-ups, as they come.
    let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func signal() { continuation.yield() }
}
