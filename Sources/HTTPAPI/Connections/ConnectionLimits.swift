/// How many peers may be connected, and how long each of them may take.
package struct ConnectionLimits: Hashable, Sendable {
    /// The most connections that are served at once.
    ///
    /// One more is taken in place of the one that has kept us waiting for longest, and is refused with 503 only if every
    /// one is being served.
    package var connections: Int
    /// How long the head of a request may take, in milliseconds, from its first byte or, for the first one, from connecting.
    package var headMilliseconds: Int64
    /// How long a body may take, in milliseconds.
    package var bodyMilliseconds: Int64
    /// How long a body may come as slowly as it likes, in milliseconds.
    package var graceMilliseconds: Int64
    /// The bytes of a body that have to come each second after the grace.
    package var bodyBytesPerSecond: Int64
    /// How long a connection may be silent between requests, and how long an answer may wait to be read, in milliseconds.
    package var idleMilliseconds: Int64
    /// How long a connection that is being closed is left to read its answer, in milliseconds.
    package var lingerMilliseconds: Int64

    /// Limits that suit checkouts and PSPs, which send at once what they have.
    package init(
        connections: Int = 4096,
        headMilliseconds: Int64 = 10_000,
        bodyMilliseconds: Int64 = 30_000,
        graceMilliseconds: Int64 = 5000,
        bodyBytesPerSecond: Int64 = 1024,
        idleMilliseconds: Int64 = 60_000,
        lingerMilliseconds: Int64 = 2000
    ) {
        self.connections = connections
        self.headMilliseconds = headMilliseconds
        self.bodyMilliseconds = bodyMilliseconds
        self.graceMilliseconds = graceMilliseconds
        self.bodyBytesPerSecond = bodyBytesPerSecond
        self.idleMilliseconds = idleMilliseconds
        self.lingerMilliseconds = lingerMilliseconds
    }

    /// How many connections may be open beside those that are served: they are being refused or closed.
    package var spareConnections: Int { Self.spare(for: connections) }

    /// The most connections that are ever open; beyond it none is accepted until one has closed.
    package var openConnections: Int { connections + spareConnections }

    /// The most connections to serve so that no more than `total` are ever open.
    package static func connections(within total: Int) -> Int { max(1, total - spare(for: total)) }

    private static func spare(for connections: Int) -> Int { max(4, min(64, connections / 4)) }
}

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

    /// Something is owed from now on.
    mutating func begin(_ owed: Owed, at now: Int64) {
        self.owed = owed
        (bytes, spent) = (0, 0)
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
