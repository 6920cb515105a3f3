import PSPSimulator
import StrictJSON
import Testing

@Suite("Square's dialect lists", .serialized, .timeLimit(.minutes(10)))
struct SquareListTests {
    private static func references(_ driver: SquareDriver, _ query: String) async throws -> [String] {
        let reply = try await driver.client.get("/v2/payments?\(query)")
        return (reply.json?["payments"]?.arrayValue ?? []).compactMap { $0["reference_id"]?.stringValue }
    }

    @Test("payments of a location, the newest first, in parts")
    func payments() async throws {
        try await withSquare { driver, _ in
            #expect(try await driver.client.get("/v2/payments").json == .object([]))
            for number in 1...4 {
                let location = [JSON.Member("location_id", .string(number == 3 ? "L2" : "L1"))]
                let body = SquareDriver.payment(
                    "cnon:tok_approve",
                    reference: "att_\(number)",
                    amount: Int64(100 * number),
                    location
                )
                _ = try await driver.create(body)
            }
            #expect(try await Self.references(driver, "") == ["att_4", "att_2", "att_1"])
            #expect(try await Self.references(driver, "location_id=L2") == ["att_3"])
            #expect(try await Self.references(driver, "sort_order=ASC&limit=500") == ["att_1", "att_2", "att_4"])
            #expect(try await Self.references(driver, "total=200") == ["att_2"])
            #expect(try await Self.references(driver, "card_brand=MASTERCARD").isEmpty)
            #expect(try await Self.references(driver, "end_time=2026-01-01T00:00:00Z").isEmpty)
            #expect(try await Self.references(driver, "last_4=4242&begin_time=2026-01-01T00:00:00%2B02:00").count == 3)
            let all = try await driver.client.get("/v2/payments").json?["payments"]?.arrayValue ?? []
            let newest = try #require(all.first?["created_at"]?.stringValue)
            let oldest = try #require(all.last?["created_at"]?.stringValue)
            #expect(try await Self.references(driver, "begin_time=\(newest)").first == "att_4")
            #expect(try await Self.references(driver, "end_time=\(oldest)").last == "att_1")
            #expect(try await Self.references(driver, "begin_time=9999-01-01T00:00:00Z").isEmpty)
            let first = try await driver.client.get("/v2/payments?limit=2")
            let cursor = try #require(first.json?["cursor"]?.stringValue)
            #expect(try await Self.references(driver, "limit=2&cursor=\(cursor)") == ["att_1"])
        }
    }

    @Test(
        "nothing that is asked for wrongly",
        arguments: [
            ("colour=red", "UNKNOWN_QUERY_PARAMETER"), ("begin_time=yesterday", "INVALID_TIME"),
            ("sort_order=UP", "INVALID_SORT_ORDER"), ("limit=0", "VALUE_TOO_LOW"), ("limit=x", "EXPECTED_INTEGER"),
            ("cursor=x", "INVALID_CURSOR"), ("total=x", "EXPECTED_INTEGER"),
            ("begin_time=2026-02-01T00:00:00Z&end_time=2026-01-01T00:00:00Z", "INVALID_TIME_RANGE"),
        ]
    )
    func refusals(query: String, code: String) async throws {
        try await withSquare { driver, _ in
            let reply = try await driver.client.get("/v2/payments?\(query)")
            #expect(reply.status == 400 && reply.squareCode == code)
        }
    }

    @Test("refunds by their status, and disputes by their state")
    func others() async throws {
        try await withSquare { driver, simulator in
            let token = TwinCredential.token("tok_approve")
            let id = try #require(
                try await driver.place(token, reference: "att_1", amount: 1000, capture: true)?.payment
            )
            #expect(try await driver.refund(id, amount: 100, reference: "op_1").word == .refunded)
            let refunds = try await driver.client.get("/v2/refunds?status=COMPLETED&location_id=L1")
            #expect(refunds.json?["refunds"]?.arrayValue?.count == 1)
            #expect(try await driver.client.get("/v2/refunds?status=PENDING").json == .object([]))
            var dispute = DashboardAction(.dispute, to: .reference("att_1"))
            dispute.reason = "not_received"
            _ = try await simulator.act(dispute)
            let open = try await driver.client.get("/v2/disputes?states=EVIDENCE_REQUIRED&location_id=L1")
            let found = try #require(open.json?["disputes"]?[0])
            #expect(found["reason"] == "NOT_RECEIVED" && found["amount_money"] == SquareDriver.money(900))
            #expect(found["disputed_payment"]?["payment_id"] == .string(id))
            let name = try #require(found["id"]?.stringValue)
            #expect(try await driver.client.get("/v2/disputes/\(name)").json?["dispute"] == found)
            #expect(try await driver.client.get("/v2/disputes?states=WON").json == .object([]))
        }
    }
}
