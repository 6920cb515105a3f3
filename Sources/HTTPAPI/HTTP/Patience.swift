import Gateway
import SQL

/// How long a request waits for what may hang, such as a database that is frozen.
///
/// A transaction that was begun is carried to its end whoever waits, so that what is told here is only that the answer is not
/// known yet. Time is this machine's monotonic clock, from when the request came.
struct Patience: Sendable {
    /// A caller that waits less still leaves the database so long.
    private static let leastMilliseconds: Int64 = 3000

    private let beginning = ContinuousClock.now

    /// The moment by which something has to be heard of the database, for an answer within a caller's deadline.
    ///
    /// A tenth of the deadline is left for the answer's way.
    func end(of deadlineMilliseconds: Int64) -> ContinuousClock.Instant {
        beginning + .milliseconds(max(Self.leastMilliseconds, deadlineMilliseconds / 10 * 9))
    }

    /// The moment so many milliseconds after the request came.
    func moment(afterMilliseconds milliseconds: Int64) -> ContinuousClock.Instant {
        beginning + .milliseconds(milliseconds)
    }

    /// What work comes to, which goes on if the wait is over before; it is canceled if nobody waits any more.
    ///
    /// - Returns: nil if it is not over by then.
    /// - Throws: what the work throws, or `CancellationError`.
    static func result<Value: Sendable>(
        of work: Task<Value, any Error>,
        until end: ContinuousClock.Instant
    ) async throws -> Value? {
        let (results, coming) = AsyncStream<Result<Value, any Error>>.makeStream()
        let alarm = Alarms.shared.set(at: end) { coming.finish() }
        defer { Alarms.shared.cancel(alarm) }
        return try await withTaskCancellationHandler {
            Task {
                coming.yield(await work.result)
                coming.finish()
            }
            for await result in results { return try result.get() }
            try Task.checkCancellation()
            return nil
        } onCancel: {
            work.cancel()
        }
    }
}

/// A request that waits for an order to be written down, and then for its answer.
struct PlacingWait: Sendable {
    /// How long behind its deadline an order that is written down may be answered, beyond its grace.
    private static let marginMilliseconds: Int64 = 1000

    let patience: Patience
    /// How long the caller waits.
    let deadlineMilliseconds: Int64
    /// How long an answer waits for the first replies behind a decision.
    let graceMilliseconds: Int64

    /// Who orders, if the database says so while the caller waits.
    ///
    /// - Throws: `SQLError.unavailable` if it does not, and what the look-up throws.
    func admission<Value: Sendable>(_ lookup: Task<Value, any Error>) async throws -> Value {
        let found = try await Patience.result(of: lookup, until: patience.end(of: deadlineMilliseconds))
        guard let found else { throw Self.silence }
        return found
    }

    private static let silence = SQLError.unavailable("the database has not answered within the caller's deadline")

    /// The answer that placing comes to.
    ///
    /// - Parameters:
    ///   - visit: the request's stay inside the door, which ends when the order is written down.
    ///   - place: places the order and waits for its answer.
    /// - Returns: what `place` answers.
    /// - Throws: `SQLError.unavailable` where the database says nothing for so long that the caller would have gone; what
    ///   was sent to it may be carried out all the same, and the same request under its key finds out.
    func answer<Value: Sendable>(
        on visit: Visit,
        _ place: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let work = Task { try await place() }
        let end = patience.end(of: deadlineMilliseconds)
        if let answer = try await Patience.result(of: work, until: end) { return answer }
        if let placedAt = visit.endedAt {
            let wait = deadlineMilliseconds + graceMilliseconds + Self.marginMilliseconds
            let end = placedAt + .milliseconds(wait)
            if let answer = try await Patience.result(of: work, until: end) { return answer }
        }
        work.cancel()
        throw Self.silence
    }
}
