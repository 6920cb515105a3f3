import PSPSimulator
import StrictJSON
import Testing

@Suite("Worldpay's dialect finds and divides", .serialized, .timeLimit(.minutes(10)))
struct WorldpayQueryTests {
    private static func withWorldpay(_ body: (WorldpayDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .worldpay) { simulator, client in
            try await body(WorldpayDriver(client), simulator)
        }
    }

    /// The names of a payment's events, and the command of the last.
    private static func events(_ driver: WorldpayDriver, _ payment: String) async throws -> (names: [String], JSON) {
        let reply = try await driver.query("/" + payment)
        let json = try #require(reply.json)
        driver.links.remember(json, of: payment)
        let events = json["events"]?.arrayValue ?? []
        return (events.compactMap { $0["eventName"]?.stringValue }, try #require(events.last))
    }

    @Test("a payment whose answer was lost, with links that go on from there", arguments: [true, false])
    func recovery(refunds: Bool) async throws {
        try await Self.withWorldpay { driver, simulator in
            _ = try await driver.hold("tok_timeout_after")
            let payment = try #require(try await driver.find(reference: "att_1")?.payment)
            let begun = try await Self.events(driver, payment)
            #expect(begun.names == ["authorizationRequested", "authorizationSucceeded"])
            guard refunds else {
                #expect(try await driver.followCard("cardPayments:reverse", payment).status == 202)
                #expect(try await simulator.settledOnly("shop").status == .voided)
                return
            }
            let sequence = JSON.Member("sequence", ["number": 1, "total": 1])
            let body = WorldpayDriver.part(600, "op-1", [sequence])
            let settled = try await driver.followCard("cardPayments:partialSettle", payment, body)
            #expect(settled.status == 202 && settled.json?["paymentId"]?.stringValue == payment)
            try await simulator.finishWork("shop")
            let (names, _) = try await Self.events(driver, payment)
            #expect(names.suffix(2) == ["settlementRequested", "settlementRequestSubmitted"])
            let json = try await driver.followCard("cardPayments:refund", payment, type: "application/json")
            #expect(json.status == 415)
            #expect(try await driver.followCard("cardPayments:refund", payment).status == 202)
            try await simulator.finishWork("shop")
            let last = try await driver.followCard("cardPayments:events", payment, method: "GET")
            #expect(last.json?["lastEvent"] == "Sent for Refund")
            #expect(try await simulator.settledOnly("shop").refunded == 600)
        }
    }

    @Test("the payments of a time, page by page")
    func pages() async throws {
        try await Self.withWorldpay { driver, _ in
            for number in 1...3 { _ = try await driver.hold("tok_approve", reference: "att_\(number)") }
            _ = try await driver.hold("tok_decline_suspected_fraud", reference: "att_4")
            let time = "startDate=2020-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z"
            let first = try await driver.query("?\(time)&pageSize=2&currency=USD&entityReferences=default")
            #expect(Self.references(first) == ["att_3", "att_2"])
            let next = try #require(first.json?["_links"]?["next"]?["href"]?.stringValue)
            let second = try await driver.query(String(next.drop { $0 != "?" }))
            #expect(Self.references(second) == ["att_1"] && second.json?["_links"]?["next"] == nil)
            #expect(Self.references(try await driver.query("?\(time)&currency=EUR")).isEmpty)
            #expect(try await driver.query("?\(time)&pageSize=301").json?["errorName"] == "invalidPageSize")
            #expect(try await driver.query("?pageSize=2").status == 400)
            let unknown = try await driver.query("/payI-dUcet9fk4_X4qZU0hpU0")
            #expect(unknown.status == 404 && unknown.json?["errorName"] == "paymentNotFound")
        }
    }

    private static func references(_ reply: RawReply) -> [String] {
        (reply.json?["_embedded"]?["payments"]?.arrayValue ?? [])
            .compactMap { $0["transactionReference"]?.stringValue }
    }

    private static func split(_ command: String, _ amounts: [Int64], total: Int64 = 1000) -> JSON {
        let items = amounts.enumerated().map { number, amount -> JSON in
            [
                "itemReference": .string("item_\(number)"), "partyReference": "party", "amount": .integer(amount),
                "deductions": [["type": "commission", "value": ["type": "percentage", "amount": 250]]],
            ]
        }
        return [
            "reference": "split_1", "merchant": ["entity": "default"], "lineItems": .array(items),
            "value": ["currency": "USD", "totalAmount": .integer(total)],
            "fulfillment": ["auto": false, "paymentCommandId": .string(command)],
        ]
    }

    @Test("a payment among parties, if the sums are right and once")
    func splits() async throws {
        try await Self.withWorldpay { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            let command = try #require(try await Self.events(driver, payment).1["commandId"]?.stringValue)
            var splitter = driver
            splitter.version = "2025-06-25"
            let wrong = try await splitter.post("/splitPayments", Self.split(command, [900, 99]))
            #expect(wrong.status == 400 && wrong.json?["validationErrors"]?[0]?["jsonPath"] == "$.value.totalAmount")
            let other = try await splitter.post("/splitPayments", Self.split(command, [900, 99], total: 999))
            #expect(other.status == 422)
            let made = try await splitter.post("/splitPayments", Self.split(command, [900, 100]))
            #expect(made.status == 201)
            let name = try #require(made.json?["splitPaymentId"]?.stringValue)
            let item = try #require(made.json?["lineItems"]?[1]?["itemId"]?.stringValue)
            let first = try #require(made.json?["lineItems"]?[0]?["itemId"]?.stringValue)
            #expect([name, item].allSatisfy { $0.utf8.count == 25 && $0.hasSuffix("0") })
            #expect(try await splitter.post("/splitPayments", Self.split(command, [1000])).status == 422)
            _ = try await driver.follow("settlePayment", payment)
            try await simulator.finishWork("shop")
            let settled = try await Self.events(driver, payment).1["commandId"]?.stringValue
            let all = "/splitPayments/\(name)/fulfillments"
            let one = "/splitPayments/\(name)/items/\(item)/fulfillments"
            let steps: [(path: String, id: String?, type: String, status: Int)] = [
                (one, settled, "refund", 422), (all, command, "settle", 422), (one, settled, "settle", 201),
                (one, settled, "settle", 422), (all, settled, "settle", 422),
                (one.exchanging(item, with: name), settled, "settle", 404),
                (one.exchanging(item, with: first), settled, "settle", 201),
                (one.exchanging(item, with: first), settled, "refund", 422),
            ]
            for step in steps {
                let body: JSON = [
                    "paymentCommandId": .string(step.id ?? ""), "transactionType": .string(step.type),
                ]
                #expect(try await splitter.post(step.path, body).status == step.status, "\(step)")
            }
            #expect(try await driver.post("/splitPayments", Self.split(command, [1000])).status == 406)
        }
    }
}

extension String {
    /// The text with one of its parts exchanged.
    fileprivate func exchanging(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound] + other + self[range.upperBound...])
    }
}
