import Callbacks
import ServiceLifecycle

/// The delivery of callbacks as a service of the process.
struct CallbackService: Service {
    let deliverer: CallbackDeliverer

    /// Delivers until it is shut down; what is on its way then is brought to an end and written down.
    func run() async throws {
        await withGracefulShutdownHandler {
            await deliverer.run()
        } onGracefulShutdown: {
            deliverer.stop()
        }
    }
}
