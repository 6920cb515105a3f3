import StrictJSON

/// What one request may contain, and how much is taken at once.
package struct RequestLimits: Hashable, Sendable {
    /// The longest body in bytes.
    package var bodyBytes: Int = 256 * 1024
    /// How deeply the body's JSON may be nested.
    package var jsonDepth: Int = 32
    /// The most token contexts of one order.
    package var contexts: Int = 50
    /// The most connections that are served at once; fewer if the process may not have as many descriptors.
    package var maxConnections: Int = 4096
    /// How long the head of a request may take, in milliseconds.
    package var headTimeoutMilliseconds: Int64 = 10_000
    /// How long a body may take, in milliseconds.
    package var bodyTimeoutMilliseconds: Int64 = 30_000
    /// The bytes of a body that have to come each second.
    package var bodyBytesPerSecond: Int64 = 1024
    /// How many requests that move money are looked up, checked and written down at once, and how many operations are about
    /// to be sent or have an outcome to write down; nil for as many as ``ordersAtOnce(processors:)`` says.
    package var ordersAtOnce: Int?
    /// How many requests that move money may wait for that.
    package var ordersWaiting: Int = 1024
    /// How many orders may be placed and not answered yet.
    package var ordersInFlight: Int = 4096

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        bodyBytes = body.integer("body_bytes", .optional, in: 1024...16_777_216).map { Int($0) } ?? bodyBytes
        jsonDepth = body.integer("json_depth", .optional, in: 4...512).map { Int($0) } ?? jsonDepth
        contexts = body.integer("contexts", .optional, in: 1...500).map { Int($0) } ?? contexts
        maxConnections = body.integer("max_connections", .optional, in: 8...60_000).map { Int($0) } ?? maxConnections
        headTimeoutMilliseconds = body.duration("head_timeout", in: 100...120_000) ?? headTimeoutMilliseconds
        bodyTimeoutMilliseconds = body.duration("body_timeout", in: 100...600_000) ?? bodyTimeoutMilliseconds
        bodyBytesPerSecond = body.integer("body_rate", .optional, in: 1...16_777_216) ?? bodyBytesPerSecond
        ordersAtOnce = body.integer("orders_at_once", .optional, in: 1...10_000).map { Int($0) }
        ordersWaiting = body.integer("orders_waiting", .optional, in: 0...100_000).map { Int($0) } ?? ordersWaiting
        ordersInFlight =
            body.integer("orders_in_flight", .optional, in: 1...1_000_000).map { Int($0) } ?? ordersInFlight
    }

    /// How much a machine with so many processors takes in hand at once: 8 for each unless the settings say otherwise.
    ///
    /// Measured with `tributary bench overload`: twice as much serves no more under overload, and makes refusals wait.
    package func ordersAtOnce(processors: Int) -> Int { ordersAtOnce ?? 8 * max(1, processors) }
}

/// How many requests to PSPs are on their way at once.
package struct PSPConnectionLimits: Hashable, Sendable {
    /// The most connections to one host.
    package var connectionsPerHost: Int = 64
    /// The most connections for one PSP account; fewer than a host has, so that one account leaves others some.
    package var connectionsPerAccount: Int = 32
    /// The most connections in all.
    package var connections: Int = 512
    /// The most requests that wait for a connection.
    package var queue: Int = 10_000

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        connectionsPerHost =
            body.integer("connections_per_host", .optional, in: 1...10_000).map { Int($0) } ?? connectionsPerHost
        connectionsPerAccount =
            body.integer("connections_per_account", .optional, in: 1...10_000).map { Int($0) }
            ?? min(connectionsPerAccount, max(1, connectionsPerHost / 2))
        connections = body.integer("connections", .optional, in: 1...10_000).map { Int($0) } ?? connections
        queue = body.integer("queue", .optional, in: 1...1_000_000).map { Int($0) } ?? queue
        if connectionsPerHost > connections {
            body.refuse("connections_per_host", "contradiction", "Must not be more than connections.")
        }
    }
}

/// How a process divides the descriptors that it may have: peers, PSPs and endpoints of callbacks never take one another's,
/// nor those of the database and of files.
package struct DescriptorBudget: Hashable, Sendable {
    /// What connections want of it.
    package struct Wishes: Hashable, Sendable {
        /// The most connections from outside that are ever open.
        package var incoming: Int
        /// The most to PSPs.
        package var psp: Int
        /// The most to endpoints of callbacks.
        package var callbacks: Int
        /// How many there are to the database.
        package var database: Int

        /// Gathers wishes.
        package init(incoming: Int, psp: Int, callbacks: Int, database: Int) {
            self.incoming = incoming
            self.psp = psp
            self.callbacks = callbacks
            self.database = database
        }
    }

    /// Files, pipes, the embedded database, name servers, and what is open for a moment only.
    private static let ownDescriptors = 48
    /// What each processor's event loops take.
    private static let descriptorsPerProcessor = 6

    /// The most connections from outside that may ever be open.
    package let incoming: Int
    /// The most to PSPs.
    package let psp: Int
    /// The most to endpoints of callbacks.
    package let callbacks: Int
    /// Whether somebody gets less than was wished for.
    package let isShort: Bool

    /// Divides so many descriptors; where they are too few, half of them are for peers and three tenths for PSPs.
    package init(_ limit: Int, for wishes: Wishes, processors: Int) {
        let own = Self.ownDescriptors + Self.descriptorsPerProcessor * processors + wishes.database
        let rest = max(16, limit - own)
        isShort = wishes.incoming + wishes.psp + wishes.callbacks > rest
        psp = isShort ? min(wishes.psp, max(4, rest * 3 / 10)) : wishes.psp
        callbacks = isShort ? min(wishes.callbacks, max(4, rest / 5)) : wishes.callbacks
        incoming = isShort ? min(wishes.incoming, max(8, rest - psp - callbacks)) : wishes.incoming
    }
}
