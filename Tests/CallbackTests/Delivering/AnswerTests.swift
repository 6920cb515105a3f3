import AdapterKit
import Callbacks
import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What an endpoint answers", .timeLimit(.minutes(10)))
struct AnswerTests {
    @Test("counts as delivered only with 2xx", arguments: AnswerCase.all)
    func answers(_ answer: AnswerCase) async throws {
        let server = try ScriptedServer { _ in answer.steps }
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            let callback = try await stage.write(1)[0]
            let patience = answer.error == "timedOut" ? 600 : 120_000
            #expect(await stage.deliverer(patience: patience).beat() == 1)
            let stored = try #require(try await stage.stored(callback.id))
            #expect(stored.state == answer.state && stored.attempts == answer.attempts)
            #expect(stored.lastStatus == answer.status)
            #expect(stored.lastError?.hasPrefix(answer.error ?? "-") ?? (answer.error == nil), "\(stored)")
            let health = try #require(try await stage.endpoint()).health
            #expect(health.lastTriedAt == stage.clock.now())
            #expect(health.lastError == stored.lastError && health.lastStatus == answer.status)
            guard let pause = answer.pause else {
                #expect(health.failures == 0 && health.retryAt == nil && health.lastDeliveredAt == stage.clock.now())
                return
            }
            #expect(health.failures == 1 && health.failingSince == stage.clock.now() && health.lastDeliveredAt == nil)
            let rest = try #require(health.retryAt).milliseconds(since: stage.clock.now())
            #expect((pause * 1000...pause * 1100).contains(rest), "\(rest)")
            let again = try #require(stored.dueAt).milliseconds(since: stage.clock.now())
            #expect((max(pause, 5) * 1000...max(pause, 5) * 1100).contains(again), "\(again)")
            #expect(await stage.deliverer().beat() == 0)
            #expect(server.connections == 1)
        }
    }

    @Test("is never followed elsewhere")
    func redirect() async throws {
        let inside = try ScriptedServer(each: .readRequest, .ok)
        let location = "HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.1:\(inside.port)/\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer(each: .readRequest, .write(location))
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            let callback = try await stage.write(1)[0]
            #expect(await stage.deliverer().beat() == 1)
            #expect(try await stage.stored(callback.id)?.lastError == "HTTP 307")
            #expect(inside.connections == 0)
            inside.stop()
        }
    }

    @Test(
        "disables a merchant's endpoint with 410, which keeps its callbacks, and the agency is told",
        arguments: DatabaseEngine.allCases
    )
    func gone(engine: DatabaseEngine) async throws {
        let own = try ScriptedServer(each: .readRequest, .ok)
        let gone = try ScriptedServer { number in
            [.readRequest, number == 0 ? .write("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n") : .ok]
        }
        try await DeliveryStage.with(engine, at: [own, gone]) { stage in
            let callbacks = try await stage.write(3, for: 1)
            let deliverer = stage.deliverer { $0.requestsPerEndpoint = 1 }
            #expect(await deliverer.beat() == 1)
            let endpoint = try #require(try await stage.endpoint(1))
            #expect(endpoint.state == .disabled && endpoint.reason == .gone)
            #expect(try await stage.count(.waiting) == 4)
            let kept = try #require(try await stage.stored(callbacks[0].id))
            #expect(kept.attempts == 0 && kept.lastStatus == 410 && kept.dueAt == stage.clock.now())

            #expect(await deliverer.beat() == 1)
            #expect(gone.connections == 1)
            let told = try JSON.parse(try #require(own.requests.first).body)
            #expect(told["type"] == "endpoint.disabled")
            #expect(told["data"]?["endpoint"]?.stringValue == endpoint.id.text)
            #expect(told["data"]?["merchant"]?.stringValue == endpoint.merchant?.text)
            #expect(told["data"]?["reason"] == "gone")

            _ = try await stage.database.write { try CallbackEndpointTable.enable(endpoint.id, in: $0) }
            #expect(await deliverer.beat() == 1)
            #expect(gone.requests.dropFirst().compactMap { $0.header("webhook-id") } == callbacks.map(\.id.text))
        }
    }

    @Test("tells nobody if the endpoint that is gone is the agency's own")
    func ownGone() async throws {
        let server = try ScriptedServer(each: .readRequest, .write("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"))
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            try await stage.write(1)
            #expect(await stage.deliverer().beat() == 1)
            #expect(try await stage.endpoint()?.state == .disabled)
            #expect(try await stage.count(.waiting) == 1)
        }
    }
}
