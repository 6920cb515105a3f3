import Domain
import Storage

extension Table {
    /// A row for each thing that a person should look at.
    init(attentionOf orders: [Order]) {
        self.init(
            "order",
            "reference",
            "merchant",
            "psp_account",
            "reason",
            "currency",
            "amount_at_risk",
            "since",
            "operation",
            "webhook",
            "what_to_do"
        )
        for order in orders {
            for item in order.attention {
                let payment = order.payments.first { $0.id == item.payment }
                add(
                    .text(order.id.text),
                    .optional(order.reference),
                    .optional(payment?.externalIdentifier),
                    .optional(payment?.attempt.route.pspAccount),
                    .text(item.reason.rawValue),
                    .text(order.amount.currency.code),
                    .amount(item.amountAtRisk, order.amount.currency),
                    .moment(item.since),
                    .text(item.operation.text),
                    .optional(item.webhook?.text),
                    .text(item.advice)
                )
            }
        }
    }

    /// A row for each PSP account with webhooks that cannot be read, or whose order is not known.
    mutating func add(strays: [(oldest: WebhookEntry, count: Int64)]) {
        for (oldest, count) in strays {
            add(
                .absent,
                .text(count > 1 ? "\(count) webhooks" : "webhook"),
                .absent,
                .text(oldest.account),
                .text(Attention.Reason.webhookProblem.rawValue),
                .absent,
                .absent,
                .moment(oldest.receivedAt),
                .absent,
                .text(oldest.id.text),
                .text("See webhooks list --state problem; then webhooks replay or dismiss each.")
            )
        }
    }

    /// A row for each confirmed hash that a token contradicted; no order was placed with it.
    mutating func add(contradicted hashes: [MerchantHashTable.Entry]) {
        for entry in hashes {
            add(
                .absent,
                .text("hash " + entry.hash),
                .text(entry.merchantIdentifier),
                .absent,
                .text("merchant_hash_contradicted"),
                .absent,
                .absent,
                .moment(entry.lastSeenAt),
                .absent,
                .absent,
                .text("See apple-pay hashes list, then apple-pay hashes confirm or reject.")
            )
        }
    }

    /// A row for each endpoint that nothing is sent to, and one for each that has dead letters.
    mutating func add(deserted endpoints: [CallbackEndpoint], _ counts: [EndpointID: (waiting: Int64, dead: Int64)]) {
        for endpoint in endpoints {
            let dead = counts[endpoint.id]?.dead ?? 0
            let reasons =
                (endpoint.state == .disabled ? ["endpoint_disabled"] : []) + (dead > 0 ? ["callbacks_dead"] : [])
            for reason in reasons {
                let isDisabled = reason == "endpoint_disabled"
                add(
                    .absent,
                    .text("endpoint " + endpoint.id.text),
                    .optional(endpoint.merchant?.text),
                    .absent,
                    .text(reason),
                    .absent,
                    .absent,
                    .moment(endpoint.health.lastTriedAt),
                    .absent,
                    .absent,
                    .text(
                        isDisabled
                            ? "Mend the endpoint, then callbacks enable." : "Mend the endpoint, then callbacks replay."
                    )
                )
            }
        }
    }

    /// A row for each attempt that holds money on a card.
    init(holdsOf orders: [Order]) {
        self.init(
            "order",
            "reference",
            "status",
            "merchant",
            "psp_account",
            "psp_reference",
            "currency",
            "held",
            "capture_before"
        )
        for order in orders {
            for payment in order.payments {
                for attempt in payment.attempts where attempt.held > 0 {
                    add(
                        .text(order.id.text),
                        .optional(order.reference),
                        .text(order.status.rawValue),
                        .text(payment.externalIdentifier),
                        .text(attempt.route.pspAccount),
                        .optional(attempt.pspReference),
                        .text(order.amount.currency.code),
                        .amount(attempt.held, order.amount.currency),
                        .moment(attempt.expiresAt)
                    )
                }
            }
        }
    }
}
