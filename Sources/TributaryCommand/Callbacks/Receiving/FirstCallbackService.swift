import ServiceLifecycle

/// Ends the process once the first callback was answered.
struct FirstCallbackService: Service {
    /// What the answer needs to leave the machine.
    private static let grace = Duration.milliseconds(100)

    private let receiver: CallbackReceiver

    init(_ receiver: CallbackReceiver) { self.receiver = receiver }

    /// Returns once it was.
    func run() async throws {
        await cancelWhenGracefulShutdown { await receiver.waitForFirst() }
        try? await Task.sleep(for: Self.grace)
    }
}
