import StrictJSON

/// Square's webhooks.
struct SquareEvents: Sendable {
    let document: SquareDocument

    /// What an event shows.
    private enum Subject {
        case payment
        case refund
        case dispute
    }

    /// The notices of a change in the books, in their order.
    func notices(of event: BookEvent) -> [WebhookNotice] {
        types(of: event).enumerated().compactMap { index, entry in
            guard let (name, object) = object(entry.subject, event) else { return nil }
            let kind = entry.type.prefix { $0 != "." }
            let id = index == 0 ? event.id : "\(event.id)_\(index + 1)"
            let isDispute = entry.subject == .dispute
            let location = SquareDocument.location(event.authorization)
            return WebhookNotice(
                id: id,
                .object(omittingAbsent: [
                    "merchant_id": .string(event.authorization.account),
                    "location_id": isDispute ? .string(location) : .none,
                    "type": .string(entry.type),
                    "event_id": .string(id),
                    "created_at": .string(SquareTime.text(event.at)),
                    "data": [
                        "type": .string(String(kind)), "id": .string(name), "object": [String(kind): object],
                    ],
                ])
            )
        }
    }

    /// A change that its own answer told of already, or that the payment does not show, is not told.
    private func types(of event: BookEvent) -> [(type: String, subject: Subject)] {
        let isLater = event.operation.map { $0.at != event.at } ?? (event.authorization.createdAt != event.at)
        let update: [(type: String, subject: Subject)] = [("payment.updated", .payment)]
        switch event.type {
        case "authorization.pending": return [("payment.created", .payment)]
        case "authorization.authorized", "authorization.captured", "authorization.declined":
            return isLater ? update : [("payment.created", .payment)]
        case "authorization.expired", "capture.succeeded", "capture.failed_later", "void.succeeded": return update
        case "capture.failed", "void.failed": return isLater ? update : []
        case "refund.pending": return [("refund.created", .refund)] + update
        case "refund.succeeded", "refund.failed", "refund.failed_later":
            return [(isLater ? "refund.updated" : "refund.created", .refund)] + update
        case "dispute.opened": return [("dispute.created", .dispute)]
        case "dispute.won", "dispute.lost": return [("dispute.state.updated", .dispute)]
        default: return []
        }
    }

    private func object(_ subject: Subject, _ event: BookEvent) -> (name: String, object: JSON)? {
        let authorization = event.authorization
        switch subject {
        case .payment:
            return (SquareName.payment(authorization.id), document.payment(authorization, at: event.at))
        case .refund:
            guard let refund = event.operation else { return nil }
            return (SquareName.refund(refund.id), document.refund(refund, of: authorization, at: event.at))
        case .dispute:
            guard let dispute = event.dispute else { return nil }
            return (SquareName.dispute(dispute.id), document.dispute(dispute, of: authorization, at: event.at))
        }
    }
}
