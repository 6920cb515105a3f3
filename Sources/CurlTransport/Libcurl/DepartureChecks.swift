/// What has to hold when libcurl opens a socket, and again when it is about to send.
struct DepartureChecks {
    let launchBy: ContinuousClock.Instant?
    let addressGuard: AddressGuard?

    /// Why no socket may be opened to this very address; nil is an address that is not of the Internet.
    func refusalToConnect(to peer: IPAddress?) -> TransportFailure? {
        guard let addressGuard else { return nil }
        guard let peer else { return DestinationRefusal.address(.reserved).failure }
        return addressGuard.refusal(of: peer)?.failure
    }

    /// Why the request may not be sent on a connection to this peer.
    ///
    /// The peer was allowed when it was connected to, unless the connection was made for another request.
    func refusalToSend(to peer: IPAddress?, at now: ContinuousClock.Instant) -> TransportFailure? {
        if let launchBy, launchBy <= now {
            return TransportFailure(.launchTimePassed, "the time to launch it passed", mayHaveArrived: false)
        }
        return refusalToConnect(to: peer)
    }
}
