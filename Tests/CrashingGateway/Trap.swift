import Glibc
import Synchronization

/// The one place where the program dies.
final class Trap: Sendable {
    /// The kinds of places at which it can die.
    enum Moment: String, CaseIterable {
        /// A transaction's statements are with the database, its commit is not.
        case beforeCommit = "before_commit"
        /// A transaction is committed, and nobody has been told.
        case afterCommit = "after_commit"
        /// A request to a PSP or an endpoint is written, and has not left.
        case beforeSend = "before_send"
        /// A PSP or an endpoint has answered, and nobody has been told.
        case afterSend = "after_send"
    }

    private let moment: Moment?
    private let number: Int
    private let passed = Atomic(0)

    /// A trap at the place of that kind that is reached for the `number`-th time; none if `moment` is nil.
    init(_ moment: Moment?, number: Int) {
        self.moment = moment
        self.number = number
    }

    /// Comes to a place, and dies there if it is the one.
    func pass(_ moment: Moment) {
        if isReached(moment) { die() }
    }

    /// The same, but calls `last` first.
    func pass(_ moment: Moment, last: () throws -> Void) rethrows {
        guard isReached(moment) else { return }
        try last()
        die()
    }

    private func isReached(_ moment: Moment) -> Bool {
        moment == self.moment && passed.add(1, ordering: .sequentiallyConsistent).newValue == number
    }

    private func die() -> Never {
        kill(getpid(), SIGKILL)
        while true { pause() }
    }
}
