import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What a PSP speaks of", .timeLimit(.minutes(10)))
struct SubjectSearchTests {
    @Test("is found by each of its names, at its account alone", arguments: DatabaseEngine.allCases)
    func names(engine: DatabaseEngine) async throws {
        var sample = OrderSample()
        var order = try sample.order(["airline"])
        order.payments[0].attempts[0].pspReference = "pi_1"
        order.payments[0].attempts[0].operations[0].reference = "re_1"
        let attempt = order.payments[0].attempt
        let dispute = Dispute(
            id: sample.make(),
            attempt: attempt.id,
            reference: "dp_1",
            heardAt: sample.now,
            state: .opened,
            amount: 1,
            reason: nil,
            respondBy: nil,
            stateAt: nil
        )
        let before = order
        order.payments[0].disputes = [dispute]
        let after = order
        let subjects: [Notice.Subject] = [
            .init(operation: attempt.authorization.id.text), .init(attempt: attempt.id.text), .init(payment: "pi_1"),
            .init(object: "re_1"), .init(object: "dp_1"),
            .init(attempt: "unknown", operation: "unknown", payment: "pi_1", object: "unknown"),
        ]
        try await withDatabase(engine, prepare: .migrated) { database in
            try await database.write { session in
                try OrderWriter.insert(before, OrderMachine.Record(), wakeAt: nil, in: session)
                try OrderWriter.update(
                    after,
                    from: before,
                    OrderMachine.Record(),
                    answer: nil,
                    wakeAt: nil,
                    in: session
                )
            }
            func find(
                _ subject: Notice.Subject,
                at account: String,
                of marketplace: String
            ) async throws
                -> SubjectSearch.Found?
            {
                try await database.read {
                    try SubjectSearch.find(subject, at: account, of: marketplace, in: $0)
                }
            }
            let account = attempt.route.pspAccount
            for subject in subjects {
                let found = try await find(subject, at: account, of: "travel")
                #expect(found?.order == after.id && found?.attempt == attempt.id, "\(subject)")
                #expect(try await find(subject, at: account + "x", of: "travel") == nil, "\(subject)")
                #expect(try await find(subject, at: account, of: "other") == nil, "\(subject)")
            }
            #expect(try await find(.init(), at: account, of: "travel") == nil)
            #expect(try await find(.init(payment: "pi_2"), at: account, of: "travel") == nil)
        }
    }
}
