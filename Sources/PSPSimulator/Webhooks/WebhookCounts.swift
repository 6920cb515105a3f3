/// What became of the webhooks.
package struct WebhookCounts: Hashable, Sendable {
    /// How many wait to be taken.
    package var waiting = 0
    /// How many were taken; one that is sent twice counts twice.
    package var delivered = 0
    /// How many were given up after the last repetition.
    package var failed = 0
    /// How many were dropped because too many waited.
    package var dropped = 0
}
