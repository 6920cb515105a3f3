import Domain
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Devices are pushed", .timeLimit(.minutes(10)))
struct PushingTests {
    @Test("again where Apple is busy, and never again where the token is gone", arguments: DatabaseEngine.allCases)
    func answers(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await stage.register("dev-A", for: trip.order).status == 201)
            stage.apple.answer(429, ["reason": "TooManyRequests"])
            stage.apple.answer(503)
            #expect(try await trip.ask("capture").status == 200)
            #expect(try await stage.apple.pushes(3, moving: stage.api.clock).count == 3)
            // A registration that is younger than the moment since which the token is no more stays.
            let now = stage.api.clock.now()
            stage.apple.answer(410, ["reason": "Unregistered", "timestamp": 1_000])
            #expect(try await trip.ask("refunds", trip.items(100), key: "r1").status == 201)
            #expect(try await stage.apple.pushes(5, moving: stage.api.clock).count == 5)
            let later = stage.api.clock.now().adding(milliseconds: 86_400_000)
            #expect(later > now)
            let milliseconds = later.milliseconds(since: Timestamp(microseconds: 0))
            stage.apple.answer(410, ["reason": "Unregistered", "timestamp": .integer(milliseconds)])
            #expect(try await trip.ask("refunds", trip.items(100), key: "r2").status == 201)
            #expect(try await stage.apple.pushes(6, moving: stage.api.clock).count == 6)
            try await stage.expectNoDevice()
        }
    }

    @Test(
        "not where the token is none, and somebody is told where the certificate is refused",
        arguments: [DatabaseEngine.sqlite]
    )
    func refusals(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await stage.register("dev-A", for: trip.order).status == 201)
            stage.apple.answer(403, ["reason": "BadCertificate"])
            #expect(try await trip.ask("capture").status == 200)
            #expect(try await stage.apple.pushes(1, moving: stage.api.clock).count == 1)
            try await stage.expectAttention(["wallet_pushes_refused"])
            let findings = try await stage.attention().compactMap { $0["finding"]?.stringValue }
            #expect(findings == ["wallet_orders: APNs answers 403 BadCertificate"])
            // Apple takes the certificate again, though not the token.
            stage.apple.answer(400, ["reason": "BadDeviceToken"])
            #expect(try await stage.apple.pushes(2, moving: stage.api.clock, by: 10_000).count == 2)
            try await stage.expectNoDevice()
            try await stage.expectAttention([])
        }
    }

    @Test("by whoever lives, if who had it in hand died before Apple answered", arguments: DatabaseEngine.allCases)
    func lease(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await stage.register("dev-A", for: trip.order).status == 201)
            let now = stage.api.clock.now()
            // Somebody has the device in hand for half a minute, and is never heard of again.
            try await stage.api.database.write { session in
                let until = now.adding(milliseconds: 30_000)
                try session.run("UPDATE wallet_device SET leased_by = 'dead/1', leased_until = \(until)")
            }
            #expect(try await trip.ask("capture").status == 200)
            #expect(stage.apple.pushes.isEmpty)
            #expect(try await stage.apple.pushes(1, moving: stage.api.clock).count == 1)
            #expect(stage.api.clock.now() >= now.adding(milliseconds: 30_000))
        }
    }
}

extension FollowedStage {
    /// Waits until no device is registered any more.
    fileprivate func expectNoDevice() async throws {
        let end = ContinuousClock.now + .patience
        while true {
            let devices = try await api.database.read { session in
                try WalletDeviceTable.list(marketplace: "travel", limit: 10, in: session)
            }
            if devices.isEmpty { return }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("no device, but \(devices)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
