import StrictJSON

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
