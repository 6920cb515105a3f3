package import Domain
import SQL
import Storage

/// Stores what a step of the machine came to, and tells what it leaves to do.
struct StepWriter: Sendable {
    /// An order after a step, and what the step leaves to do.
    struct Step: Sendable {
        var order: Order
        var leased: [OperationID]
        var answer: [UInt8]?
        /// Whether others are to be told of it.
        var isAnnounced = false
    }

    /// Who leases what the steps start.
    let instance: String
    /// Writes orders as answers and callbacks show them.
    let presentation: Presentation

    /// Stores a step, whose order the caller has locked.
    ///
    /// - Throws: ``OrderDeskError/ruleBroken(_:_:)`` if the step would break a rule, or `SQLError`.
    func write(_ machine: inout OrderMachine, from before: Order, in session: any Session) throws -> Step {
        let isAnswered = machine.answer()
        let announcements = machine.announce(since: before)
        machine.seal()
        let answer = isAnswered ? presentation.answer(machine.order) : nil
        try machine.order.requireRules()
        try OrderWriter.update(
            machine.order,
            from: before,
            machine.record,
            answer: answer,
            wakeAt: machine.wakeAt,
            in: session
        )
        let callbacks = CallbackWriter(presentation: presentation).callbacks(for: announcements, of: machine.order)
        try Outbox.insert(callbacks, in: session)
        let leased = machine.order.newlyLeased(since: before, by: instance)
        return Step(order: machine.order, leased: leased, answer: answer, isAnnounced: !callbacks.isEmpty)
    }
}

/// Why an order cannot be changed.
package enum OrderDeskError: Error, Hashable {
    /// There is no such order.
    case unknownOrder(OrderID)
    /// The step would break a rule that never breaks; nothing was stored.
    case ruleBroken(OrderID, String)
}

extension Order {
    /// The operations that the instance took in hand since `before`.
    fileprivate func newlyLeased(since before: Order, by instance: String) -> [OperationID] {
        let leases = Dictionary(
            uniqueKeysWithValues: before.payments.flatMap(\.attempts).flatMap(\.operations).map { ($0.id, $0.leases) }
        )
        return payments.flatMap(\.attempts).flatMap(\.operations)
            .filter { $0.leasedBy == instance && $0.leases > leases[$0.id, default: 0] }.map(\.id)
    }

    /// Refuses to store an order that breaks a rule.
    fileprivate func requireRules() throws(OrderDeskError) {
        if let violation = OrderRules.violations(of: self).first { throw .ruleBroken(id, "\(violation)") }
    }
}
