import Glibc

/// A thread of its own for work that blocks, so that the concurrency pool's few threads never do.
enum WorkerThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs `body` on a new thread, which ends with it.
    ///
    /// The process cannot go on without its threads, so one that cannot be started is a crash.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                }
                return nil
            },
            context.toOpaque()
        )
        precondition(failure == 0, "no thread could be started")
        pthread_detach(thread)
    }
}
