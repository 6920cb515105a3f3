import Domain

/// What an instance counts of its own work, and the registry of all that its process tells.
package final class GatewayMetrics: Sendable {
    /// Everything that a scrape is answered.
    package let registry = MetricRegistry()
    /// Calls to PSPs.
    let psp = PSPMetrics()
    /// Orders and payments.
    let orders = OrderMetrics()
    /// What was said by PSPs and stored, and what became of it.
    let webhooks = CounterFamily<WebhookLabels>(
        "tributary_psp_webhook_events_total",
        "PSP webhook events that were told to their orders or put aside, by what became of them; each try counts."
    )
    /// What became of events of merchant tokens.
    let merchantTokenNotices = CounterFamily<NoticeLabels>(
        "tributary_merchant_token_notices_total",
        "Events of merchant tokens that Apple announced, by what became of them; each try that failed counts.",
        startingWith: NoticeLabels.allCases
    )
    /// Leases that ended before what was done under them.
    let lostLeases = CounterFamily<LeaseLabels>(
        "tributary_leases_lost_total",
        "Leases that ended, or went to another instance, before what was to be done under them was done and written down.",
        startingWith: LeaseLabels.allCases
    )
    /// Instances whose work this one took, because they gave no sign of life.
    let takenInstances = CounterFamily<NoLabels>(
        "tributary_instances_taken_total",
        "Instances that gave no sign of life, and whose work this one had looked at."
    )
    /// Whether the database's disk has room.
    package let disk = DiskHealth()
    /// Tries to deliver callbacks.
    package let callbacks = CounterFamily<DeliveryLabels>(
        "tributary_callback_deliveries_total",
        "Tries to deliver callbacks, by outcome.",
        startingWith: DeliveryLabels.allCases
    )

    /// Counters at zero.
    package init() {
        registry.add(orders.sources + psp.sources)
        registry.add([webhooks, merchantTokenNotices, lostLeases, takenInstances, disk, callbacks])
    }

    /// How many calls to PSPs are under way.
    package var pspCallsUnderWay: Int64 { psp.underWay.value }

    /// Counts a lease of an endpoint of callbacks that was lost.
    package func countLostEndpoint() { lostLeases.increment(.callbackEndpoint) }
}

/// A PSP's name and what became of its webhook event.
struct WebhookLabels: MetricLabels {
    static let names = ["psp", "outcome"]

    let psp: String
    let outcome: String

    var values: [String] { [psp, outcome] }
}

/// What became of an event of a merchant token.
enum NoticeLabels: String, MetricLabels, CaseIterable {
    /// Agreements were told.
    case applied
    /// It tells nothing that changes an agreement.
    case ignored
    /// No agreement of the marketplace has the token.
    case unrelated
    /// Apple knows no such event.
    case refused
    /// It could not be fetched, and is fetched again.
    case failed
    /// It could not be fetched as long as Apple keeps it.
    case givenUp = "given_up"

    static let names = ["outcome"]

    var values: [String] { [rawValue] }
}

/// What a lease is of.
enum LeaseLabels: String, MetricLabels, CaseIterable {
    /// An operation at a PSP.
    case operation
    /// An endpoint of callbacks.
    case callbackEndpoint = "callback_endpoint"

    static let names = ["kind"]

    var values: [String] { [rawValue] }
}

/// What became of a try to deliver a callback.
package enum DeliveryLabels: String, MetricLabels, CaseIterable {
    /// The endpoint has it.
    case delivered
    /// It is tried again later.
    case failed
    /// It was the last try.
    case dead
    /// The endpoint wants nothing more.
    case unwanted

    package static let names = ["outcome"]

    package var values: [String] { [rawValue] }
}

/// What an instance counts of orders and payments, once it is stored.
struct OrderMetrics: Sendable {
    /// How an order was to be paid.
    struct Placement: MetricLabels {
        static let names = ["policy", "wallet"]

        let policy: String
        let wallet: String

        var values: [String] { [policy, wallet] }
    }

    /// What was decided, why, and where the order stood.
    struct Decided: MetricLabels {
        static let names = ["decision", "reason", "status", "policy"]

        let decision: String
        let reason: String
        let status: String
        let policy: String

        var values: [String] { [decision, reason, status, policy] }
    }

    /// What a PSP said of an operation.
    struct Heard: MetricLabels {
        static let names = ["psp", "psp_account", "operation", "outcome"]

        let psp: String
        let account: String
        let operation: String
        let outcome: String

        var values: [String] { [psp, account, operation, outcome] }
    }

    private let placed = CounterFamily<Placement>(
        "tributary_orders_placed_total",
        "Orders that were placed, by policy and wallet."
    )
    private let decided = CounterFamily<Decided>(
        "tributary_order_decisions_total",
        "Decisions about orders, by their reason, the order's status behind it and its policy."
    )
    private let heard = CounterFamily<Heard>(
        "tributary_payment_outcomes_total",
        "What was heard of payments' operations and stored, by PSP account; what is heard again counts again."
    )

    var sources: [any MetricSource] { [placed, decided, heard] }

    /// Counts an order that was placed.
    func count(placing step: OrderStep) {
        let order = step.order
        placed.increment(Placement(policy: order.terms.policy.name, wallet: order.terms.wallet?.rawValue ?? "none"))
        count(step)
    }

    /// Counts what a step decided and heard, once it is committed.
    func count(_ step: OrderStep) {
        let order = step.order
        for state in step.record.events.compactMap({ Self.decisions[$0.type] }) {
            decided.increment(
                Decided(
                    decision: state.rawValue,
                    reason: state == order.decision.state ? order.decision.reason?.rawValue ?? "none" : "none",
                    status: order.status.rawValue,
                    policy: order.terms.policy.name
                )
            )
        }
        for fact in step.record.facts {
            guard let found = order.find(fact.operation) else { continue }
            heard.increment(
                Heard(
                    psp: found.attempt.route.psp,
                    account: found.accountName(in: order),
                    operation: found.operation.kind.rawValue,
                    outcome: fact.kind
                )
            )
        }
    }

    /// Decisions by the type of their event.
    private static let decisions = Dictionary(
        uniqueKeysWithValues: Decision.State.allCases.map { ("order." + $0.rawValue, $0) }
    )
}
