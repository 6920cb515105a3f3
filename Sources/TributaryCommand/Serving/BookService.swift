import Gateway
import ServiceLifecycle

/// The watch over the books as a service of the process.
struct BookService: Service {
    let watch: BookWatch

    /// Watches until it is shut down; a verification under way is left to whoever looks next.
    func run() async throws {
        await cancelWhenGracefulShutdown { await watch.run() }
    }
}
