import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Orders in the database", .timeLimit(.minutes(10)))
struct OrderRoundTripTests {
    private static let policies: [Policy] = [
        .allOrNothing, .bestEffort, .required(["b", "a\"✓"]), .minimum(4_000_000_000),
    ]

    private static func load(_ id: OrderID, _ database: any Database) async throws -> Order? {
        try await database.read { session in try OrderReader.load(id, in: session) }
    }

    @Test("come back as they were placed", arguments: DatabaseEngine.allCases, policies)
    func placed(engine: DatabaseEngine, policy: Policy) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let order = try sample.order(["airline", "hotel", "taxi"], reference: "cart", policy: policy)
            try await database.write { try OrderWriter.insert(order, .init(), wakeAt: nil, in: $0) }
            #expect(try await Self.load(order.id, database) == order)
            #expect(try await database.write { try OrderReader.lock(order.id, in: $0) } == 0)
        }
    }

    @Test("come back as every step left them, whatever it changed", arguments: DatabaseEngine.allCases)
    func changed(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let names = OrderSample.states.indices.map { "merchant-\($0)" }
            var order = try sample.order(names)
            let bystander = try sample.order(names)
            try await database.write { [order] session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try OrderWriter.insert(bystander, .init(), wakeAt: nil, in: session)
            }
            for round: Int64 in [1, 2, 3] {
                let before = order
                sample.change(&order, round: round)
                try await database.write { [order] session in
                    try OrderWriter.update(
                        order,
                        from: before,
                        .init(),
                        answer: nil,
                        wakeAt: order.terms.deadlineAt,
                        in: session
                    )
                }
                #expect(try await Self.load(order.id, database) == order)
            }
            #expect(try await Self.load(bystander.id, database) == bystander)
        }
    }

    @Test("list what a person should look at alike, whatever was raised first", arguments: DatabaseEngine.allCases)
    func attention(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let order = try sample.order(["airline", "hotel", "taxi"])
            var after = order
            after.version += 1
            after.attention = order.payments.flatMap { payment in
                [Attention.Reason.unknownOutcome, .overCaptured, .overdue].map { reason in
                    Attention(
                        payment: payment.id,
                        operation: payment.attempt.authorization.id,
                        reason: reason,
                        amountAtRisk: 1,
                        since: order.createdAt
                    )
                }
            }
            after.attention.sort()
            var raised = after
            raised.attention.reverse()
            try await database.write { [raised] session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try OrderWriter.update(raised, from: order, .init(), answer: nil, wakeAt: nil, in: session)
            }
            #expect(try await Self.load(order.id, database) == after)
        }
    }

    @Test("keep their first answer, byte for byte", arguments: DatabaseEngine.allCases)
    func answer(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let order = try sample.order()
            let bytes: [UInt8] = [0, 255, 10, 13, 0x7B]
            try await database.write { session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                var after = order
                for answer: [UInt8]? in [bytes, [1], nil] {
                    after.version += 1
                    try OrderWriter.update(after, from: order, .init(), answer: answer, wakeAt: nil, in: session)
                }
            }
            #expect(try await database.read { try OrderSteps.answer(to: order.id, in: $0) } == bytes)
            #expect(try await Self.load(order.id, database)?.isAnswered == true)
        }
    }

    @Test("that do not exist are nil", arguments: DatabaseEngine.allCases)
    func absent(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let id = try sample.order().id
            #expect(try await Self.load(id, database) == nil)
            #expect(try await database.write { try OrderReader.lock(id, in: $0) } == nil)
            #expect(try await database.read { try OrderSteps.answer(to: id, in: $0) } == nil)
        }
    }

    @Test("lose a credential with the step that needs it no more", arguments: DatabaseEngine.allCases)
    func credentials(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let names = OrderSample.states.indices.map { "merchant-\($0)" }
            let order = try sample.order(names)
            let attempts = order.payments.map(\.attempt.id)
            let sealed = attempts.map { ($0, CredentialTable.Sealed(keyID: "k", bytes: Array($0.text.utf8))) }
            var after = order
            for (index, state) in OrderSample.states.enumerated() {
                after.payments[index].attempts[0].operations[0].state = state
            }
            try await database.write { [after] session in
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try CredentialTable.insert(sealed, eraseAt: order.terms.decideBy, in: session)
                var record = OrderMachine.Record()
                record.erasures = after.payments.map(\.attempt).filter { !$0.authorization.state.keepsCredential }.map(
                    \.id
                )
                try OrderWriter.update(after, from: order, record, answer: nil, wakeAt: nil, in: session)
            }
            let kept = try await database.read { session throws in
                try attempts.map { try CredentialTable.find($0, in: session) }
            }
            let expected = zip(OrderSample.states, sealed).map { state, sealed -> CredentialTable.Sealed? in
                switch state {
                case .open, .unknown: sealed.1
                case .pending, .actionRequired, .notSent, .declined, .rejected, .succeeded, .reversed: nil
                }
            }
            #expect(kept == expected)

            try await database.write { session in
                let justBefore = Timestamp(microseconds: order.terms.decideBy.microseconds - 1)
                _ = try RetainedTable.credentials.forget(before: justBefore, limit: 10, in: session)
            }
            #expect(try await database.read { try CredentialTable.find(attempts[0], in: $0) } == sealed[0].1)
            _ = try await database.write { session in
                try RetainedTable.credentials.forget(before: order.terms.decideBy, limit: 10, in: session)
            }
            #expect(try await database.read { try CredentialTable.find(attempts[0], in: $0) } == nil)
        }
    }
}
