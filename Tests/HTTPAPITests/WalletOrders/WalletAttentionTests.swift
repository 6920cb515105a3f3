import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Somebody is told of what keeps orders from being followed in Wallet", .timeLimit(.minutes(10)))
struct WalletAttentionTests {
    @Test("of a missing certificate, while orders go on and are followed later", arguments: DatabaseEngine.allCases)
    func missing(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            try await stage.api.listen()
            let certificate = try #require(stage.apple.file("file:order.pem"))
            let before = try await OrderStage(stage.api, FollowedStage.trip)
            stage.apple.put(nil, at: "file:order.pem")
            stage.api.clock.advance(milliseconds: 601_000)
            let reply = try await stage.fetch(before.order)
            #expect(reply.status == 503, "\(reply)")
            #expect(reply.code == "wallet_package_unavailable")
            #expect(reply.header("Retry-After") == "300")
            try await stage.expectAttention(["wallet_orders_unsigned"])
            let item = try #require(try await stage.attention("?reason=wallet_orders_unsigned").first)
            #expect(item["id"] == "wallet_orders.wallet_orders_unsigned")
            #expect(item["finding"]?.stringValue?.contains("file:order.pem") == true)
            #expect(try await stage.attention("?reason=wallet_pushes_refused").isEmpty)
            #expect(try await stage.attention("?starting_after=wallet_orders.wallet_orders_unsigned").isEmpty)
            #expect(try await stage.attention(scope: "merchant:hotel").isEmpty)

            // An order that Apple Pay pays goes on; its sheet is told of no package, for there is none.
            let checkout = try await stage.api.client("checkout")
            let token = try stage.wallet.token(TestApplePayment(amount: 30_000), signedAt: stage.api.clock.now())
            let body = WalletStage.order([("airline", 30_000)], token: token)
            let placed = try await checkout.post("/v1/orders", body, key: "later")
            #expect(placed.status == 201, "\(placed)")
            #expect(placed.json.at("apple_pay/status") == "success")
            #expect(placed.json.at("apple_pay/order_details") == nil)
            let order = try #require(placed.json["id"]?.stringValue)
            #expect(try await stage.fetch(order).status == 503)
            let shipping: JSON = ["type": "shipping", "status": "onTheWay"]
            #expect(try await stage.put("fulfillments/parcel-1", of: order, shipping, by: checkout).status == 201)
            let refused = try await stage.put(
                "fulfillments/parcel-2",
                of: order,
                shipping.with("tracking_url", "ftp://x"),
                by: checkout
            )
            #expect(refused.code == "wallet_order_invalid", "\(refused)")
            let links = "/v1/orders/\(order)/wallet-package-links"
            #expect(try await checkout.post(links, .object([])).code == "wallet_package_unavailable")

            stage.apple.put(certificate, at: "file:order.pem")
            try await stage.expectAttention([])
            let link = try await checkout.post(links, .object([]))
            #expect(link.status == 201, "\(link)")
            let shown = try await stage.document(order)
            #expect(shown["fulfillments"]?.arrayValue?.count == 1)
            #expect(try await checkout.post("/v1/orders", body, key: "later").bytes == placed.bytes)
        }
    }

    @Test("of one whose time is over, before anybody asks", arguments: DatabaseEngine.allCases)
    func expired(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine, certificateEnd: 1_600_000_000) { stage in
            try await stage.expectAttention(["wallet_orders_unsigned"])
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await stage.fetch(trip.order).status == 503)
            #expect(try await stage.device(.get, "/orders/\(FollowedStage.type)/\(trip.order)").status == 401)
        }
    }

    @Test("of one that expires within 30 days, while packages are served", arguments: DatabaseEngine.allCases)
    func expiring(_ engine: DatabaseEngine) async throws {
        // The clock of tests begins at 2027-01-15; the certificate ends 20 days later.
        try await FollowedStage.with(engine, certificateEnd: 1_800_000_000 + 20 * 86_400) { stage in
            try await stage.expectAttention(["wallet_certificate_expiring"])
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            #expect(try await stage.fetch(trip.order).status == 200)
            stage.api.clock.advance(milliseconds: 21 * 86_400_000)
            try await stage.expectAttention(["wallet_orders_unsigned"])
            #expect(try await stage.fetch(trip.order).status == 503)
        }
    }

    @Test("of a picture of the marketplace's own that leaves no room", arguments: [DatabaseEngine.sqlite])
    func picture(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let provider = WalletAccess.Orders.Provider(
                displayName: "Travel Now",
                url: "https://travel.example",
                logoLight: "file:big",
                logoDark: "file:logo"
            )
            stage.apple.put(FollowedStage.logo + [UInt8](repeating: 0, count: 500_000), at: "file:big")
            try await stage.declare(provider: provider)
            #expect(try await stage.fetch(trip.order).status == 503)
            try await stage.expectAttention(["wallet_orders_unsigned"])
            // The checkout goes on.
            let next = try await trip.client.post("/v1/orders", FollowedStage.trip, key: "next")
            #expect(next.status == 201, "\(next)")
            stage.apple.put(FollowedStage.logo, at: "file:big")
            try await stage.expectAttention([])
            #expect(try await stage.fetch(trip.order).status == 200)
        }
    }

    @Test("of one order's package that can be made no more", arguments: DatabaseEngine.allCases)
    func package(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let other = try await OrderStage(stage.api, FollowedStage.trip, key: "other")
            let sealed = try await stage.api.database.read { session in
                try #require(
                    try session.rows("SELECT sealed FROM wallet_details WHERE order_id = \(trip.order)").first
                ).bytes("sealed")
            }
            let broken = sealed.map { $0 ^ 0xFF }
            try await stage.api.database.write { session in
                try session.run("UPDATE wallet_details SET sealed = \(broken) WHERE order_id = \(trip.order)")
            }
            #expect(try await stage.fetch(trip.order).status == 503)
            #expect(try await stage.fetch(other.order).status == 200)
            try await stage.expectAttention(["wallet_package_impossible"])
            #expect(try await stage.attention().first?["order"]?.stringValue == trip.order)
            try await stage.api.database.write { session in
                try session.run("UPDATE wallet_details SET sealed = \(sealed) WHERE order_id = \(trip.order)")
            }
            try await stage.expectAttention([])
            #expect(try await stage.fetch(trip.order).status == 200)
        }
    }
}
