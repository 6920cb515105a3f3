import Domain
import Gateway
import SQL
import Testing
import TributaryTestKit

@Suite("A database that cannot be reached", .timeLimit(.minutes(10)))
struct DatabaseFailureTests {
    @Test("before the order is placed fails the checkout, and nothing is sent", arguments: DatabaseEngine.allCases)
    func before(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instance = harness.instance("one")
            instance.database.cut()
            await #expect(throws: SQLError.unavailable("cut off by the test")) {
                try await instance.place(.trip, key: "k")
            }
            #expect(await harness.psp.calls == [])
            instance.database.mend()
            let answer = try await instance.place(.trip, key: "k")
            #expect(!answer.isReplay)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("as the order is committed delays none that was: it is sent at once", arguments: DatabaseEngine.allCases)
    func unanswered(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instance = harness.instance("one")
            instance.database.loseAnswer()
            let answer = try await instance.place(.trip, key: "k")
            #expect(!answer.isReplay)
            let order = try await harness.orderAtRest(try await harness.order(placedUnder: "k"))
            #expect(order.status == .paid)
            #expect(await harness.psp.count(.authorize, "tok_hotel") == 1)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("while PSPs answer loses no answer", arguments: DatabaseEngine.allCases)
    func during(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, .held)
            let instance = harness.instance("one")
            try await instance.driving {
                let placing = Task { try await instance.place(.trip, key: "k") }
                let id = try await harness.order(placedUnder: "k")
                _ = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                let writes = instance.life.steps.writes
                instance.database.cut()
                await harness.psp.release("tok_hotel", .authorize)
                while instance.life.steps.writes == writes {
                    await harness.signal.wait(beyond: harness.signal.count, atMost: .milliseconds(5))
                }
                #expect(try await harness.order(id).payments[1].state == .authorizing)
                instance.database.mend()
                harness.clock.advance(milliseconds: 500)
                let order = try await harness.orderAtRest(id)
                #expect(order.status == .paid)
                #expect(await harness.psp.count(.authorize, "tok_hotel") == 1)
                _ = await placing.result
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }
}
