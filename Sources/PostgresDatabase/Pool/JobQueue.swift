import Dispatch
import SQL
import Synchronization

/// The jobs that wait for a connection, first come, first served, and no more than a limit.
final class JobQueue: Sendable {
    private struct State {
        /// Those taken are nil, so that nothing outlives its turn, and go together.
        var jobs: [ConnectionJob?] = []
        var taken = 0
        var isClosed = false
        var liveWorkers: Int
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let workers: Int
    private let state: Mutex<State>
    /// Counts the jobs that wait, and the workers to be told of the end.
    private let arrivals = DispatchSemaphore(value: 0)

    init(limit: Int, workers: Int) {
        self.limit = limit
        self.workers = workers
        state = Mutex(State(liveWorkers: workers))
    }

    /// How many jobs wait.
    var count: Int { state.withLock { $0.jobs.count - $0.taken } }

    /// Queues a job, or refuses it.
    func add(_ job: ConnectionJob) {
        let refusal: String? = state.withLock { state in
            if state.isClosed { return "the database is closed" }
            if state.jobs.count - state.taken >= limit { return "too many transactions wait for a connection" }
            state.jobs.append(job)
            return nil
        }
        if let refusal { return job.refuse(.unavailable(refusal)) }
        arrivals.signal()
    }

    /// Blocks until there is a job; nil once the queue is closed and empty.
    func next() -> ConnectionJob? {
        arrivals.wait()
        return state.withLock { state in
            guard state.taken < state.jobs.count else { return nil }
            let job = state.jobs[state.taken].take()
            state.taken += 1
            // Moving the rest up each time would cost the more the longer the queue is.
            if state.taken == state.jobs.count || state.taken >= limit {
                state.jobs.removeFirst(state.taken)
                state.taken = 0
            }
            return job
        }
    }

    /// Takes no more jobs; the workers end once those queued are done.
    func close() {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed else { return }
        for _ in 0..<workers { arrivals.signal() }
    }

    /// Said by each worker as the last thing it does.
    func workerEnded() {
        let closers = state.withLock { state in
            state.liveWorkers -= 1
            return state.liveWorkers == 0 ? state.closers : []
        }
        for closer in closers { closer.resume() }
    }

    /// Waits until all workers have ended.
    func allEnded() async {
        await withCheckedContinuation { closer in
            let isOver = state.withLock { state in
                if state.liveWorkers > 0 { state.closers.append(closer) }
                return state.liveWorkers == 0
            }
            if isOver { closer.resume() }
        }
    }
}
