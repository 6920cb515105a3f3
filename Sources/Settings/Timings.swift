package import Domain
import StrictJSON

/// The times the gateway works by, in milliseconds.
package struct Timings: Hashable, Sendable {
    /// How long a buyer's request waits if it does not say (`deadline_ms`).
    package var deadlineMilliseconds: Int64 = 20_000
    /// How long after its placement an order is decided at the latest, if the request does not say.
    package var decideByMilliseconds: Int64 = 15 * 60_000
    /// The latest decision a request may ask for.
    package var decideByLimitMilliseconds: Int64 = 24 * 3_600_000
    /// How long a call to a PSP may take in all.
    package var pspTimeoutMilliseconds: Int64 = 60_000
    /// How long connecting to a PSP may take.
    package var pspConnectTimeoutMilliseconds: Int64 = 5000
    /// How long an instance keeps an operation to itself.
    package var leaseMilliseconds: Int64 = 120_000
    /// How long an answer waits for the first replies of captures or voids.
    package var graceMilliseconds: Int64 = 2000
    /// How long to wait before asking again after what is unknown; the last one repeats.
    package var unknownScheduleMilliseconds: [Int64] = [1000, 5000, 30_000, 120_000, 600_000, 3_600_000]
    /// How often an instance looks for operations that nobody works on.
    package var pollMilliseconds: Int64 = 250

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        let day: Int64 = 24 * 3_600_000
        deadlineMilliseconds = body.duration("deadline", in: 1000...120_000) ?? deadlineMilliseconds
        decideByMilliseconds = body.duration("decide_by", in: 1000...day) ?? decideByMilliseconds
        decideByLimitMilliseconds = body.duration("decide_by_limit", in: 1000...day) ?? decideByLimitMilliseconds
        pspTimeoutMilliseconds = body.duration("psp_timeout", in: 1000...300_000) ?? pspTimeoutMilliseconds
        pspConnectTimeoutMilliseconds =
            body.duration("psp_connect_timeout", in: 100...60_000) ?? pspConnectTimeoutMilliseconds
        leaseMilliseconds = body.duration("lease", in: 31_000...3_600_000) ?? leaseMilliseconds
        graceMilliseconds = body.duration("grace", in: 0...30_000) ?? graceMilliseconds
        unknownScheduleMilliseconds =
            body.durations("unknown_schedule", count: 1...20, in: 100...day) ?? unknownScheduleMilliseconds
        pollMilliseconds = body.duration("poll", in: 10...60_000) ?? pollMilliseconds
        refuseContradictions(body)
    }

    /// Rules that concern two times at once.
    private func refuseContradictions(_ body: ObjectReader) {
        if leaseMilliseconds <= pspTimeoutMilliseconds + 30_000 {
            body.refuse("lease", "contradiction", "Must be longer than psp_timeout plus 30s.")
        }
        if pspConnectTimeoutMilliseconds > pspTimeoutMilliseconds {
            body.refuse("psp_connect_timeout", "contradiction", "Must not be longer than psp_timeout.")
        }
        if decideByMilliseconds > decideByLimitMilliseconds {
            body.refuse("decide_by", "contradiction", "Must not be longer than decide_by_limit.")
        }
    }

    /// The times the order machine plans by.
    package var orderTimings: OrderTimings {
        OrderTimings(
            leaseMilliseconds: leaseMilliseconds,
            unknownScheduleMilliseconds: unknownScheduleMilliseconds,
            graceMilliseconds: graceMilliseconds
        )
    }
}
