import Domain
import Foundation
import Gateway
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The audit trail of orders in Wallet", .timeLimit(.minutes(10)))
struct FollowedAuditTests {
    private static func entries(_ api: APIHarness) async throws -> [AuditTrailTable.Entry] {
        try await api.database.read { session in
            try AuditTrailTable.list(.init(marketplace: "travel"), limit: 100, in: session)
        }
    }

    @Test(
        "has who told of goods, of which payment and under which name, once for each change",
        arguments: DatabaseEngine.allCases
    )
    func fulfillments(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let hotel = try await stage.api.client("merchant:hotel", named: "front desk")
            func tell(_ status: String) async throws -> APIReply {
                stage.api.clock.advance(milliseconds: 2)
                let told: JSON = ["type": "pickup", "status": .string(status), "display_name": "Counter 3"]
                return try await hotel.send(
                    .put,
                    "/v1/orders/\(trip.order)/fulfillments/keys-1",
                    headers: [.init("Content-Type", "application/json")],
                    body: told.bytes
                )
            }
            let (first, again, second, refused) = (
                try await tell("processing"), try await tell("processing"), try await tell("readyForPickup"),
                try await tell("eaten")
            )
            #expect([first, again, second, refused].map(\.status) == [201, 200, 200, 422], "\(refused)")
            let entries = try await Self.entries(stage.api).filter { $0.act == "fulfillment.save" }
            #expect(entries.map(\.request) == [second, first].map { $0.header("Request-Id") })
            #expect(entries.allSatisfy { $0.actorKind == "key" && $0.actorName == "front desk" })
            #expect(entries.allSatisfy { $0.subject == trip.order && !$0.details.contains("Counter") })
            let details = ["readyForPickup", "processing"].map { status in
                #"{"payment":"\#(trip.payments[1])","external_identifier":"keys-1","status":"\#(status)"}"#
            }
            #expect(entries.map(\.details) == details)
            try await AuditSealer.seal("travel", in: stage.api.database)
            let result = try await AuditTrail(of: "travel", in: stage.api.database).verify()
            #expect(result.findings.isEmpty && result.unsealed.count == 0)
        }
    }

    @Test("has who told of a return and of a receipt, and nothing of what they say", arguments: DatabaseEngine.allCases)
    func returnsAndReceipts(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let desk = try await stage.api.client("checkout", named: "desk")
            let payment = trip.payments[0]
            func tell(_ path: String, _ told: JSON) async throws -> APIReply {
                stage.api.clock.advance(milliseconds: 2)
                return try await desk.send(
                    .put,
                    "/v1/orders/\(trip.order)/\(path)",
                    headers: [.init("Content-Type", "application/json")],
                    body: told.bytes
                )
            }
            let returned: JSON = ["payment": .string(payment), "status": "open", "notes": "Too small"]
            let receipt: JSON = ["file": .string(Self.receipt)]
            let replies = [
                try await tell("returns/back-1", returned), try await tell("returns/back-1", returned),
                try await tell("returns/back-1", returned.with("status", "completed")),
                try await tell("receipts/\(payment)", receipt),
            ]
            #expect(replies.map(\.status) == [201, 200, 200, 201], "\(replies)")
            let entries = try await Self.entries(stage.api).reversed().map { "\($0.act) \($0.details)" }
            let named = #""payment":"\#(payment)","external_identifier":"back-1""#
            #expect(
                entries == [
                    #"return.save {\#(named),"status":"open"}"#, #"return.save {\#(named),"status":"completed"}"#,
                    #"receipt.save {"payment":"\#(payment)"}"#,
                ]
            )
        }
    }

    /// A page as a file of base 64.
    private static let receipt = Data("%PDF-1.4\n%%EOF\n".utf8).base64EncodedString()

    @Test("has who had devices pushed by hand, and how many, but no push to nobody", arguments: DatabaseEngine.allCases)
    func pushes(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let database = stage.api.database
            let id = try #require(OrderID(trip.order))
            let order = try #require(try await database.read { try OrderReader.load(id, in: $0) })
            let pushes = WalletOrderPushes(database, by: .shell("kim", on: "till"))
            #expect(try await pushes.push(order, at: stage.api.clock.now()) == 0)
            #expect(try await Self.entries(stage.api).isEmpty)
            #expect(try await stage.register("phone", for: trip.order).status == 201)
            #expect(try await pushes.push(order, at: stage.api.clock.now()) == 1)
            let entries = try await Self.entries(stage.api)
            #expect(entries.map(\.act) == ["wallet_order.push"])
            #expect(entries.map(\.subject) == [trip.order])
            #expect(entries.map(\.details) == [#"{"devices":1}"#])
            #expect(entries.map(\.actorKind) == ["shell"] && entries.map(\.actor) == ["kim"])
        }
    }
}
