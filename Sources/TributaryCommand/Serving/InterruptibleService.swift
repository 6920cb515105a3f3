import ServiceLifecycle

/// Work that is cancelled when the process is asked to end.
struct InterruptibleService: Service {
    private let body: @Sendable () async throws -> Void

    init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

    /// Does the work.
    ///
    /// - Throws: what the work throws.
    func run() async throws { try await cancelWhenGracefulShutdown(body) }
}
