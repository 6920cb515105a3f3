import StrictJSON

/// How long a PostgreSQL server may take for what a serving instance asks of it, in milliseconds.
///
/// Together they bound how long a request waits for a server that hangs, which has to be less than a buyer waits
/// (`timings.deadline`): a statement's time and two seconds, then at most three for a new connection.
package struct DatabaseTimes: Hashable, Sendable {
    /// How long a statement may take; then the server breaks it off.
    package var statementMilliseconds: Int64 = 10_000
    /// How long a statement may wait for what another transaction has locked.
    package var lockMilliseconds: Int64 = 5000

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        statementMilliseconds = body.duration("statement_timeout", in: 1000...600_000) ?? statementMilliseconds
        lockMilliseconds = body.duration("lock_timeout", in: 100...600_000) ?? lockMilliseconds
        if lockMilliseconds > statementMilliseconds {
            body.refuse("lock_timeout", "contradiction", "Must not be longer than statement_timeout.")
        }
    }
}
