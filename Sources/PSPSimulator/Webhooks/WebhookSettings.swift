/// How the simulator sends webhooks.
package struct WebhookSettings: Hashable, Sendable {
    /// Who hears from the start; others register while it runs.
    package var endpoints: [WebhookEndpoint]
    /// Whether webhooks may leave this machine.
    package var allowsOtherHosts = false
    /// How long to wait before each repetition of a webhook that was not taken, in milliseconds.
    package var retryMilliseconds: [Int64] = [100, 500, 2000, 5000]
    /// How long an endpoint may take to answer, in milliseconds.
    package var timeoutMilliseconds = 5000
    /// How many webhooks may wait to be taken; what comes beyond is dropped and counted.
    package var waitingLimit = 10_000

    /// The settings of an ordinary simulator.
    package init(endpoints: [WebhookEndpoint] = []) { self.endpoints = endpoints }
}
