import SQL

/// Serves jobs with one connection on one thread, and opens it anew when it is lost.
struct ConnectionWorker {
    private let url: PostgresURL
    private let limits: PostgresLimits
    private var connection: PostgresConnection?
    /// The last opening failed with this; until then nobody tries again.
    private var outage: (failure: SQLError, end: ContinuousClock.Instant)?

    private init(_ url: PostgresURL, _ limits: PostgresLimits) {
        self.url = url
        self.limits = limits
    }

    /// Starts a worker that opens its connection for its first job and ends with the queue.
    static func start(_ url: PostgresURL, _ limits: PostgresLimits, _ queue: JobQueue) {
        WorkerThread.start {
            var worker = ConnectionWorker(url, limits)
            while let job = queue.next() { worker.serve(job) }
            worker.connection = nil
            queue.workerEnded()
        }
    }

    private mutating func serve(_ job: ConnectionJob) {
        guard ContinuousClock.now < job.deadline else {
            return job.refuse(.unavailable("no connection became free in time"))
        }
        do throws(SQLError) {
            let connection = try usableConnection()
            job.run(connection)
            // A transaction that could not be ended ends with its connection.
            if !connection.isUsable || !connection.isOutsideTransaction { self.connection = nil }
        } catch {
            job.refuse(error)
        }
    }

    private mutating func usableConnection() throws(SQLError) -> PostgresConnection {
        connection?.noticeClosing()
        if let connection, connection.isUsable { return connection }
        connection = nil
        if let outage, ContinuousClock.now < outage.end { throw outage.failure }
        do throws(SQLError) {
            let opened = try PostgresConnection(url, limits)
            connection = opened
            outage = nil
            return opened
        } catch {
            outage = (error, .now + .milliseconds(limits.reconnectPauseMilliseconds))
            throw error
        }
    }
}
