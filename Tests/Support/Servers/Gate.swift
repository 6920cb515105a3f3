import Foundation
import Synchronization

/// Lets nobody pass until a number of threads stand before it at once; then it stays open.
package final class Gate: Sendable {
    private let wanted: Int
    private let waiting = Mutex(0)
    private let semaphore = DispatchSemaphore(value: 0)

    /// A gate that opens once so many have come.
    package init(opensAt wanted: Int) { self.wanted = wanted }

    /// False if not enough came within a minute: beside other tests it may take long until a task gets its turn.
    package func pass() -> Bool {
        let opens = waiting.withLock { waiting in
            waiting += 1
            return waiting >= wanted
        }
        // Each thread that passes an open gate lets one more through.
        if opens { semaphore.signal() }
        guard semaphore.wait(timeout: .now() + 60) == .success else { return false }
        semaphore.signal()
        return true
    }
}
