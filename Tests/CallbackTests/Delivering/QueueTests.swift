import Callbacks
import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Delivering", .timeLimit(.minutes(10)))
struct QueueTests {
    @Test(
        "goes on to the healthy endpoints while others hang, and takes what was just written",
        arguments: DatabaseEngine.allCases
    )
    func isolation(engine: DatabaseEngine) async throws {
        let healthy = try ScriptedServer(each: .readRequest, .ok)
        let hanging = try (0..<3).map { _ in try ScriptedServer(each: .readRequest, .stall) }
        try await DeliveryStage.with(engine, at: [healthy] + hanging) { stage in
            for endpoint in 1...3 { try await stage.write(20, for: endpoint) }
            let deliverer = stage.deliverer(patience: 600_000)
            let task = Task { await deliverer.run() }
            for server in hanging { await server.waitForRequests(1) }
            try await stage.write(200)
            deliverer.wake()
            await healthy.waitForRequests(200)
            #expect(try await stage.count(.dead) == 0)
            task.cancel()
            await task.value
            let delivered = try await stage.count(.delivered)
            #expect(delivered > 0)
            for endpoint in 1...3 {
                let health = try #require(try await stage.endpoint(endpoint)).health
                #expect(health.failures == 0, "what this side broke off is nobody's failure")
            }
        }
    }

    @Test("spends one try at a time on a dead endpoint, however much waits there", arguments: DatabaseEngine.allCases)
    func deadEndpoint(engine: DatabaseEngine) async throws {
        let server = try ScriptedServer(each: .readRequest, .write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"))
        try await DeliveryStage.with(engine, at: [server]) { stage in
            try await stage.write(500)
            let deliverer = stage.deliverer { $0.requestsPerEndpoint = 4 }
            #expect(await deliverer.beat() == 1)
            let first = server.connections
            #expect((1...4).contains(first))
            for probe in 1...4 {
                #expect(await deliverer.beat() == 0)
                stage.clock.advance(milliseconds: probe == 1 ? 5_500 : 330_000)
                #expect(await deliverer.beat() == 1)
                #expect(server.connections == first + probe)
            }
            #expect(try #require(try await stage.endpoint()).health.failures == 5)
        }
    }

    @Test("tries a callback again on the schedule until it is dead, then leaves it alone")
    func schedule() async throws {
        let server = try ScriptedServer(each: .readRequest, .write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"))
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            let callback = try await stage.write(1)[0]
            let deliverer = stage.deliverer()
            for pause in [0] + RetrySchedule.pausesMilliseconds {
                stage.clock.advance(milliseconds: max(0, pause - 1))
                #expect(await deliverer.beat() == (pause == 0 ? 1 : 0))
                stage.clock.advance(milliseconds: pause / 10 + 1)
                #expect(await deliverer.beat() == (pause == 0 ? 0 : 1))
            }
            let dead = try #require(try await stage.stored(callback.id))
            #expect(dead.state == .dead && dead.attempts == 10 && dead.lastError == "HTTP 500")
            #expect(Set(server.requests.compactMap { $0.header("webhook-id") }) == [callback.id.text])
            #expect(server.requests.count == 10)
            stage.clock.advance(milliseconds: 86_400_000)
            #expect(await deliverer.beat() == 0)
            try await stage.database.write { [clock = stage.clock] session in
                try CallbackTable.replay([callback.id], at: clock.now(), in: session)
            }
            #expect(await deliverer.beat() == 1)
            #expect(server.requests.count == 11)
        }
    }

    @Test("gives up what waits for an endpoint that has failed for as long as the schedule takes")
    func expiry() async throws {
        let server = try ScriptedServer(each: .readRequest, .write("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"))
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            try await stage.write(100)
            let deliverer = stage.deliverer { $0.requestsPerEndpoint = 1 }
            #expect(await deliverer.beat() == 1)
            stage.clock.advance(milliseconds: RetrySchedule.wholeMilliseconds - 1)
            try await stage.write(1)
            #expect(await deliverer.beat() == 1)
            #expect(try await stage.count(.dead) == 0)
            stage.clock.advance(milliseconds: 330_000)
            #expect(await deliverer.beat() == 1)
            #expect(try await stage.count(.dead) >= 97)
            #expect(try await stage.count(.waiting) >= 1, "the youngest has not waited for long")
        }
    }

    @Test("keeps the order of what concerns one order, and is done with everything", arguments: DatabaseEngine.allCases)
    func order(engine: DatabaseEngine) async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: [server]) { stage in
            var ids = IdentifierSource()
            var written: [[NewCallback]] = []
            for _ in 0..<4 { written.append(try await stage.write(30, order: ids.make(at: stage.clock.now()))) }
            let deliverer = stage.deliverer { $0.batch = 50 }
            while await deliverer.beat() > 0 {}
            #expect(try await stage.count(.delivered) == 120)
            let arrived = server.requests.compactMap { $0.header("webhook-id") }
            for callbacks in written {
                let names = callbacks.map(\.id.text)
                #expect(arrived.filter(Set(names).contains) == names)
            }
        }
    }

    @Test("happens once, though two do it at the same time", arguments: DatabaseEngine.allCases)
    func twoDeliverers(engine: DatabaseEngine) async throws {
        let servers = try (0..<3).map { _ in try ScriptedServer(each: .readRequest, .pause(milliseconds: 2), .ok) }
        try await DeliveryStage.with(engine, at: servers) { stage in
            let deliverers = ["one", "two"].map { stage.deliverer($0) { $0.batch = 5 } }
            try await stage.delivering(deliverers[0], deliverers[1]) {
                for _ in 0..<4 {
                    for endpoint in 0..<3 { try await stage.write(10, for: endpoint) }
                    for deliverer in deliverers { deliverer.wake() }
                }
                for server in servers { await server.waitForRequests(40) }
            }
            #expect(try await stage.count(.delivered) == 120)
            for server in servers {
                let names = server.requests.compactMap { $0.header("webhook-id") }
                #expect(names.count == 40 && Set(names).count == 40)
            }
        }
    }

    @Test(
        "is taken over, under the same identifiers, once the claim of one that died has ended",
        arguments: DatabaseEngine.allCases
    )
    func takeover(engine: DatabaseEngine) async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: [server]) { stage in
            let callbacks = try await stage.write(3)
            let signal = CommitSignal()
            // The claim is its first transaction; what became of the callbacks would be its second.
            let life = InstanceLife(endingAt: .beforeWrite(2), signal: signal)
            let mortal = stage.deliverer("mortal", over: InstanceDatabase(stage.database, life: life, signal: signal))
            let dying = Task { await mortal.beat() }
            while !life.isDead { await signal.wait(beyond: signal.count) }
            #expect(server.requests.count == 3)
            #expect(try await stage.count(.waiting) == 3)
            let heir = stage.deliverer("heir")
            stage.clock.advance(milliseconds: 59_999)
            #expect(await heir.beat() == 0)
            stage.clock.advance(milliseconds: 1)
            #expect(await heir.beat() == 1)
            #expect(try await stage.count(.delivered) == 3)
            let names = server.requests.compactMap { $0.header("webhook-id") }.sorted()
            #expect(names == callbacks.flatMap { [$0.id.text, $0.id.text] }.sorted())
            life.end()
            _ = await dying.value
            #expect(try await stage.count(.delivered) == 3)
        }
    }

    @Test("is taken over at once where it is known that the one that had it died", arguments: DatabaseEngine.allCases)
    func knownDeath(engine: DatabaseEngine) async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: [server]) { stage in
            try await stage.write(3)
            let signal = CommitSignal()
            let life = InstanceLife(endingAt: .beforeWrite(2), signal: signal)
            let mortal = stage.deliverer("mortal", over: InstanceDatabase(stage.database, life: life, signal: signal))
            let dying = Task { await mortal.beat() }
            while !life.isDead { await signal.wait(beyond: signal.count) }
            let heir = stage.deliverer("heir")
            #expect(await heir.beat() == 0)
            let (beat, now) = (stage.clock.now(), stage.clock.now().adding(milliseconds: 1))
            let isTaken = try await stage.database.write { session in
                try InstanceTable.beat("mortal", startedAt: beat, at: beat, in: session)
                return try InstanceTable.take("mortal", silentSince: now, at: now, in: session)
            }
            #expect(isTaken)
            #expect(await heir.beat() == 1)
            #expect(try await stage.count(.delivered) == 3)
            life.end()
            _ = await dying.value
        }
    }

    @Test("gives up what waited a month for a disabled endpoint, and leaves alone what was delivered")
    func deserted() async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            try await stage.write(2)
            let deliverer = stage.deliverer()
            #expect(await deliverer.beat() == 1)
            try await stage.write(1)
            let endpoint = stage.endpoints[0].id
            _ = try await stage.database.write { try CallbackEndpointTable.disable(endpoint, because: .gone, in: $0) }
            stage.clock.advance(milliseconds: 30 * 86_400_000)
            #expect(await deliverer.beat() == 0)
            #expect(try await stage.count(.dead) == 0)
            stage.clock.advance(milliseconds: 60_000)
            #expect(await deliverer.beat() == 0)
            #expect(try await stage.count(.dead) == 1)
            #expect(try await stage.count(.delivered) == 2)
        }
    }
}
