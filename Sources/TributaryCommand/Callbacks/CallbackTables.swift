import Domain
import Storage

extension Table {
    /// A row for each callback, without what it says.
    init(callbacks: [StoredCallback]) {
        self.init(
            "id",
            "type",
            "state",
            "endpoint",
            "merchant",
            "order",
            "payment",
            "sequence",
            "attempts",
            "created_at",
            "due_at",
            "settled_at",
            "last_status",
            "last_error"
        )
        for callback in callbacks {
            add(
                .text(callback.id.text),
                .text(callback.content.type),
                .text(callback.state.rawValue),
                .text(callback.endpoint.text),
                .optional(callback.content.merchant?.text),
                .optional(callback.content.order?.text),
                .optional(callback.content.payment?.text),
                .integer(callback.content.sequence),
                .integer(callback.attempts),
                .moment(callback.content.at),
                .moment(callback.dueAt),
                .moment(callback.settledAt),
                callback.lastStatus.map(Cell.integer) ?? .absent,
                .optional(callback.lastError)
            )
        }
    }

    /// A row for each endpoint, without its secrets.
    ///
    /// - Parameters:
    ///   - endpoints: the endpoints.
    ///   - names: the external identifiers of merchants.
    ///   - counts: how much waits for each, and how much is dead.
    init(
        endpoints: [CallbackEndpoint],
        names: [MerchantID: String],
        counts: [EndpointID: (waiting: Int64, dead: Int64)]
    ) {
        self.init(
            "id",
            "marketplace",
            "merchant",
            "url",
            "state",
            "reason",
            "waiting",
            "dead",
            "failures",
            "failing_since",
            "retry_at",
            "last_status",
            "last_error",
            "last_delivered_at"
        )
        for endpoint in endpoints {
            let health = endpoint.health
            add(
                .text(endpoint.id.text),
                .text(endpoint.marketplace),
                .optional(endpoint.merchant.map { names[$0] ?? $0.text }),
                .text(endpoint.url),
                .text(endpoint.state.rawValue),
                .optional(endpoint.reason?.rawValue),
                .integer(counts[endpoint.id]?.waiting ?? 0),
                .integer(counts[endpoint.id]?.dead ?? 0),
                .integer(health.failures),
                .moment(health.failingSince),
                .moment(health.retryAt),
                health.lastStatus.map(Cell.integer) ?? .absent,
                .optional(health.lastError),
                .moment(health.lastDeliveredAt)
            )
        }
    }
}
