import Domain
import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit
import WalletTwins

@Suite("A buyer follows an order in Wallet", .timeLimit(.minutes(10)))
struct FollowedOrderTests {
    @Test(
        "of three submerchants: every push leads to a new version, and nothing else does",
        arguments: DatabaseEngine.allCases
    )
    func followed(_ engine: DatabaseEngine) async throws {
        try await FollowedPlace.with(engine) { stage in
            let (server, url) = try await stage.serve()
            let order = try await stage.order(url, reference: "trip-1")
            try await stage.device.add(order.id, token: order.token)
            // A device knows a fulfillment by its payment, too: two merchants may use the same name.
            let (parcel, desk) = ("\(order.payments[0])/parcel-1", "\(order.payments[1])/desk-1")
            var pushes = 0
            /// What the device makes of the one push that a step brings about.
            func step(_ status: Int, _ act: () async throws -> Int) async throws -> Set<OrderChange> {
                #expect(try await act() == status)
                pushes += 1
                try await stage.expectPushes(pushes)
                return Set(try #require(await stage.device.receivePush()[order.id], "the push led to nothing"))
            }
            let airline = try await step(200) { try await order.ask("capture", 0, 20_000, key: "c0") }
            #expect(airline.contains(.transaction(type: "purchase", status: "completed", amount: "200.00 USD")))
            let hotel = try await step(200) { try await order.ask("capture", 1, 20_000, key: "c1") }
            #expect(hotel.contains(.transaction(type: "purchase", status: "completed", amount: "200.00 USD")))
            let car = try await step(200) { try await order.ask("capture", 2, 10_000, key: "c2") }
            #expect(car.contains(.payment(from: "authorized", to: "paid")))
            let sent = try await step(201) {
                try await order.tell("parcel-1", 0, ["type": "shipping", "status": "onTheWay", "carrier": "Post"])
            }
            #expect(sent.contains(.fulfillmentAdded(identifier: parcel, status: "onTheWay")))
            let ready: JSON = ["type": "pickup", "status": "readyForPickup", "display_name": "Reception"]
            #expect(
                try await step(201) { try await order.tell("desk-1", 1, ready) }
                    .contains(.fulfillmentAdded(identifier: desk, status: "readyForPickup"))
            )
            // Each of these shows nothing new.
            #expect(try await order.tell("desk-1", 1, ready) == 200)
            #expect(try await order.ask("capture", 2, 10_000, key: "c2") == 200)
            #expect(try await stage.device.refresh(order.id) == nil)
            #expect(try await stage.device.register(order.id) == false)
            #expect(
                try await step(201) { try await order.ask("refunds", 2, 10_000, key: "r2") }
                    == [.transaction(type: "refund", status: "completed", amount: "100.00 USD")]
            )
            #expect(try await order.ask("refunds", 2, 10_000, key: "r2") == 201)
            let taken = ready.with("status", "pickedUp")
            #expect(
                try await step(200) { try await order.tell("desk-1", 1, taken) }
                    == [.fulfillment(identifier: desk, from: "readyForPickup", to: "pickedUp")]
            )
            let there: JSON = ["type": "shipping", "status": "delivered", "carrier": "Post"]
            #expect(
                try await step(200) { try await order.tell("parcel-1", 0, there) }.contains(
                    .status(from: "open", to: "completed")
                )
            )
            let copy = try #require(await stage.device.orders[order.id])
            #expect(copy.versions == pushes + 1)
            #expect(copy.document["payment"]?["transactions"]?.arrayValue?.count == 4)
            #expect(stage.apns.book.connections == 1)
            // What was served holds for the command, too.
            try stage.place.write(copy.package, to: "trip.order")
            let verdict = try await stage.place.json(
                "wallet-orders",
                "verify",
                "trip.order",
                "--root",
                "apns.pem",
                "--order-type",
                FollowedPlace.type
            )
            #expect(verdict["verified"] == true)
            await server.stop()
        }
    }

    @Test(
        "though the gateway is killed between commit and push, and between push and its answer",
        arguments: DatabaseEngine.allCases
    )
    func killed(_ engine: DatabaseEngine) async throws {
        try await FollowedPlace.with(engine) { stage in
            let (first, url) = try await stage.serve()
            var order = try await stage.order(url, reference: "trip-1")
            try await stage.device.add(order.id, token: order.token)
            // Apple is down, and the gateway with it before it can try again.
            stage.apns.book.script(FollowedPlace.pushToken, .unavailable)
            #expect(try await order.ask("capture", 0, 30_000, key: "c0") == 200)
            try await stage.expectPushes(1)
            await first.kill()
            let (second, nextURL) = try await stage.serve()
            order = FollowedOrder(
                id: order.id,
                payments: order.payments,
                details: order.details,
                url: nextURL,
                key: order.key
            )
            try await stage.expectPushes(2, within: .patience)
            #expect(try await stage.device.receivePush()[order.id]?.isEmpty == false)
            // Apple has taken the push, and the gateway dies before it hears so.
            stage.apns.book.script(FollowedPlace.pushToken, .silence)
            #expect(try await order.ask("capture", 1, 20_000, key: "c1") == 200)
            try await stage.expectPushes(3)
            await second.kill()
            let (third, _) = try await stage.serve()
            try await stage.expectPushes(4, within: .patience)
            #expect(try await stage.device.receivePush()[order.id]?.isEmpty == false)
            #expect(stage.apns.book.pushes.map(\.answer) == [.unavailable, .delivered, .silence, .delivered])
            await third.stop()
        }
    }

    @Test("alone: another order's token, an old one, another type and hostile names open nothing, and all alike")
    func strangers() async throws {
        try await FollowedPlace.with(.sqlite) { stage in
            let (server, url) = try await stage.serve()
            let mine = try await stage.order(url, reference: "trip-1")
            let other = try await stage.order(url, reference: "trip-2")
            try await stage.device.add(mine.id, token: mine.token)
            let type = FollowedPlace.type
            var answers: Set<String> = []
            for (path, token) in [
                ("/v1/orders/\(type)/\(mine.id)", other.token), ("/v1/orders/\(type)/\(mine.id)", nil),
                ("/v1/orders/order.com.example.other/\(mine.id)", mine.token),
                ("/v1/orders/\(type)/ord_00000000000000000000000000", mine.token),
                ("/v1/orders/\(type)/..%2F..%2Fetc", mine.token), ("/v1/orders/\(type)/%00", mine.token),
                ("/v1/devices/%27%20OR%201=1/registrations/\(type)", nil),
            ] {
                let reply = try await stage.device.send(.get, path, token: token)
                #expect(reply.status == 401, "\(path)")
                let problem = try JSON.parse(reply.body)
                answers.insert([problem["code"], problem["detail"]].compactMap { $0?.stringValue }.joined())
            }
            #expect(answers.count == 1)
            #expect(try await stage.device.send(.get, "/v1/devices/device-2/registrations/\(type)").status == 204)
            await server.stop()
        }
    }

    @Test("later, if nothing could be signed when it was placed, of which commands tell until it is mended")
    func unsigned() async throws {
        try await FollowedPlace.with(.sqlite) { stage in
            let certificate = try stage.place.bytes(of: "order.pem")
            try stage.place.write(Array("no certificate".utf8), to: "order.pem")
            let doctor = try await stage.place.run("doctor")
            #expect(doctor.out.contains("wallet_orders"), "\(doctor)")
            let (server, url) = try await stage.serve()
            let order = try await stage.order(url, reference: "trip-1")
            #expect(order.details == nil)
            let list = try await stage.place.run("attention", "list")
            #expect(list.status == 1)
            #expect(list.out.contains("wallet_orders_unsigned"), "\(list)")
            let links = HTTPCall(.post, "\(url)/v1/orders/\(order.id)/wallet-package-links", key: stage.key)
                .sending([:], idempotencyKey: "none")
            #expect(try await links.reply().status == 503)
            try stage.place.write(certificate, to: "order.pem")
            let link = try await links.reply()
            #expect(link.status == 201)
            #expect(try await stage.place.run("attention", "list").status == 0)
            let address = try #require(try JSON.parse(link.body)["url"]?.stringValue)
            let followed = try await stage.device.add(link: address, webServiceURL: FollowedPlace.webServiceURL)
            #expect(followed == order.id)
            #expect(try await order.ask("capture", 0, 30_000, key: "c0") == 200)
            try await stage.expectPushes(1)
            #expect(try await stage.device.receivePush()[order.id]?.isEmpty == false)
            await server.stop()
        }
    }
}
