import HTTPTransport
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Merchants of one order", .timeLimit(.minutes(10)))
struct TenantTests {
    @Test("hear and read of their own, and nothing of each other", arguments: DatabaseEngine.allCases)
    func apart(_ engine: DatabaseEngine) async throws {
        try await Hooks.with(engine) { place, psp in
            let market = try await SharedOrder.Market(place, psp: psp)
            try await place.whileServing { url in
                let order = try await market.order(at: url)
                try await market.pay()
                let agency = try await Hooks.lines(9, of: market.agency)
                let airline = try await Hooks.lines(3, of: market.airline)
                let hotel = try await Hooks.lines(2, of: market.hotel)
                #expect((agency + airline + hotel).allSatisfy { $0["verified"] == true })
                let types = ["payment.captured", "payout.failed", "payout.paid"]
                #expect(airline.compactMap { $0["body"]?["type"]?.stringValue }.sorted() == types)
                #expect(hotel.compactMap { $0["body"]?["type"]?.stringValue }.sorted() == [types[0], types[2]])
                let known = [order.known(of: 0), order.known(of: 1)]
                for (own, lines) in [airline, hotel].enumerated() {
                    for line in lines {
                        let body = try #require(line["body"])
                        #expect(known[1 - own].mentioned(in: body) == [], "\(body)")
                        #expect(known[own].mentioned(in: body) != [])
                    }
                }
                try await Self.read(order, known, by: place, at: url)
                try await Self.readFromElsewhere(order, place, psp, at: url)
            }
            await market.stop()
        }
    }

    /// What the airline's key may read, and that the hotel's is to it like what is not there.
    private static func read(
        _ order: SharedOrder,
        _ known: [SharedOrder.Known],
        by place: Workplace,
        at url: String
    ) async throws {
        let key = try await Self.key(place, "merchant:airline-1")
        let statement = "statement?currency=USD"
        for path in ["payments/\(order.payments[0])", "merchants/airline-1", "merchants/airline-1/\(statement)"] {
            let reply = try await get(url, path, key)
            #expect(reply.status == 200, "\(path)")
            #expect(known[1].mentioned(in: reply.body) == [], "\(path)")
        }
        let hidden = [
            ("payments/\(order.payments[1])", "payments/pay_\(nobody)"), ("merchants/hotel-7", "merchants/hotel-8"),
            ("merchants/\(order.merchants[1])", "merchants/mer_\(nobody)"),
            ("merchants/hotel-7/\(statement)", "merchants/hotel-8/\(statement)"),
            ("merchants/\(order.merchants[1])/\(statement)", "merchants/mer_\(nobody)/\(statement)"),
        ]
        for (path, other) in hidden {
            let (reply, unknown) = (try await get(url, path, key), try await get(url, other, key))
            #expect(reply.status == 404 && reply == unknown, "\(path): \(reply)")
        }
        // Whole orders are nobody's but the marketplace's: a merchant's key learns not even whether there is one.
        for (path, other) in order.wholes(besides: nobody) {
            let (reply, unknown) = (try await get(url, path, key), try await get(url, other, key))
            #expect(reply.status == 403 && reply == unknown, "\(path): \(reply)")
            #expect(known[1].mentioned(in: reply.body) == [])
        }
        #expect(try await get(url, "orders", key).status == 403)
        for action in ["capture", "cancel", "refunds"] {
            let replies = try await [order.id, "ord_\(nobody)"].asyncMap { id in
                try await post(url, "orders/\(id)/\(action)", key)
            }
            #expect(replies[0].status == 403 && replies[0] == replies[1], "\(action): \(replies)")
        }
    }

    /// Another marketplace's key finds nothing of all this.
    private static func readFromElsewhere(
        _ order: SharedOrder,
        _ place: Workplace,
        _ psp: String,
        at url: String
    ) async throws {
        var file = MarketplaceFile()
        file.baseURL = psp
        let text = file.text.replacing("id: travel", with: "id: other").replacing("hotel-7", with: "motel-6")
        try place.write(text, to: "other.yaml")
        _ = try await place.json("apply", "other.yaml")
        let key = try await Self.key(place, "operator", "--scope", "checkout", "--marketplace", "other")
        let statement = "statement?currency=USD"
        let hidden =
            order.wholes(besides: nobody)
            + [
                ("payments/\(order.payments[0])", "payments/pay_\(nobody)"),
                ("merchants/hotel-7", "merchants/hotel-8"),
                ("merchants/\(order.merchants[0])", "merchants/mer_\(nobody)"),
                ("merchants/\(order.merchants[0])/\(statement)", "merchants/mer_\(nobody)/\(statement)"),
            ]
        for (path, other) in hidden {
            let (reply, unknown) = (try await get(url, path, key), try await get(url, other, key))
            #expect(reply.status == 404 && reply == unknown, "\(path): \(reply)")
        }
        #expect(try await get(url, "orders", key).body["data"] == [])
        let own = try await get(url, "merchants/airline-1/\(statement)", key)
        #expect(own.status == 200)
        #expect((own.body["balance"]?["closing"], own.body["lines"]?["data"]) == (0, []))
        for action in ["capture", "cancel", "refunds"] {
            let body: JSON = action == "refunds" ? ["amount": 1, "allocate": "proportional"] : .object([])
            let replies = try await [order.id, "ord_\(nobody)"].asyncMap { id in
                try await post(url, "orders/\(id)/\(action)", key, body)
            }
            #expect(replies[0].status == 404 && replies[0] == replies[1], "\(action): \(replies)")
        }
    }

    /// An identifier that nothing has, behind its prefix.
    private static let nobody = "00000000000000000000000000"

    /// An answer without what names the request.
    private struct Reply: Hashable {
        let status: Int
        let body: JSON
    }

    private static func get(_ url: String, _ path: String, _ key: String) async throws -> Reply {
        try Self.reply(await HTTPCall(.get, "\(url)/v1/\(path)", key: key).reply())
    }

    private static func post(
        _ url: String,
        _ path: String,
        _ key: String,
        _ body: JSON = .object([])
    ) async throws -> Reply {
        let call = HTTPCall(.post, "\(url)/v1/\(path)", key: key).sending(body, idempotencyKey: "k-\(path)")
        return try Self.reply(await call.reply())
    }

    private static func reply(_ reply: HTTPReply) throws -> Reply {
        Reply(status: reply.status, body: try JSON.parse(reply.body).with("request_id", nil))
    }

    private static func key(_ place: Workplace, _ scope: String, _ more: String...) async throws -> String {
        let made = try await place.json(["keys", "create", "--scope", scope] + more)
        return try #require(made["key"]?.stringValue)
    }
}

extension [String] {
    fileprivate func asyncMap<Value>(_ body: (String) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
