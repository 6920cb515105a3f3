import Gateway
import ServiceLifecycle

/// The gateway's own work as a service of the process: it drives what is due.
struct GatewayService: Service {
    let gateway: Gateway

    /// Drives what is due until it is shut down.
    func run() async throws {
        await cancelWhenGracefulShutdown { await gateway.run() }
    }
}
