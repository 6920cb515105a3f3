import PSPSimulator
import StrictJSON
import Testing

@Suite("Square's dialect refunds", .serialized, .timeLimit(.minutes(10)))
struct SquareRefundTests {
    /// A payment that has been taken.
    private static func paid(
        _ driver: SquareDriver,
        _ token: String = "tok_approve",
        _ more: [JSON.Member] = []
    ) async throws -> String {
        let body = SquareDriver.payment("cnon:\(token)", capture: true, more)
        return try #require(try await driver.create(body).payment)
    }

    @Test("one at a time, once under a key")
    func pending() async throws {
        try await withSquare { driver, simulator in
            let id = try await Self.paid(driver, "tok_approve+refund_pending_60000")
            let reason = [JSON.Member("reason", "broken")]
            let body = SquareDriver.refund(id, amount: 300, reference: "op_1", reason)
            let first = try await driver.send("POST", "/v2/refunds", body)
            #expect(first.json?["refund"]?["status"] == "PENDING" && first.json?["refund"]?["reason"] == "broken")
            #expect(first.json?["refund"]?["payment_id"] == .string(id))
            #expect(try await driver.send("POST", "/v2/refunds", body).json == first.json)
            let other = SquareDriver.refund(id, amount: 1, reference: "op_2")
            #expect(try await driver.send("POST", "/v2/refunds", other).squareCode == "REFUND_ALREADY_PENDING")
            let changed = SquareDriver.refund(id, amount: 301, reference: "op_1", reason)
            #expect(try await driver.send("POST", "/v2/refunds", changed).squareCode == "IDEMPOTENCY_KEY_REUSED")
            #expect(try await simulator.settledOnly("shop").operations.count == 2)
        }
    }

    @Test("and answers before it is done")
    func completion() async throws {
        try await withSquare { driver, simulator in
            let id = try await Self.paid(driver)
            let body = SquareDriver.refund(id, amount: 300, reference: "op_1")
            let first = try await driver.send("POST", "/v2/refunds", body).json?["refund"]
            #expect(first?["status"] == "PENDING")
            try await simulator.finishWork("shop")
            let name = try #require(first?["id"]?.stringValue)
            #expect(try await driver.client.get("/v2/refunds/\(name)").json?["refund"]?["status"] == "COMPLETED")
            let payment = try await driver.client.get("/v2/payments/\(id)").squarePayment
            #expect(payment?["refunded_money"] == SquareDriver.money(300))
            #expect(payment?["refund_ids"] == [.string(name)] && payment?["status"] == "COMPLETED")
            #expect(try await driver.client.get("/v2/refunds/\(id)_R9").squareCode == "NOT_FOUND")
        }
    }

    @Test("listed by when they changed, not by when they were asked for")
    func listed() async throws {
        try await withSquare { driver, simulator in
            let id = try await Self.paid(driver)
            let body = SquareDriver.refund(id, amount: 300, reference: "op_1")
            let asked = try await driver.send("POST", "/v2/refunds", body).json?["refund"]
            let name = try #require(asked?["id"]?.stringValue)
            try await simulator.finishWork("shop")
            let refund = try await driver.client.get("/v2/refunds/\(name)").json?["refund"]
            let created = try #require(refund?["created_at"]?.stringValue)
            let updated = try #require(refund?["updated_at"]?.stringValue)
            #expect(created < updated)
            for (begin, count) in [(updated, 1), ("9999-01-01T00:00:00Z", 0)] {
                let path = "/v2/refunds?updated_at_begin_time=\(begin)"
                let found = try await driver.client.get(path).json?["refunds"]?.arrayValue ?? []
                #expect(found.compactMap { $0["id"]?.stringValue } == Array(repeating: name, count: count))
            }
        }
    }

    @Test(
        "nothing that Square refuses",
        arguments: [
            ([JSON.Member("amount_money", ["amount": 1001, "currency": "USD"])], "REFUND_AMOUNT_INVALID"),
            ([JSON.Member("amount_money", ["amount": 1, "currency": "EUR"])], "UNSUPPORTED_CURRENCY"),
            ([JSON.Member("amount_money", .null)], "MISSING_REQUIRED_PARAMETER"),
            ([JSON.Member("app_fee_money", ["amount": 1, "currency": "USD"])], "INVALID_FEES"),
            ([JSON.Member("payment_id", "1P1ZY")], "NOT_FOUND"),
            ([JSON.Member("payment_id", .null)], "MISSING_REQUIRED_PARAMETER"),
            ([JSON.Member("location_id", "L1")], "CONFLICTING_PARAMETERS"),
            ([JSON.Member("unlinked", true)], "UNSUPPORTED_SOURCE_TYPE"),
            ([JSON.Member("payment_version_token", "x")], "VERSION_MISMATCH"),
            ([JSON.Member("reason", .string(String(repeating: "r", count: 193)))], "VALUE_TOO_LONG"),
            ([JSON.Member("idempotency_key", .string(String(repeating: "k", count: 46)))], "VALUE_TOO_LONG"),
            ([JSON.Member("colour", "red")], "UNKNOWN_BODY_PARAMETER"),
        ]
    )
    func refusals(more: [JSON.Member], code: String) async throws {
        try await withSquare { driver, simulator in
            let id = try await Self.paid(driver)
            let body = SquareDriver.refund(id, amount: 100, reference: "op_1", more)
            let reply = try await driver.send("POST", "/v2/refunds", body)
            #expect(reply.squareCode == code && reply.status == (code == "NOT_FOUND" ? 404 : 400))
            #expect(try await simulator.settledOnly("shop").operations.count == 1)
        }
    }

    @Test("no payment that is not complete, and none that is disputed")
    func states() async throws {
        try await withSquare { driver, simulator in
            let held = try #require(try await driver.hold("tok_approve", reference: "att_2")?.payment)
            let early = try await driver.refund(held, amount: 1, reference: "op_1")
            #expect(early.word == .refused("REFUND_ERROR_PAYMENT_NEEDS_COMPLETION"))
            #expect(early.reply.json?["errors"]?[0]?["category"] == "REFUND_ERROR")
            let id = try await Self.paid(driver)
            _ = try await simulator.act(DashboardAction(.dispute, to: .reference("att_1")))
            let disputed = try await driver.refund(id, amount: 1, reference: "op_2")
            #expect(disputed.word == .refused("PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE"))
            _ = try await simulator.act(DashboardAction(.win, to: .reference("att_1")))
            #expect(try await driver.refund(id, amount: 1, reference: "op_3").word == .refunded)
        }
    }

    @Test("what the developer gives back of the fee, under a key that a payment may have as well")
    func fee() async throws {
        try await withSquare { driver, simulator in
            let id = try await Self.paid(
                driver,
                "tok_approve",
                [JSON.Member("app_fee_money", SquareDriver.money(100))]
            )
            let body = SquareDriver.refund(
                id,
                amount: 500,
                reference: "att_1",
                [JSON.Member("app_fee_money", SquareDriver.money(50))]
            )
            let refund = try await driver.send("POST", "/v2/refunds", body).json?["refund"]
            #expect(refund?["app_fee_money"] == SquareDriver.money(50))
            #expect(try await simulator.settledOnly("shop").operations[1].applicationFee == 50)
        }
    }

    @Test(
        "and says later that it came to nothing",
        arguments: [
            ("tok_approve+refund_decline_generic", "REJECTED"), ("tok_approve+refund_pending_fail_20", "REJECTED"),
            ("tok_approve+refund_fail_later_1", "FAILED"),
        ]
    )
    func failure(token: String, status: String) async throws {
        try await withSquare { driver, simulator in
            let id = try await Self.paid(driver, token)
            let body = SquareDriver.refund(id, amount: 500, reference: "op_1")
            let reply = try await driver.send("POST", "/v2/refunds", body)
            #expect(reply.json?["refund"]?["status"] == "PENDING")
            try await simulator.finishWork("shop")
            try await Task.sleep(for: .milliseconds(5))
            let name = try #require(reply.json?["refund"]?["id"]?.stringValue)
            #expect(try await driver.client.get("/v2/refunds/\(name)").json?["refund"]?["status"] == .string(status))
            let payment = try await driver.client.get("/v2/payments/\(id)").squarePayment
            #expect(payment?["refunded_money"] == nil && payment?["refund_ids"]?.arrayValue?.count == 1)
        }
    }
}
