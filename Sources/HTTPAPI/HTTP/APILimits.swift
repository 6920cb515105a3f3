/// What a request may be at most.
package struct APILimits: Hashable, Sendable {
    /// The body's length in bytes.
    package var bodyBytes: Int
    /// How deep JSON may nest.
    package var jsonDepth: Int
    /// How many contexts an order may have.
    package var contexts: Int
    /// How far ahead `decide_by` may lie, in milliseconds.
    package var decideByLimitMilliseconds: Int64
    /// How many peers may be connected, and how long each may take.
    package var connections: ConnectionLimits
    /// How many requests of one publishable key may be in hand at once.
    package var requestsPerPublishableKey: Int

    /// Limits as the design has them.
    package init(
        bodyBytes: Int = 256 * 1024,
        jsonDepth: Int = 32,
        contexts: Int = 50,
        decideByLimitMilliseconds: Int64 = 86_400_000,
        connections: ConnectionLimits = ConnectionLimits(),
        requestsPerPublishableKey: Int = 32
    ) {
        self.bodyBytes = bodyBytes
        self.jsonDepth = jsonDepth
        self.contexts = contexts
        self.decideByLimitMilliseconds = decideByLimitMilliseconds
        self.connections = connections
        self.requestsPerPublishableKey = requestsPerPublishableKey
    }
}

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
