import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("Orders in Wallet are served to devices", .timeLimit(.minutes(10)))
struct DeviceServiceTests {
    @Test("with the package, and with nothing where they have it", arguments: DatabaseEngine.allCases)
    func fetching(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let first = try await stage.fetch(trip.order)
            #expect(first.status == 200, "\(first)")
            #expect(first.header("Content-Type") == "application/vnd.apple.finance.order")
            #expect(first.bytes.starts(with: [0x50, 0x4B, 3, 4]))
            let time = try #require(first.header("Last-Modified"))
            #expect(HTTPDate.timestamp(time, now: stage.api.clock.now()) != nil)
            let tag = try #require(first.header("ETag"))
            let conditions = [
                ("If-Modified-Since", time), ("If-None-Match", tag), ("If-None-Match", "\"x\", W/\(tag)"),
            ]
            for condition in conditions {
                let again = try await stage.fetch(trip.order, headers: [condition])
                #expect(again.status == 304, "\(condition)")
                #expect(again.bytes.isEmpty)
            }
            // Entity tags come first (RFC 9110, 13.2.2).
            let other = try await stage.fetch(
                trip.order,
                headers: [("If-None-Match", "\"x\""), ("If-Modified-Since", time)]
            )
            #expect(other.status == 200)
            #expect(other.bytes == first.bytes)
        }
    }

    @Test("and tell nothing to whoever shows something else", arguments: DatabaseEngine.allCases)
    func strangers(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let other = try await OrderStage(stage.api, FollowedStage.trip, key: "other")
            let own = try stage.token(trip.order)
            let type = FollowedStage.type
            let unknown = "ord_00000000000000000000000000"
            let requests: [(path: String, token: String?, scheme: String)] = [
                ("/orders/\(type)/\(trip.order)", nil, "AppleOrder"),
                ("/orders/\(type)/\(trip.order)", "wrong-token-wrong-token", "AppleOrder"),
                ("/orders/\(type)/\(trip.order)", own, "ApplePass"),
                ("/orders/\(type)/\(trip.order)", try stage.token(other.order), "AppleOrder"),
                ("/orders/\(type).other/\(trip.order)", own, "AppleOrder"),
                ("/orders/\(type)/\(unknown)", own, "AppleOrder"),
                ("/orders/\(type)/\(unknown)", try stage.token(unknown), "AppleOrder"),
                ("/orders/\(type)/\(trip.payments[0])", try stage.token(trip.payments[0]), "AppleOrder"),
                ("/orders/\(type)/..%2F..%2Fetc", own, "AppleOrder"),
            ]
            var answers: Set<JSON> = []
            for request in requests {
                let reply = try await stage.device(.get, request.path, token: request.token, scheme: request.scheme)
                #expect(reply.status == 401, "\(request) \(reply)")
                #expect(reply.header("WWW-Authenticate") == "AppleOrder")
                answers.insert(reply.json.with("request_id", nil))
            }
            for device in ["%2e%2e%2f", "a%20b", String(repeating: "d", count: 129), "%F0%9F%98%80"] {
                let path = "/devices/\(device)/registrations/\(type)/\(trip.order)"
                let reply = try await stage.device(.post, path, token: own, body: ["pushToken": "aa"])
                #expect(reply.status == 401, "\(device) \(reply)")
                answers.insert(reply.json.with("request_id", nil))
                let listed = try await stage.device(.get, "/devices/\(device)/registrations/\(type)")
                #expect(listed.status == 401, "\(device) \(listed)")
                answers.insert(listed.json.with("request_id", nil))
            }
            #expect(answers.count == 1, "\(answers)")
        }
    }

    @Test(
        "until they are forgotten; then the old token opens nothing, and the order names no package",
        arguments: DatabaseEngine.allCases
    )
    func forgotten(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            try await stage.api.listen()
            let checkout = try await stage.api.client("checkout")
            let token = try stage.wallet.token(TestApplePayment(amount: 30_000), signedAt: stage.api.clock.now())
            let placed = try await checkout.post(
                "/v1/orders",
                WalletStage.order([("airline", 30_000)], token: token),
                key: "one"
            )
            let order = try #require(placed.json["id"]?.stringValue, "\(placed)")
            func details() async throws -> JSON? {
                try await checkout.get("/v1/orders/\(order)").json.at("apple_pay/order_details")
            }
            #expect(try await details() != nil)
            #expect(try await stage.fetch(order).status == 200)
            let end = stage.api.clock.now().adding(milliseconds: 1)
            try await stage.api.database.write { session in
                _ = try RetainedTable.walletOrders.forget(before: end, limit: 10, in: session)
            }
            #expect(try await details() == nil)
            let (old, wrong) = (
                try await stage.fetch(order),
                try await stage.device(.get, "/orders/\(FollowedStage.type)/\(order)", token: "wrong-token-wrong")
            )
            #expect(old.status == 401)
            #expect(old.json.with("request_id", nil) == wrong.json.with("request_id", nil))
        }
    }

    @Test("once they have registered, whatever comes twice", arguments: DatabaseEngine.allCases)
    func registering(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let path = "/devices/dev-A/registrations/\(FollowedStage.type)/\(trip.order)"
            #expect(try await stage.register("dev-A", for: trip.order, pushToken: "aaaa").status == 201)
            #expect(try await stage.register("dev-A", for: trip.order, pushToken: "aaaa").status == 200)
            #expect(try await stage.register("dev-A", for: trip.order, pushToken: "bbbb").status == 200)
            let wrong = try await stage.device(.post, path, token: "nope-nope-nope-nope", body: ["pushToken": "cccc"])
            #expect(wrong.status == 401)
            let broken = try await stage.device(
                .post,
                path,
                token: try stage.token(trip.order),
                body: ["pushToken": "../../x"]
            )
            #expect(broken.status == 422)
            #expect(try await trip.ask("capture").status == 200)
            let pushes = try await stage.apple.pushes(1, moving: stage.api.clock)
            #expect(pushes.map(\.url) == ["https://api.push.apple.com/3/device/bbbb"])
            #expect(pushes[0].body == "{}")
            #expect(pushes[0].headers["apns-topic"] == FollowedStage.type)
            #expect(pushes[0].headers["apns-push-type"] == "background")
            #expect(pushes[0].headers["apns-priority"] == "5")
            for _ in 1...2 {
                let ended = try await stage.device(.delete, path, token: try stage.token(trip.order))
                #expect(ended.status == 200)
            }
            let listed = try await stage.device(.get, "/devices/dev-A/registrations/\(FollowedStage.type)")
            #expect(listed.status == 204)
        }
    }

    @Test("with what has changed since they asked", arguments: DatabaseEngine.allCases)
    func changes(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let first = try await OrderStage(stage.api, FollowedStage.trip)
            let second = try await OrderStage(stage.api, FollowedStage.trip, key: "second")
            for order in [first.order, second.order] {
                #expect(try await stage.register("dev-A", for: order).status == 201)
            }
            let path = "/devices/dev-A/registrations/\(FollowedStage.type)"
            func identifiers(_ reply: APIReply) -> Set<String> {
                Set((reply.json["orderIdentifiers"]?.arrayValue ?? []).compactMap(\.stringValue))
            }
            let all = try await stage.device(.get, path)
            #expect(all.status == 200)
            #expect(identifiers(all) == [first.order, second.order])
            let tag = try #require(all.json["lastModified"]?.stringValue)
            for name in ["ordersModifiedSince", "lastModified"] {
                let none = try await stage.device(.get, "\(path)?\(name)=\(tag)")
                #expect(none.status == 204)
                #expect(none.bytes.isEmpty)
            }
            #expect(try await second.ask("capture").status == 200)
            let changed = try await stage.device(.get, "\(path)?ordersModifiedSince=\(tag)")
            #expect(identifiers(changed) == [second.order], "\(changed)")
            #expect(changed.json["lastModified"]?.stringValue != tag)
            let garbage = try await stage.device(.get, "\(path)?ordersModifiedSince=garbage!")
            #expect(identifiers(garbage) == [first.order, second.order])
            let unknown = try await stage.device(.get, "/devices/unknown/registrations/\(FollowedStage.type)")
            #expect(unknown.status == 204)
            let otherType = try await stage.device(.get, "/devices/dev-A/registrations/order.com.example.other")
            #expect(otherType.status == 401)
        }
    }

    @Test("whose complaints are written down as far as they are short", arguments: [DatabaseEngine.sqlite])
    func log(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let red = try await stage.device(.post, "/log", body: ["logs": ["message \u{1B}[31mred"]])
            #expect(red.status == 200)
            let long = try await stage.device(
                .post,
                "/log",
                body: ["logs": [.string(String(repeating: "x", count: 1_000_000))]]
            )
            #expect(long.status == 413)
        }
    }

    @Test("by links that expire, also to the part of one merchant", arguments: DatabaseEngine.allCases)
    func links(_ engine: DatabaseEngine) async throws {
        try await FollowedStage.with(engine) { stage in
            let trip = try await OrderStage(stage.api, FollowedStage.trip)
            let whole = try await trip.client.post("/v1/orders/\(trip.order)/wallet-package-links", .object([]))
            #expect(whole.status == 201, "\(whole)")
            let url = try #require(whole.json["url"]?.stringValue)
            let prefix = "https://pay.travel.example"
            #expect(url.hasPrefix("\(prefix)/wallet-orders/links/"))
            let path = String(url.dropFirst(prefix.count))
            let loaded = try await stage.api.anonymous.get(path)
            #expect(loaded.status == 200)
            #expect(loaded.header("Cache-Control") == "no-store")
            #expect(loaded.bytes == (try await stage.fetch(trip.order)).bytes)
            let other = try await OrderStage(stage.api, FollowedStage.trip, key: "other")
            let slash = try #require(path.lastIndex(of: "/"))
            let proof = path[path.index(after: slash)...]
            let links = "/wallet-orders/links"
            let wrong = [
                String(path.dropLast()) + (path.hasSuffix("0") ? "1" : "0"),
                "\(links)/\(FollowedStage.type)/\(other.order)/\(proof)",
                "\(links)/\(FollowedStage.type)/\(trip.payments[0])/\(proof)",
                "\(links)/order.com.example.other/\(trip.order)/\(proof)",
                "\(links)/\(FollowedStage.type)/\(trip.order)/+\(proof)",
                "\(links)/\(FollowedStage.type)/\(trip.order)/99999999999.\(proof.drop { $0 != "." }.dropFirst())",
                "\(links)/\(FollowedStage.type)/\(trip.order)/\(try stage.token(trip.order))",
            ]
            var refusals: Set<JSON> = []
            for path in wrong {
                let refused = try await stage.api.anonymous.get(path)
                #expect(refused.status == 401, "\(path) \(refused)")
                refusals.insert(refused.json.with("request_id", nil))
            }
            let own = try await trip.client.post(
                "/v1/orders/\(trip.order)/wallet-package-links",
                ["payment": .string(trip.payments[0])]
            )
            #expect(own.status == 201, "\(own)")
            let part = try await stage.fetch(trip.payments[0])
            #expect(part.status == 200)
            #expect(part.bytes != loaded.bytes)
            let foreign = try await trip.client.post(
                "/v1/orders/\(trip.order)/wallet-package-links",
                ["payment": "pay_00000000000000000000000000"]
            )
            #expect(foreign.status == 404)
            stage.api.clock.advance(milliseconds: 601_000)
            let old = try await stage.api.anonymous.get(path)
            #expect(old.status == 401)
            #expect(refusals == [old.json.with("request_id", nil)])
        }
    }

    @Test("whose lines are written down without what moves text about, and not all of them")
    func harmless() {
        #expect(DeviceText.harmless("a\u{1B}[31m\r\nb\u{202E}c\u{2028}d\u{0}") == "a?[31m??b?c?d?")
        #expect(DeviceText.harmless(String(repeating: "e\u{301}", count: 400)).unicodeScalars.count == 500)
    }
}
