import Domain

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
    /// How long callbacks wait for a disabled endpoint before they are given up, in milliseconds: 30 days.
    package var patienceMilliseconds: Int64 = 30 * 86_400_000
    /// How often to give up what waits for nobody, in milliseconds.
    package var cleaningMilliseconds: Int64 = 60_000

    /// Those of a server.
    package init() {}
}

/// Which endpoints this instance has in hand, and how many more it may take.
///
/// The failing ones have places of their own, and so have those that turn out to be slow: however many of them hang, the
/// healthy ones are served.
struct DeliverySlots {
    private let settings: DeliverySettings
    private var healthy: Set<EndpointID> = []
    private var failing: Set<EndpointID> = []
    private var slow: Set<EndpointID> = []

    init(_ settings: DeliverySettings) { self.settings = settings }

    /// How many more may be taken.
    var room: (healthy: Int, failing: Int) {
        (settings.healthyEndpoints - healthy.count, settings.failingEndpoints - failing.count)
    }

    /// Takes those that are not in hand, as far as there is room, and answers which.
    mutating func take(_ due: (healthy: [EndpointID], failing: [EndpointID])) -> [EndpointID] {
        let (healthyRoom, failingRoom) = room
        let new = due.healthy.filter { !isInHand($0) }.prefix(healthyRoom)
        let newFailing = due.failing.filter { !isInHand($0) }.prefix(failingRoom)
        healthy.formUnion(new)
        failing.formUnion(newFailing)
        return Array(new) + Array(newFailing)
    }

    /// Gives the place of one that takes long to another; false if it has none of the healthy ones', or there is no
    /// room aside.
    mutating func demote(_ endpoint: EndpointID) -> Bool {
        guard slow.count < settings.slowEndpoints, healthy.remove(endpoint) != nil else { return false }
        slow.insert(endpoint)
        return true
    }

    /// Lets go of an endpoint.
    mutating func giveBack(_ endpoint: EndpointID) {
        healthy.remove(endpoint)
        failing.remove(endpoint)
        slow.remove(endpoint)
    }

    private func isInHand(_ endpoint: EndpointID) -> Bool {
        healthy.contains(endpoint) || failing.contains(endpoint) || slow.contains(endpoint)
    }
}
