import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Several instances", .timeLimit(.minutes(10)))
struct RaceTests {
    @Test("that race for the same work do it once", arguments: DatabaseEngine.allCases)
    func race(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let placer = harness.instance("placer")
            for number in 0..<8 {
                await harness.psp.script("tok_hotel \(number)", .authorize, .requestLost, .replyLost)
                await harness.psp.script("tok_taxi \(number)", .capture, .replyLost, .requestLost)
            }
            let racers = (0..<3).map { harness.instance("racer \($0)") }
            let drivers = racers.map { racer in Task { await racer.gateway.run() } }
            defer { for driver in drivers { driver.cancel() } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        var checkout = TestCheckout.trip
                        for part in checkout.parts.indices { checkout.parts[part].token += " \(number)" }
                        let answer = try await placer.place(checkout, key: "\(number)")
                        #expect(try await harness.orderAtRest(answer.order).status == .paid)
                    }
                }
                try await group.waitForAll()
            }
            // Each order: three authorizations, of which one three times; three captures, of which one three times.
            #expect(await harness.psp.calls.count == 8 * 10)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("do not touch what another has in hand until its lease is over", arguments: DatabaseEngine.allCases)
    func lease(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            await harness.psp.script("tok_hotel", .authorize, .held)
            let (first, second) = (harness.instance("first"), harness.instance("second"))
            let placing = Task { try await first.place(.trip, key: "k") }
            let id = try await harness.order(placedUnder: "k")
            try await harness.psp.arrival(of: .authorize, "tok_hotel")
            let order = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
            let due = try #require(order.payments[1].attempt.authorization.dueAt)
            #expect(due == order.createdAt.adding(milliseconds: harness.settings.rules.leaseMilliseconds))

            harness.clock.advance(to: Timestamp(microseconds: due.microseconds - 1))
            try await second.gateway.poll()
            #expect(try await harness.order(id).payments[1].attempt.authorization.leases == 1)
            #expect(await harness.psp.count(.authorize, "tok_hotel") == 1)

            harness.clock.advance(to: due)
            try await second.gateway.poll()
            let taken = try await harness.order(id).payments[1].attempt.authorization
            #expect(taken.leases == 2)
            let told = try await OrderQueries(harness.database).events(of: id, after: 0, limit: 100).events
            #expect(told.count { $0.type == "payment.unresolved" } == 1)
            let paid = try await harness.order(id) { $0.isAtRest }
            #expect(paid.status == .paid)
            #expect(await harness.psp.count(.authorize, "tok_hotel") == 2)

            // The first one wakes up with the reply it had been waiting for; it is no news.
            await harness.psp.release("tok_hotel", .authorize)
            _ = try await placing.value
            #expect(try await harness.order(id).status == .paid)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a PSP that never answers delays nobody else's orders", arguments: DatabaseEngine.allCases)
    func silentPSP(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            for number in 0..<40 { await harness.psp.always("tok_silent \(number)", .authorize, .silence) }
            let instance = harness.instance("one")
            try await instance.driving {
                let stuck = (0..<40).map { number in
                    Task {
                        let part = TestCheckout.Part("hotel", 100, token: "tok_silent \(number)")
                        return try await instance.place(TestCheckout([part]), key: "stuck \(number)")
                    }
                }
                for number in 0..<40 { try await harness.psp.arrival(of: .authorize, "tok_silent \(number)") }
                let answer = try await instance.place(.trip, key: "k")
                #expect(try await harness.order(answer.order).status == .paid)
                for task in stuck { task.cancel() }
            }
        }
    }
}
