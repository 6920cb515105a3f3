import Synchronization

/// The instances of one test, so that none outlives the database it works on.
final class InstanceRegistry: Sendable {
    private let instances = Mutex<[GatewayInstance]>([])

    func add(_ instance: GatewayInstance) { instances.withLock { $0.append(instance) } }

    /// Ends every instance's life and waits until none has a transaction under way.
    func endAll() async {
        let all = instances.withLock { $0 }
        for instance in all { instance.life.end() }
        for instance in all { await instance.database.drain() }
    }
}
