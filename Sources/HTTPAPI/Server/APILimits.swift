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

    /// Limits as the design has them.
    package init(
        bodyBytes: Int = 256 * 1024,
        jsonDepth: Int = 32,
        contexts: Int = 50,
        decideByLimitMilliseconds: Int64 = 86_400_000,
        connections: ConnectionLimits = ConnectionLimits()
    ) {
        self.bodyBytes = bodyBytes
        self.jsonDepth = jsonDepth
        self.contexts = contexts
        self.decideByLimitMilliseconds = decideByLimitMilliseconds
        self.connections = connections
    }
}
