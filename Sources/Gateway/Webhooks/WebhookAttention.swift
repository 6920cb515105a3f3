import Domain
import SQL
import Storage

/// Keeps a person told of the webhooks about an order that were not told to it: one item, while there is one.
struct WebhookAttention: Sendable {
    let rules: MachineRules
    let writer: StepWriter

    /// Brings an order's item in step with the inbox, within the caller's transaction.
    ///
    /// - Parameters:
    ///   - id: the order.
    ///   - attempt: the attempt that the latest webhook is about, if that is known.
    ///   - now: the moment of the step.
    ///   - session: the transaction.
    ///   - change: what else the step does to the order.
    /// - Returns: the order's step, stored already; nil if nothing changed.
    /// - Throws: ``OrderDeskError/ruleBroken(_:_:)`` or `SQLError`; then nothing may be stored.
    func review(
        _ id: OrderID,
        about attempt: AttemptID?,
        at now: Timestamp,
        in session: any Session,
        _ change: (inout OrderMachine) -> Void = { _ in }
    ) throws -> StepWriter.Step? {
        guard try OrderReader.lock(id, in: session) != nil, let before = try OrderReader.load(id, in: session) else {
            return nil
        }
        let waiting = try WebhookTable.oldestProblem(about: id, in: session)
        var machine = OrderMachine(before, at: now, by: writer.instance, rules: rules, ids: IdentifierSource())
        change(&machine)
        machine.review(
            waiting: waiting?.id,
            about: attempt,
            amountAtRisk: waiting?.document.amount(in: before.amount.currency) ?? 0
        )
        guard machine.order != before else { return nil }
        return try writer.write(&machine, from: before, in: session)
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
