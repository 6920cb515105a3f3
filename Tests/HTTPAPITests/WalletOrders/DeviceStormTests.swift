import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Devices come and go while their orders change", .timeLimit(.minutes(10)))
struct DeviceStormTests {
    private static let (devices, parcels) = (6, 12)

    /// Steps lock an order and then registrations, registrations lock an order in Wallet and then a device, and ends of them a
    /// device and then registrations: where they wait for one another, the database ends one, which is run again.
    @Test("and nothing fails, nothing is lost and nothing is left over", arguments: DatabaseEngine.allCases)
    func storm(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let orders = [
                try await OrderStage(stage.api, FollowedStage.trip),
                try await OrderStage(stage.api, FollowedStage.trip, key: "second"),
            ]
            for order in orders { #expect(try await stage.register("stays", for: order.order).status == 201) }
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for order in orders {
                    group.addTask { try await Self.tell(order, stage) }
                    group.addTask { [try await order.ask("capture").status] }
                }
                for device in 0..<Self.devices {
                    group.addTask { try await Self.comeAndGo("dev-\(device)", orders, stage) }
                }
                return try await group.reduce(into: Set<Int>()) { $0.formUnion($1) }
            }
            #expect(statuses == [200, 201], "\(statuses)")
            for order in orders {
                let version = try await stage.versions(order.order)[0]
                #expect(version > Int64(Self.parcels))
                #expect(try await stage.document(order.order)["fulfillments"]?.arrayValue?.count == Self.parcels)
            }
            let listed = try await stage.device(.get, "/devices/stays/registrations/\(FollowedStage.type)")
            #expect(listed.json["orderIdentifiers"]?.arrayValue?.count == 2)
            try await Self.expectSettled(stage)
            let left = try await stage.api.database.read { session in
                try WalletDeviceTable.list(marketplace: "travel", limit: 100, in: session).map(\.id)
            }
            #expect(left == ["stays"])
        }
    }

    private static func tell(_ order: OrderStage, _ stage: FollowedStage) async throws -> [Int] {
        var statuses: [Int] = []
        for parcel in 0..<parcels {
            let body: JSON = ["type": "shipping", "status": "shipped", "payment": .string(order.payments[parcel % 2])]
            let reply = try await stage.put("fulfillments/p-\(parcel)", of: order.order, body, by: order.client)
            statuses.append(reply.status)
        }
        return statuses
    }

    private static func comeAndGo(
        _ device: String,
        _ orders: [OrderStage],
        _ stage: FollowedStage
    ) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<6 {
            for order in orders { statuses.append(try await stage.register(device, for: order.order).status) }
            for order in orders {
                let path = "/devices/\(device)/registrations/\(FollowedStage.type)/\(order.order)"
                statuses.append(try await stage.device(.delete, path, token: stage.token(order.order)).status)
            }
        }
        return statuses
    }

    /// Waits until nobody is owed a push any more.
    private static func expectSettled(_ stage: FollowedStage) async throws {
        let end = ContinuousClock.now + .patience
        while true {
            let owed = try await stage.api.database.read { session in
                try session.rows("SELECT COUNT(*) AS count FROM wallet_push").first?.integer("count")
            }
            if owed == 0 { return }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("0 pushes, but \(owed ?? -1)") }
            stage.api.clock.advance(milliseconds: 1000)
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
