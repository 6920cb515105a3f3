package import Domain
import SQL
package import Storage

extension RequestDesk {
    /// Takes an operator's word that nothing is left to do about an event that was not told to its order.
    ///
    /// It is not tried again by itself, is forgotten like others in time, and its order's item of attention ends with the
    /// last of them.
    ///
    /// - Parameters:
    ///   - id: the event.
    ///   - testimony: what was done about it, and who says so.
    /// - Returns: the event as it is now, or as it is if it is no problem; nil if there is none.
    /// - Throws: ``OrderDeskError`` or `SQLError`; then nothing is stored.
    package func dismiss(_ id: WebhookID, _ testimony: OrderRequest.Testimony) async throws -> WebhookEntry? {
        try await database.write { session in
            guard var entry = try WebhookTable.lock(id, in: session) else { return nil }
            guard entry.state == .problem else { return entry }
            let now = clock.now()
            entry.dismiss(
                because: "Dismissed by \(testimony.person): \(testimony.reason) (\(testimony.evidence))",
                at: now
            )
            try WebhookTable.update(entry, in: session)
            if let order = entry.order {
                _ = try WebhookAttention(rules: rules, writer: writer)
                    .review(order, about: nil, at: now, in: session) { machine in
                        machine.caller = Caller(operator: testimony.person)
                        machine.tell(
                            ofDismissed: id,
                            evidence: testimony.evidence,
                            reason: testimony.reason,
                            by: testimony.person
                        )
                    }
            }
            return entry
        }
    }
}
