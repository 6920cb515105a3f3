import Dispatch
import Glibc
import SQL
import Synchronization

/// The jobs that wait for a connection, first come, first served, and no more than a limit.
final class JobQueue: Sendable {
    private struct State {
        /// Those taken are nil, so that nothing outlives its turn, and go together.
        var jobs: [ConnectionJob?] = []
        var taken = 0
        /// How many workers serve one.
        var served = 0
        /// How many workers have a connection, are getting one, or have lost one that they did not try to replace yet.
        var connected = 0
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

    /// How many workers serve a job.
    var served: Int { state.withLock { $0.served } }

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
            state.served += 1
            // Moving the rest up each time would cost the more the longer the queue is.
            if state.taken == state.jobs.count || state.taken >= limit {
                state.jobs.removeFirst(state.taken)
                state.taken = 0
            }
            return job
        }
    }

    /// Said by a worker behind each job.
    func jobEnded() { state.withLock { $0.served -= 1 } }

    /// Whether some worker can be expected to serve.
    var isConnected: Bool { state.withLock { $0.connected > 0 } }

    /// Said by a worker that can be expected to serve from now on, or cannot any more.
    func expectationChanged(_ isConnected: Bool) { state.withLock { $0.connected += isConnected ? 1 : -1 } }

    /// Gives a job that waited longest to the workers that can be expected to serve; false if none can.
    func giveBack(_ job: ConnectionJob) -> Bool {
        let isGiven = state.withLock { state in
            guard state.connected > 0 else { return false }
            if state.taken > 0 {
                state.taken -= 1
                state.jobs[state.taken] = job
            } else {
                state.jobs.insert(job, at: 0)
            }
            return true
        }
        if isGiven { arrivals.signal() }
        return isGiven
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

/// Something that waits for a connection.
struct ConnectionJob: Sendable {
    /// When it has waited long enough.
    let deadline: ContinuousClock.Instant
    /// What to do with the connection, on its thread.
    let run: @Sendable (PostgresConnection) -> Void
    /// What to do if there is none.
    let refuse: @Sendable (SQLError) -> Void
}

/// Serves jobs with one connection on one thread, and opens it anew when it is lost.
///
/// One that cannot open its connection leaves jobs to those that have one, so that a server which has no more connections to
/// give serves with those that it gave.
struct ConnectionWorker {
    private let url: PostgresURL
    private let limits: PostgresLimits
    private let queue: JobQueue
    private var connection: PostgresConnection?
    /// Whether it can be expected to serve: until opening a connection fails.
    private var isConnected = false {
        didSet { if isConnected != oldValue { queue.expectationChanged(isConnected) } }
    }
    /// The last opening failed with this; until then nobody tries again.
    private var outage: (failure: SQLError, end: ContinuousClock.Instant)?

    private init(_ url: PostgresURL, _ limits: PostgresLimits, _ queue: JobQueue) {
        self.url = url
        self.limits = limits
        self.queue = queue
    }

    /// Starts a worker that opens its connection for its first job and ends with the queue.
    static func start(_ url: PostgresURL, _ limits: PostgresLimits, _ queue: JobQueue) {
        WorkerThread.start {
            var worker = ConnectionWorker(url, limits, queue)
            while let job = queue.next() {
                worker.serve(job)
                queue.jobEnded()
                worker.standBack()
            }
            worker.connection = nil
            worker.isConnected = false
            queue.workerEnded()
        }
    }

    private mutating func serve(_ job: ConnectionJob) {
        guard ContinuousClock.now < job.deadline else {
            return job.refuse(.unavailable("no connection became free in time"))
        }
        let begin = ContinuousClock.now
        do throws(SQLError) {
            let connection = try usableConnection()
            job.run(connection)
            // A transaction that could not be ended ends with its connection.
            if !connection.isUsable || !connection.isOutsideTransaction || connection.isFull { self.connection = nil }
        } catch {
            // A server that does not answer would let it wait for one worker after the other.
            let isPrompt = begin.duration(to: .now) < .seconds(1)
            if !isPrompt || !queue.giveBack(job) { job.refuse(error) }
        }
    }

    /// Leaves jobs to those that have a connection until it is time to try again.
    private func standBack() {
        guard !isConnected, let outage, queue.isConnected else { return }
        let left = ContinuousClock.now.duration(to: outage.end) / .microseconds(1)
        if left > 0 { usleep(UInt32(left)) }
    }

    private mutating func usableConnection() throws(SQLError) -> PostgresConnection {
        connection?.noticeClosing()
        if let connection, connection.isUsable { return connection }
        connection = nil
        if let outage, ContinuousClock.now < outage.end { throw outage.failure }
        do throws(SQLError) {
            isConnected = true
            let opened = try PostgresConnection(url, limits)
            connection = opened
            outage = nil
            return opened
        } catch {
            isConnected = false
            outage = (error, .now + .milliseconds(limits.reconnectPauseMilliseconds))
            throw error
        }
    }
}

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
