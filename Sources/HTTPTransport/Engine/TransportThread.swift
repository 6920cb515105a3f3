import Glibc

/// A thread that blocks without taking one from a pool.
enum TransportThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread.
    ///
    /// SIGPIPE is blocked there: libcurl does not ignore it when told to use no signals, and OpenSSL may write to a
    /// closed connection.
    static func start(_ body: @escaping @Sendable () -> Void) {
        let retained = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                TransportThread.blockBrokenPipeSignal()
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            retained
        )
        precondition(code == 0, "the system gives no thread: error \(code)")
        pthread_detach(thread)
    }

    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
