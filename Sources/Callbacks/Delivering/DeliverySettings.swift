/// Times and limits of delivering.
package struct DeliverySettings: Hashable, Sendable {
    /// Endpoints that are served at once, of those whose last round brought something home.
    package var healthyEndpoints = 96
    /// Endpoints that are served at once, of the others: they wait for time-outs, and take no place from the healthy.
    package var failingEndpoints = 32
    /// From when on a round no longer counts as a healthy one, in milliseconds.
    package var slowMilliseconds: Int64 = 1_000
    /// Endpoints whose rounds take longer than that: they leave their places to the healthy.
    package var slowEndpoints = 192
    /// Callbacks of one endpoint in one round.
    package var batch = 64
    /// Callbacks of one endpoint on their way at once; those of one order follow each other.
    ///
    /// Only one until the first has arrived, at an endpoint to which none has for ``trustMilliseconds``.
    package var requestsPerEndpoint = 8
    /// How long an endpoint is trusted to take several callbacks at once, in milliseconds.
    package var trustMilliseconds: Int64 = 60_000
    /// For how long a round begins to send, in milliseconds, so that what is known is soon written down.
    package var roundMilliseconds: Int64 = 2_000
    /// How long a round keeps its endpoint to itself, in milliseconds.
    ///
    /// Longer than a round begins to send and the last request takes.
    package var leaseMilliseconds: Int64 = 60_000
    /// How often to look for what is due without being told to, in milliseconds.
    package var pollMilliseconds: Int64 = 1_000
    /// The least time between two looks, in milliseconds.
    package var glanceMilliseconds: Int64 = 20
    /// How long settled callbacks are kept, in milliseconds: 30 days.
    package var keepMilliseconds: Int64 = 30 * 86_400_000
    /// How long callbacks wait for a disabled endpoint before they are given up, in milliseconds: 30 days.
    package var patienceMilliseconds: Int64 = 30 * 86_400_000
    /// How often to clear up, in milliseconds.
    package var cleaningMilliseconds: Int64 = 60_000

    /// Those of a server.
    package init() {}
}
