import CProcess
import Glibc

/// Runs every task of the process on one thread, in an order that dice choose.
///
/// The runtime hands each job that is ready to a hook, which keeps it here; whoever drives the simulation takes one after the
/// other. A task, a group's child and an actor's mailbox are all such jobs, so that the dice choose among everything that
/// could run next wherever something awaits. `Task.sleep` passes by the hook: nothing that is simulated may use it.
enum SeededScheduler {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    nonisolated(unsafe) private static var ready: [UnownedJob] = []
    nonisolated(unsafe) private static var owner = pthread_t()
    nonisolated(unsafe) private static var dice = SeededDice(seed: 0)
    private static let executor = OneThread()

    /// Keeps the jobs of the thread that simulates; those of others go where they always go.
    private static let hook: Hook = { job, original in
        if unsafe pthread_equal(owner, pthread_self()) != 0 {
            unsafe ready.append(job)
        } else {
            original(job)
        }
    }

    /// Why tasks cannot be run in a chosen order.
    struct Unsupported: Error, CustomStringConvertible {
        let description = "this program's Swift runtime has no hook for jobs"
    }

    /// Runs a body on this thread, whose jobs wait until ``runOne()`` takes them.
    ///
    /// - Parameters:
    ///   - dice: choose the order.
    ///   - body: drives the jobs; must not await anything.
    /// - Returns: what the body returns.
    /// - Throws: ``Unsupported``, or what the body throws.
    static func withControl<Value>(_ dice: SeededDice, _ body: () throws -> Value) throws -> Value {
        try take(dice)
        defer { release() }
        return try body()
    }

    private static func take(_ dice: SeededDice) throws {
        guard let place = unsafe place() else { throw Unsupported() }
        unsafe ready = []
        unsafe owner = pthread_self()
        unsafe Self.dice = dice
        unsafe place.pointee = hook
    }

    private static func release() { unsafe place()?.pointee = nil }

    /// Where the runtime has the hook; nil if it has none.
    ///
    /// The linker finds it: a program that has the runtime in it shows it to nobody who looks for it by name (`dlsym`).
    private static func place() -> UnsafeMutablePointer<Hook?>? {
        guard let place = unsafe cprocess_enqueue_hook() else { return nil }
        return unsafe UnsafeMutableRawPointer(place).assumingMemoryBound(to: Hook?.self)
    }

    /// Runs one of the jobs that are ready; false if none is.
    static func runOne() -> Bool {
        let count = unsafe ready.count
        guard count > 0 else { return false }
        let index = count == 1 ? 0 : unsafe Int.random(in: 0..<count, using: &dice)
        unsafe ready.swapAt(index, count - 1)
        let job = unsafe ready.removeLast()
        unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
        return true
    }

    /// Where jobs believe to run: they give up the thread wherever they would anywhere else.
    private final class OneThread: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) { unsafe ready.append(UnownedJob(job)) }
    }
}
