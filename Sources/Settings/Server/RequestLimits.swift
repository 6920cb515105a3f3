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
    /// How many requests that move money are looked up, checked and written down at once.
    package var ordersAtOnce: Int = 64
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
        ordersAtOnce = body.integer("orders_at_once", .optional, in: 1...10_000).map { Int($0) } ?? ordersAtOnce
        ordersWaiting = body.integer("orders_waiting", .optional, in: 0...100_000).map { Int($0) } ?? ordersWaiting
        ordersInFlight =
            body.integer("orders_in_flight", .optional, in: 1...1_000_000).map { Int($0) } ?? ordersInFlight
    }
}
