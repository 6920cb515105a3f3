/// Whether a peer sends what it owes us fast enough.
///
/// Only time in which we ask for bytes counts, so that nobody is blamed for what we are slow to read. Times are
/// milliseconds of a clock that never goes back.
struct RequestPace: Hashable {
    /// What a peer owes.
    enum Owed: Hashable {
        /// Nothing: it may be silent, or a request of its is being served.
        case nothing
        /// The head of a request.
        case head
        /// The rest of a request's body.
        case body
    }

    private let limits: ConnectionLimits
    /// What is owed now.
    private(set) var owed = Owed.nothing
    /// How many bytes have come since it has been owed.
    private(set) var bytes: Int64 = 0
    private var spent: Int64 = 0
    private var listeningSince: Int64?

    /// A peer that owes nothing yet.
    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// Something is owed from now on, for which so many milliseconds are spent already.
    mutating func begin(_ owed: Owed, at now: Int64, spent: Int64 = 0) {
        self.owed = owed
        (bytes, self.spent) = (0, spent)
        if listeningSince != nil { listeningSince = now }
    }

    /// We ask for bytes.
    mutating func listen(at now: Int64) { listeningSince = listeningSince ?? now }

    /// We ask for none.
    mutating func pause(at now: Int64) {
        spent = spentTime(at: now)
        listeningSince = nil
    }

    /// Bytes have come.
    mutating func receive(_ count: Int) { bytes += Int64(count) }

    /// How much time the peer has left, in milliseconds, zero or less if it is too slow; nil if none runs.
    func left(at now: Int64) -> Int64? {
        guard listeningSince != nil else { return nil }
        let allowed: Int64
        switch owed {
        case .nothing: return nil
        case .head: allowed = limits.headMilliseconds
        case .body:
            let earned = bytes * 1000 / max(1, limits.bodyBytesPerSecond)
            allowed = min(limits.bodyMilliseconds, limits.graceMilliseconds + earned)
        }
        return allowed - spentTime(at: now)
    }

    private func spentTime(at now: Int64) -> Int64 { spent + (listeningSince.map { max(0, now - $0) } ?? 0) }
}
