import Synchronization

/// Passes on what a step of the desk left to do.
///
/// It exists because desk and dispatcher need each other.
final class StepRelay: Sendable {
    private let waiters: Waiters
    private let dispatcher: Dispatcher
    private let onAnnouncement: @Sendable () -> Void
    private let desk = Mutex<OrderDesk?>(nil)

    init(waiters: Waiters, dispatcher: Dispatcher, onAnnouncement: @escaping @Sendable () -> Void) {
        self.waiters = waiters
        self.dispatcher = dispatcher
        self.onAnnouncement = onAnnouncement
    }

    /// Names the desk.
    ///
    /// The two live as long as the gateway.
    func connect(to desk: OrderDesk) { self.desk.withLock { $0 = desk } }

    /// Performs what was leased, wakes who waits, and says that there is something to deliver.
    @Sendable func forward(_ step: OrderDesk.Step) {
        if let desk = desk.withLock({ $0 }) { dispatcher.dispatch(step.leased, of: step.order, desk: desk) }
        waiters.tell(step.order, answer: step.answer)
        if step.isAnnounced { onAnnouncement() }
    }
}
