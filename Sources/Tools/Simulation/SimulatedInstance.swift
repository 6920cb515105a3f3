import Callbacks
import Domain
import Gateway
import HTTPAPI
import Storage
import Synchronization
import Wiring

/// A gateway instance with a clock, a life, and ways of its own to the database and the PSPs.
final class SimulatedInstance: Sendable {
    /// Its name.
    let name: String
    /// Its place among those that live at a time.
    let place: Int
    /// The instance.
    let gateway: Gateway
    /// What brings restored books up to what the PSPs did.
    let recovery: BooksRecovery
    /// What delivers its callbacks.
    let deliverer: CallbackDeliverer
    /// How long it lives.
    let life: SimulatedLife
    /// What time it is for it.
    let clock: InstanceClock
    private let rounds: SimulatedRounds
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(_ name: String, at place: Int, in world: SimulatedWorld) {
        self.name = name
        self.place = place
        let life = SimulatedLife(world.clock)
        let clock = InstanceClock(world.clock, life)
        (self.life, self.clock, rounds) = (life, clock, world.rounds)
        let database = FaultyDatabase(
            world.database,
            of: name,
            at: place,
            life,
            world.clock,
            world.weather,
            world.trace
        )
        let ports = Gateway.Ports(
            database: database,
            clock: clock,
            sender: InstanceLine(network: world.network, life: life, name: name, place: place),
            vault: .unsealed("simulated", world.random),
            directory: PSPDirectory(psps: AdapterCatalog.psps, database: database) { world.market.secret($0) },
            presentation: OrderPresenter.presentation,
            logger: world.trace.logger(name),
            random: world.random
        )
        gateway = Gateway(ports, settings: world.settings, instance: name)
        recovery = BooksRecovery(ports, settings: world.settings, instance: "recovery by \(name)")
        deliverer = CallbackDeliverer(
            CallbackDeliverer.Ports(
                database: database,
                sender: InstanceCallbacks(endpoints: world.endpoints, life: life, place: place),
                secrets: SimulatedEndpoints.secrets,
                now: { clock.now() },
                logger: world.trace.logger(name),
                sleep: { try await clock.sleep(until: clock.now().adding(milliseconds: $0)) },
                random: world.random
            ),
            instance: name
        )
    }

    /// Looks once for what is due of orders, of what PSPs keep for agreements, and of callbacks.
    func look() async {
        try? await gateway.poll()
        _ = await gateway.findMethods()
        _ = await gateway.removeMethods()
        _ = await deliverer.beat()
    }

    /// Looks for what is due every so many milliseconds, if anything is, and beats if it is asked to, until its life ends.
    func run(everyMilliseconds pause: Int64, beating: Bool) {
        start { [self] in
            let pauses = SimulatedRounds.pauseMilliseconds
            var (nextLook, idle) = (clock.now(), pauses.lowerBound)
            while !life.isOver {
                let isDue = rounds.isDue(at: clock.now())
                if isDue || clock.now() >= nextLook {
                    await look()
                    idle = isDue ? pauses.lowerBound : min(idle * 2, pauses.upperBound)
                    nextLook = clock.now().adding(milliseconds: idle)
                }
                guard (try? await clock.sleep(until: clock.now().adding(milliseconds: pause))) != nil else { return }
            }
        }
        if beating { start { [self] in await gateway.beat() } }
    }

    /// Has something done at this instance; nobody waits for it.
    func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        tasks.withLock { $0.append(task) }
    }

    /// Lets all its tasks go.
    func end() {
        life.end()
        for task in tasks.withLock({ $0 }) { task.cancel() }
    }
}

extension Vault {
    /// A vault that encrypts nothing, since nobody reads what a simulation stores; but it knows whose key and for what.
    fileprivate static func unsealed(_ name: String, _ random: RandomSource) -> Vault {
        Vault(
            seal: { bytes, context in
                CredentialTable.Sealed(keyID: name, bytes: Array(context.utf8) + [0] + bytes)
            },
            open: { sealed, context in
                let head = Array(context.utf8) + [0]
                guard sealed.bytes.starts(with: head) else { throw OtherContext() }
                return Array(sealed.bytes.dropFirst(head.count))
            },
            makeKey: {
                var source = random
                return Secret(String(source.next(), radix: 16))
            },
            single: { _, name in .unsealed(name, random) }
        )
    }
}

/// What was sealed was sealed for something else.
private struct OtherContext: Error {}
