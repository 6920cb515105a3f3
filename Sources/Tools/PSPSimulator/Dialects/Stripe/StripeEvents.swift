import StrictJSON

/// Stripe's events.
enum StripeEvents {
    /// What an event is about.
    private enum Subject {
        case payment
        case charge
        case refund
        case dispute
    }

    /// The events that tell of a change in the books.
    static func notices(of event: BookEvent, origin: String) -> [WebhookNotice] {
        types(of: event).enumerated().compactMap { index, entry in
            guard let object = object(entry.subject, event, origin) else { return nil }
            let id = "\(event.id)_\(index + 1)"
            var members: [JSON.Member] = [
                JSON.Member("id", .string(id)), JSON.Member("object", "event"),
                JSON.Member("api_version", .string(StripeDialect.version)),
                JSON.Member("created", StripeDocument.seconds(event.at)), JSON.Member("data", ["object": object]),
                JSON.Member("livemode", false), JSON.Member("pending_webhooks", 1),
                JSON.Member("request", ["id": .null, "idempotency_key": .optional(event.key)]),
                JSON.Member("type", .string(entry.type)),
            ]
            if let account = StripeRequester.connected(event.authorization.account) {
                members.insert(JSON.Member("account", .string(account)), at: 2)
            }
            return WebhookNotice(id: id, .object(members))
        }
    }

    private static func types(of event: BookEvent) -> [(type: String, subject: Subject)] {
        let isOver = event.authorization.status == .captured
        switch event.type {
        case "authorization.pending": return [("payment_intent.processing", .payment)]
        case "authorization.requires_action": return [("payment_intent.requires_action", .payment)]
        case "authorization.authorized":
            return [("charge.succeeded", .charge), ("payment_intent.amount_capturable_updated", .payment)]
        case "authorization.captured": return [("charge.succeeded", .charge), ("payment_intent.succeeded", .payment)]
        case "authorization.declined": return [("charge.failed", .charge), ("payment_intent.payment_failed", .payment)]
        case "authorization.expired":
            return isOver
                ? [("payment_intent.succeeded", .payment)]
                : [("charge.expired", .charge), ("payment_intent.canceled", .payment)]
        case "capture.pending": return [("payment_intent.processing", .payment)]
        case "capture.succeeded":
            let news = isOver ? "payment_intent.succeeded" : "payment_intent.amount_capturable_updated"
            return [("charge.captured", .charge), (news, .payment)]
        case "capture.failed":
            return event.operation?.at == event.at
                ? [] : [("payment_intent.amount_capturable_updated", .payment)]
        case "capture.failed_later": return [("charge.failed", .charge), ("payment_intent.payment_failed", .payment)]
        case "void.succeeded":
            return isOver ? [("payment_intent.succeeded", .payment)] : [("payment_intent.canceled", .payment)]
        default: return refundTypes(of: event) + disputeTypes(of: event)
        }
    }

    /// A refund is created once; whatever comes later updates it.
    private static func refundTypes(of event: BookEvent) -> [(type: String, subject: Subject)] {
        let isNew = event.operation?.at == event.at
        let news: [(String, Subject)] = [(isNew ? "refund.created" : "refund.updated", .refund)]
        switch event.type {
        case "refund.pending": return [("refund.created", .refund)]
        case "refund.succeeded": return news + [("charge.refunded", .charge)]
        case "refund.failed", "refund.failed_later": return news + [("refund.failed", .refund)]
        default: return []
        }
    }

    private static func disputeTypes(of event: BookEvent) -> [(type: String, subject: Subject)] {
        switch event.type {
        case "dispute.opened":
            [("charge.dispute.created", .dispute), ("charge.dispute.funds_withdrawn", .dispute)]
        case "dispute.won":
            [("charge.dispute.closed", .dispute), ("charge.dispute.funds_reinstated", .dispute)]
        case "dispute.lost": [("charge.dispute.closed", .dispute)]
        default: []
        }
    }

    private static func object(_ subject: Subject, _ event: BookEvent, _ origin: String) -> JSON? {
        switch subject {
        case .payment: StripeDocument.payment(event.authorization, origin)
        case .charge: StripeDocument.charge(event.authorization)
        case .refund: event.operation.map { StripeDocument.refund($0, of: event.authorization) }
        case .dispute: event.dispute.map { StripeDocument.dispute($0, of: event.authorization) }
        }
    }
}
