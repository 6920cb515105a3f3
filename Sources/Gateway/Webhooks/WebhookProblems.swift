package import Domain
import SQL
package import Storage

extension OrderLog {
    /// Keeps a person told of the webhooks about an order that were not applied to it: one item, while there is one.
    ///
    /// - Parameters:
    ///   - id: the order.
    ///   - attempt: the attempt that the latest webhook is about, if that is known.
    ///   - now: the moment of the step.
    ///   - input: what else the order is told in the same step.
    ///   - session: the transaction.
    /// - Returns: the order's step, stored already; nil if nothing changed.
    /// - Throws: ``OrderLogError/ruleBroken(_:_:)`` or `SQLError`; then nothing may be stored.
    func refreshWebhookProblem(
        of id: OrderID,
        about attempt: AttemptID?,
        at now: Timestamp,
        after input: OrderInput? = nil,
        in session: any Session
    ) throws -> OrderStep? {
        guard let locked = try lock(id, in: session) else { return nil }
        let oldest = try WebhookTable.oldestProblem(about: id, in: session)
        let problem = OrderInput.webhookProblem(
            oldest?.id,
            about: attempt,
            amountAtRisk: oldest?.document.amount(in: locked.order.amount.currency) ?? 0
        )
        let step = try apply([input].compactMap(\.self) + [problem], to: locked, at: now, in: session)
        return step.isEmpty ? nil : step
    }
}

extension Gateway.Orders {
    /// Takes an operator's word that nothing is left to do about an event that was not applied to its order.
    ///
    /// It is not tried again by itself, is forgotten like others in time, and its order's item of attention ends with the
    /// last of them.
    ///
    /// - Parameters:
    ///   - id: the event.
    ///   - proof: what was done about it, and who says so.
    ///   - actor: who says so, in the audit trail.
    /// - Returns: the event as it is now, or as it is if it is no problem; nil if there is none.
    /// - Throws: ``OrderLogError`` or `SQLError`; then nothing is stored.
    package func dismiss(
        _ id: WebhookID,
        _ proof: OrderRequest.Evidence,
        by actor: AuditActor
    ) async throws -> WebhookEntry? {
        try await database.write { session in
            guard var entry = try WebhookTable.lock(id, in: session) else { return nil }
            guard entry.state == .problem else { return entry }
            let now = clock.now()
            entry.dismiss(
                because: "Dismissed by \(proof.person): \(proof.reason) (\(proof.evidence))",
                at: now
            )
            try WebhookTable.update(entry, in: session)
            try AuditTrailTable.record(
                .dismissWebhook,
                by: actor,
                on: AuditSubject(.webhook, id.text),
                of: entry.marketplace,
                at: now,
                in: session
            )
            if let order = entry.order {
                let dismissal = OrderInput.webhookDismissal(id, proof)
                _ = try log.refreshWebhookProblem(of: order, about: nil, at: now, after: dismissal, in: session)
            }
            return entry
        }
    }
}

extension WebhookDocument {
    /// The greatest amount that it speaks of; 0 if it is in another currency.
    fileprivate func amount(in currency: Currency) -> Int64 {
        guard self.currency == currency else { return 0 }
        return notices.map { notice in
            switch notice.happening {
            case .outcome(_, .succeeded(let success)): success.amount
            case .dispute(let dispute): dispute.amount
            case .outcome, .reversed, .lapsed: 0
            }
        }.max() ?? 0
    }
}

extension Gateway {
    /// Says that nothing is left to do about an event that could not be told to its order.
    ///
    /// - Returns: the event as it is now, or as it is if it is no problem; nil if there is none.
    /// - Throws: ``OrderLogError`` or `SQLError`; then nothing is stored.
    package func dismiss(
        _ id: WebhookID,
        _ proof: OrderRequest.Evidence,
        by actor: AuditActor
    ) async throws -> WebhookEntry? {
        try await orders.dismiss(id, proof, by: actor)
    }
}
