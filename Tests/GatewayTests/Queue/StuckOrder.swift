import Domain
import SQL
import Storage
import TributaryTestKit

/// Orders of which no step can be taken.
enum StuckOrder: String, CaseIterable, Sendable {
    /// A row of the order cannot be read.
    case unreadable
    /// An attempt has lost its operations but one that is no authorization.
    case beheaded
    /// Every step would break a rule.
    case ruleBroken
    /// Its PSP account is no more.
    case accountless
    /// Something is due that nothing is to be done for.
    case finished

    /// How `attention list` may call it: whoever looks at the clock of an order that is finished for no reason finds that it
    /// breaks a rule, whoever takes its operation in hand that there is nothing to do.
    var reasons: Set<String> {
        let kinds: [StepFailure.Kind] = self == .finished ? [.notTaken, .ruleBroken] : [reason]
        return Set(kinds.map(\.rawValue))
    }

    /// How `attention list` calls it.
    var reason: StepFailure.Kind {
        switch self {
        case .unreadable, .beheaded: .unreadable
        case .ruleBroken: .ruleBroken
        case .accountless: .accountUnusable
        case .finished: .notTaken
        }
    }

    /// Writes down stuck orders like `sample`, each with so many operations due at `due`.
    func insert(
        _ count: Int,
        operations: Int = 1,
        like sample: Order,
        dueAt due: Timestamp,
        into database: any Database
    ) async throws -> [OrderID] {
        var ids = IdentifierSource()
        var orders: [Order] = []
        for _ in 0..<count { orders.append(order(like: sample, operations: operations, dueAt: due, &ids)) }
        try await database.write { [orders] session in
            for order in orders {
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try spoil(order, dueAt: due, in: session)
            }
        }
        return orders.map(\.id)
    }

    private func order(
        like sample: Order,
        operations: Int,
        dueAt due: Timestamp,
        _ ids: inout IdentifierSource
    ) -> Order {
        let first = sample.payments[0]
        func operation(_ kind: Operation.Kind) -> Operation {
            var operation = Operation(
                id: ids.make(at: due),
                kind: kind,
                amount: first.amount,
                origin: .gateway,
                createdAt: sample.createdAt
            )
            operation.dueAt = due
            return operation
        }
        func attempt() -> Attempt {
            var authorization = operation(.authorize)
            if self == .accountless { authorization.dueAt = nil }
            let more = (self == .accountless ? 0 : 1)..<operations
            let route = RouteSnapshot(psp: "simulator", pspAccount: self == .accountless ? "gone" : "sim-a")
            return Attempt(
                id: ids.make(at: due),
                route: route,
                operations: [authorization] + more.map { _ in operation(.void) }
            )
        }
        let payment = Payment(
            id: ids.make(at: due),
            merchant: first.merchant,
            externalIdentifier: first.externalIdentifier,
            amount: first.amount,
            reference: nil,
            metadata: [],
            allocation: first.allocation,
            attempts: self == .ruleBroken ? [attempt(), attempt()] : [attempt()]
        )
        return Order(
            id: ids.make(at: due),
            marketplace: sample.marketplace,
            reference: nil,
            amount: sample.amount,
            metadata: [],
            createdAt: sample.createdAt,
            terms: sample.terms,
            payments: [payment]
        )
    }

    private func spoil(_ order: Order, dueAt due: Timestamp, in session: any Session) throws {
        switch self {
        case .unreadable: try session.run("UPDATE orders SET policy = 'nonsense' WHERE id = \(order.id)")
        case .beheaded:
            try session.run(
                """
                UPDATE payment SET attempts = REPLACE(attempts, '"authorize"', '"void"')
                WHERE order_id = \(order.id)
                """
            )
        case .finished:
            try session.run(
                """
                UPDATE payment SET attempts = REPLACE(attempts, '"open"', '"not_sent"')
                WHERE order_id = \(order.id)
                """
            )
        case .ruleBroken, .accountless: return
        }
    }
}
