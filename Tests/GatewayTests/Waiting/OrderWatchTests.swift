import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Waiting for a change of an order", .timeLimit(.minutes(10)))
struct OrderWatchTests {
    private static func placed(_ stage: WaitStage) async throws -> Order {
        var checkout = TestCheckout([.init("airline", 30_000)])
        checkout.capture = .manual
        return try await stage.harness.run(checkout, key: "k", on: "placer").order
    }

    @Test("ends with a step, at whatever instance it is taken", arguments: DatabaseEngine.allCases)
    func step(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let order = try await Self.placed(stage)
            let instances = stage.instances("one", "two")
            let waiting = Task {
                try await instances[1].gateway.change(
                    of: order.id,
                    of: "travel",
                    after: order.version,
                    withinMilliseconds: WaitStage.farMilliseconds
                )
            }
            try await stage.waiters(for: order.id)
            _ = try await instances[0].driving {
                try await instances[0].gateway.request(.cancel, of: .init(order.id, of: "travel"))
            }
            let changed = try #require(try await waiting.value)
            #expect(changed.version > order.version && changed.decision.state == .canceled)
            try await stage.waiters(for: order.id, count: 0)
        }
    }

    @Test(
        "is over at once if it is another version already, and with the time if nothing changes",
        arguments: DatabaseEngine.allCases
    )
    func ends(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let order = try await Self.placed(stage)
            let gateway = stage.instances("one")[0].gateway
            let known = try await gateway.change(
                of: order.id,
                of: "travel",
                after: order.version - 1,
                withinMilliseconds: WaitStage.farMilliseconds
            )
            #expect(known?.version == order.version)
            for version in [nil, order.version] {
                let same = try await gateway.change(
                    of: order.id,
                    of: "travel",
                    after: version,
                    withinMilliseconds: 5
                )
                #expect(same?.version == order.version)
            }
            let stranger = try await gateway.change(of: order.id, of: "other", after: nil, withinMilliseconds: 5)
            let nobody = try await gateway.change(
                of: OrderID(bits: 1),
                of: "travel",
                after: nil,
                withinMilliseconds: 5
            )
            #expect(stranger == nil && nobody == nil)
        }
    }
}
