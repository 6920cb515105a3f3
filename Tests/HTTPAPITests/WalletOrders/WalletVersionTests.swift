import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Orders in Wallet change", .timeLimit(.minutes(10)))
struct WalletVersionTests {
    private static let shipping: JSON = ["type": "shipping", "status": "onTheWay", "carrier": "DHL"]

    @Test("with each step that they show, and a device is pushed for each", arguments: DatabaseEngine.allCases)
    func steps(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let link = try await trip.client.post(
                "/v1/orders/\(trip.order)/wallet-package-links",
                ["payment": .string(trip.payments[1])]
            )
            #expect(link.status == 201, "\(link)")
            let placed = try await stage.versions(trip.order)
            #expect(placed.count == 2)
            #expect(try await stage.register("dev-A", for: trip.order).status == 201)
            // Only the airline is captured: the hotel's own package shows nothing of it.
            #expect(try await trip.ask("capture", trip.items(30_000)).status == 200)
            let captured = try await stage.versions(trip.order)
            #expect(captured[0] > placed[0])
            #expect(captured[1] == placed[1])
            var pushes = try await stage.apple.pushes(1, moving: stage.api.clock).count
            let before = try await stage.fetch(trip.order)
            // A refund of it is one more; asked for once more under its key, it is not.
            for _ in 1...2 { #expect(try await trip.ask("refunds", trip.items(100), key: "refund").status == 201) }
            let refunded = try await stage.versions(trip.order)
            #expect(refunded[0] == captured[0] + 1)
            pushes = try await stage.apple.pushes(pushes + 1, moving: stage.api.clock).count
            let after = try await stage.fetch(trip.order)
            #expect(after.status == 200)
            let times = try [before, after].map { try #require($0.header("Last-Modified")) }
            let moments = times.compactMap { HTTPDate.timestamp($0, now: stage.api.clock.now()) }
            #expect(moments[1].milliseconds(since: moments[0]) >= 1000)
            let since = [("If-Modified-Since", times[0])]
            #expect(try await stage.fetch(trip.order, headers: since).bytes == after.bytes)
            stage.api.clock.advance(milliseconds: 5000)
            #expect(stage.apple.pushes.count == pushes)
        }
    }

    @Test("with what is told of goods, by the marketplace and by their merchant", arguments: DatabaseEngine.allCases)
    func fulfillments(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let path = "/v1/orders/\(trip.order)/fulfillments/parcel-1"
            func put(_ body: JSON, _ client: APIClient? = nil, to other: String? = nil) async throws -> APIReply {
                try await (client ?? trip.client).send(
                    .put,
                    other ?? path,
                    headers: [.init("Content-Type", "application/json")],
                    body: body.bytes
                )
            }
            let start = try await stage.versions(trip.order)[0]
            #expect(try await put(Self.shipping).errors == ["/payment missing_field"])
            let named = Self.shipping.with("payment", .string(trip.payments[0]))
            let told = try await put(named)
            #expect(told.status == 201, "\(told)")
            #expect(told.json["payment"]?.stringValue == trip.payments[0])
            #expect(try await put(named).status == 200)
            #expect(try await stage.versions(trip.order)[0] == start + 1)
            let delivered = try await put(named.with("status", "delivered"))
            #expect(delivered.status == 200)
            #expect(try await stage.versions(trip.order)[0] == start + 2)
            #expect(try await put(named.with("status", "lost")).errors == ["/status not_allowed"])
            #expect(try await put(named.with("tracking_url", "ftp://x")).code == "wallet_order_invalid")
            #expect(try await stage.versions(trip.order)[0] == start + 2)
            // A merchant tells of its own payment, and of no other.
            let hotel = try await stage.api.client("merchant:hotel")
            let ready: JSON = ["type": "pickup", "status": "readyForPickup", "display_name": "Counter 3"]
            #expect(try await put(ready, hotel).status == 201)
            #expect(try await put(named, hotel).status == 404)
            let stranger = try await stage.api.client("merchant:taxi")
            #expect(try await put(ready, stranger).status == 404)
            #expect(try await put(ready, stage.api.client("support")).status == 403)
            #expect(try await stage.versions(trip.order)[0] == start + 3)
            let plain = try await OrderStage(stage.api, key: "plain")
            let unfollowed = try await put(named, to: "/v1/orders/\(plain.order)/fulfillments/parcel-1")
            #expect(unfollowed.status == 404)
            let own = Self.shipping.with("payment", .string(plain.payments[0]))
            let refused = try await put(own, to: "/v1/orders/\(plain.order)/fulfillments/parcel-1")
            #expect(refused.code == "order_not_followed", "\(refused)")
        }
    }

    @Test("and the sheet is told how to follow one that Apple Pay pays", arguments: DatabaseEngine.allCases)
    func orderDetails(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            try await stage.api.listen()
            let checkout = try await stage.api.client("checkout")
            let token = try stage.wallet.token(TestApplePayment(amount: 30_000), signedAt: stage.api.clock.now())
            let body = WalletStage.order([("airline", 30_000)], token: token)
            let reply = try await checkout.post("/v1/orders", body, key: "one")
            #expect(reply.status == 201, "\(reply)")
            let id = try #require(reply.json["id"]?.stringValue)
            let details: JSON = [
                "orderTypeIdentifier": .string(FollowedStage.type), "orderIdentifier": .string(id),
                "webServiceURL": "https://pay.travel.example/wallet-orders",
                "authenticationToken": .string(try stage.token(id)),
            ]
            #expect(reply.json.at("apple_pay/order_details") == details)
            #expect(try await stage.fetch(id).status == 200)
            #expect(try await checkout.post("/v1/orders", body, key: "one").bytes == reply.bytes)
            #expect(try await checkout.get("/v1/orders/\(id)").json.at("apple_pay/order_details") == details)
            let support = try await stage.api.client("support")
            let seen = try await support.get("/v1/orders/\(id)").json.at("apple_pay/order_details")
            #expect(seen == details.with("authenticationToken", nil))
            // The token stands nowhere in the database, where the step that follows has stored the answer.
            let order = try #require(OrderID(id))
            _ = try await stage.api.order(order) { $0.status == .paid }
            let refund: JSON = ["amount": 100, "allocate": "proportional"]
            let given = try await stage.api.client("operator").post("/v1/orders/\(id)/refunds", refund, key: "refund")
            #expect(given.status == 201, "\(given)")
            let secret = try stage.token(id)
            let stored = try await stage.api.database.read { session in
                let callbacks = try session.rows("SELECT payload FROM callback").map { try $0.text("payload") }
                let answers = try session.rows("SELECT answer FROM order_step WHERE answer IS NOT NULL")
                    .map { row in String(decoding: try row.bytes("answer"), as: UTF8.self) }
                return callbacks + answers
            }
            #expect(!stored.isEmpty)
            #expect(!stored.contains { $0.contains(secret) })
        }
    }
}
