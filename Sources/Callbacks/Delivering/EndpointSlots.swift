import Domain

/// Which endpoints this instance has in hand, and how many more it may take.
///
/// The failing ones have places of their own, and so have those that turn out to be slow: however many of them hang, the
/// healthy ones are served.
struct EndpointSlots {
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
    mutating func moveAside(_ endpoint: EndpointID) -> Bool {
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
