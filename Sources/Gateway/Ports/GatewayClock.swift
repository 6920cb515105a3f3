package import Domain

/// Time as the gateway sees it: the database's, so that all instances agree on what is due.
package protocol GatewayClock: Sendable {
    /// The present moment.
    func now() -> Timestamp

    /// Waits until `time` has come.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until time: Timestamp) async throws
}
