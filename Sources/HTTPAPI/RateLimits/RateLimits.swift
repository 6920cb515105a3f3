/// How many requests an instance answers of one key, and of one address that shows no valid one.
package struct RateLimits: Hashable, Sendable {
    /// A limit for each of many: so many a second, and so many at once after a pause.
    package struct Limit: Hashable, Sendable {
        /// How long one request counts, in nanoseconds.
        let interval: Int64
        /// How many may come at once.
        let burst: Int64

        /// An instance's share of a limit that all of them keep together.
        ///
        /// - Parameters:
        ///   - perSecond: how many may come each second, at all instances; at least 1.
        ///   - burst: how many may come at once, at all instances.
        ///   - instances: how many there are; at least 1. Each takes at least one at once.
        package init(perSecond: Int, burst: Int, instances: Int = 1) {
            interval = max(1, 1_000_000_000 * Int64(instances) / Int64(perSecond))
            self.burst = Int64(max(1, burst / instances))
        }

        /// How long it takes until as many as may come at once may come again, in nanoseconds.
        var window: Int64 { interval * burst }
    }

    /// Of each API key; nil for no limit.
    package var key: Limit?
    /// Of each address; nil for no limit.
    package var address: Limit?

    /// Makes limits.
    package init(key: Limit? = nil, address: Limit? = nil) {
        self.key = key
        self.address = address
    }

    /// No limit at all.
    package static let none = RateLimits()
}

/// What becomes of a request, and what is left afterwards.
struct RateVerdict: Hashable, Sendable {
    /// Whether it is answered.
    let isAdmitted: Bool
    /// How many more may come at once now.
    let remaining: Int64
    /// When one more may come, in nanoseconds; zero if one may now.
    let wait: Int64
    /// When as many may come again as ever, in nanoseconds.
    let reset: Int64
}

/// How much of a limit is used up: a bucket whose tokens come back one by one.
///
/// It is kept as the one moment when all of them are back ("generic cell rate algorithm", ITU-T I.371, as a token bucket).
/// Moments are nanoseconds of a clock that never goes back.
struct RateBucket: Hashable, Sendable {
    /// When it is full again.
    private(set) var fullAt: Int64

    /// A full bucket.
    init(fullAt: Int64 = 0) { self.fullAt = fullAt }

    /// Takes a token for a request if there is one.
    mutating func take(_ limit: RateLimits.Limit, at now: Int64) -> RateVerdict {
        let full = max(fullAt, now)
        let wait = full + limit.interval - limit.window - now
        if wait <= 0 { fullAt = full + limit.interval }
        let used = max(fullAt, now) - now
        return RateVerdict(
            isAdmitted: wait <= 0,
            remaining: max(0, (limit.window - used) / limit.interval),
            wait: max(0, used + limit.interval - limit.window),
            reset: used
        )
    }
}

/// The buckets of everybody who asked lately, of whom no more are remembered than there is room for.
struct RateBook<Name: Hashable & Sendable>: Sendable {
    private let limit: RateLimits.Limit
    private let room: Int
    private var buckets: [Name: RateBucket] = [:]

    /// An empty book.
    ///
    /// - Parameters:
    ///   - limit: what each may.
    ///   - room: how many are remembered; those of whom most is back are forgotten first, and begin anew.
    init(_ limit: RateLimits.Limit, room: Int) {
        self.limit = limit
        self.room = room
    }

    /// How many are remembered.
    var count: Int { buckets.count }

    /// Takes a token for a request of somebody.
    mutating func take(_ name: Name, at now: Int64) -> RateVerdict {
        if buckets[name] == nil, buckets.count >= room { forget(at: now) }
        return buckets[name, default: RateBucket(fullAt: now)].take(limit, at: now)
    }

    /// Forgets whoever has everything back, and then, if that is less than half, whoever has most of it back.
    ///
    /// Half is free afterwards, so that this work is shared by as many who come.
    private mutating func forget(at now: Int64) {
        buckets = buckets.filter { $0.value.fullAt > now }
        let most = room / 2
        guard buckets.count > most else { return }
        let kept = buckets.sorted { $0.value.fullAt > $1.value.fullAt }.prefix(most)
        buckets = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
