/// The simulator's limits.
package struct SimulatorLimits: Hashable, Sendable {
    /// The longest request body, in bytes.
    package var bodyBytes = 65_536
    /// How long a request that is never answered is held before its connection is closed.
    package var stall = Duration.seconds(120)
    /// How late inquiries see what happened, in milliseconds.
    package var lateness: Int64 = 0

    /// The default limits.
    package init() {}
}
