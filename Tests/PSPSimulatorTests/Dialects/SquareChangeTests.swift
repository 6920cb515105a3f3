import PSPSimulator
import StrictJSON
import Testing

@Suite("Square's dialect changes payments", .serialized, .timeLimit(.minutes(10)))
struct SquareChangeTests {
    @Test("down and up to what was approved, under a key, and takes the amount that it was changed to")
    func update() async throws {
        try await withSquare { driver, simulator in
            let held = try #require(try await driver.hold("tok_approve"))
            let id = try #require(held.payment)
            let first = held.reply.squarePayment?["version_token"]
            #expect(held.reply.squarePayment?["capabilities"]?.arrayValue?.contains("EDIT_AMOUNT_DOWN") == true)
            #expect(try await driver.update(id, to: 1001, key: "op_1").squareCode == "AMOUNT_TOO_HIGH")
            let lower = try await driver.update(id, to: 300, key: "op_2", version: first?.stringValue)
            #expect(lower.squarePayment?["amount_money"] == SquareDriver.money(300))
            #expect(lower.squarePayment?["approved_money"] == SquareDriver.money(1000))
            #expect(lower.squarePayment?["version_token"] != first)
            let again = try await driver.update(id, to: 300, key: "op_2", version: first?.stringValue)
            #expect(again.json == lower.json)
            let other = try await driver.update(id, to: 301, key: "op_2", version: first?.stringValue)
            #expect(other.squareCode == "IDEMPOTENCY_KEY_REUSED")
            let stale = try await driver.update(id, to: 500, key: "op_3", version: first?.stringValue)
            #expect(stale.squareCode == "VERSION_MISMATCH")
            #expect(try await driver.update(id, to: 600, key: "op_3").status == 200)
            let body: JSON = ["version_token": .optional(lower.squarePayment?["version_token"])]
            let late = try await driver.send("POST", "/v2/payments/\(id)/complete", body)
            #expect(late.status == 400 && late.squareCode == "VERSION_MISMATCH")
            let done = try await driver.send("POST", "/v2/payments/\(id)/complete", nil)
            #expect(done.squarePayment?["status"] == "COMPLETED")
            #expect(done.squarePayment?["total_money"] == SquareDriver.money(600))
            #expect(done.squarePayment?["card_details"]?["status"] == "CAPTURED")
            let books = try await simulator.settledOnly("shop")
            #expect([books.captured, books.voided] == [600, 400] && books.operations[1].reference == "key-op_3")
            #expect(try await driver.update(id, to: 500, key: "op_4").squareCode == "DELAYED_TRANSACTION_CAPTURED")
            #expect(try await driver.client.get("/v2/payments/\(id)").json == done.json)
        }
    }

    @Test("with their tip and fee, and refuses a fee that has become too much")
    func shares() async throws {
        try await withSquare { driver, simulator in
            let fee = [
                JSON.Member("app_fee_money", SquareDriver.money(500)),
                JSON.Member("tip_money", SquareDriver.money(100)),
            ]
            let id = try #require(try await driver.create(SquareDriver.payment("cnon:tok_approve", fee)).payment)
            #expect(try await driver.update(id, to: 400, key: "op_1").squareCode == "INVALID_FEES")
            let changed: JSON = [
                "amount_money": SquareDriver.money(400), "tip_money": .null, "app_fee_money": SquareDriver.money(200),
            ]
            let body: JSON = ["idempotency_key": "key-op_2", "payment": changed]
            let reply = try await driver.send("PUT", "/v2/payments/\(id)", body)
            #expect(reply.squarePayment?["total_money"] == SquareDriver.money(400))
            #expect(reply.squarePayment?["tip_money"] == nil)
            let done = try await driver.send("POST", "/v2/payments/\(id)/complete", nil)
            #expect(done.squarePayment?["app_fee_money"] == SquareDriver.money(200))
            #expect(try await simulator.settledOnly("shop").operations[1].applicationFee == 200)
        }
    }

    @Test("and says why a state does not allow something")
    func states() async throws {
        try await withSquare { driver, _ in
            let paid = try await driver.place(.token("tok_approve"), reference: "att_1", amount: 1000, capture: true)
            let taken = try #require(paid?.payment)
            #expect(try await driver.void(taken, reference: "op_1").word == .refused("DELAYED_TRANSACTION_CAPTURED"))
            let canceled = try #require(try await driver.hold("tok_approve", reference: "att_2")?.payment)
            #expect(try await driver.void(canceled, reference: "op_2").word == .voided)
            #expect(try await driver.void(canceled, reference: "op_3").word == .refused("DELAYED_TRANSACTION_CANCELED"))
            let lapsed = try #require(try await driver.hold("tok_lapse_1", reference: "att_3")?.payment)
            try await Task.sleep(for: .milliseconds(5))
            let late = try await driver.send("POST", "/v2/payments/\(lapsed)/complete", nil)
            #expect(late.squareCode == "DELAYED_TRANSACTION_EXPIRED")
            #expect(try await driver.client.get("/v2/payments/\(lapsed)").squarePayment?["status"] == "CANCELED")
            let pending = try #require(try await driver.hold("tok_pending_60000", reference: "att_4")?.payment)
            #expect(try await driver.void(pending, reference: "op_4").word == .refused("BAD_REQUEST"))
            #expect(try await driver.void("1P1ZY", reference: "op_5").word == .nothing)
            var stranger = driver
            stranger.client.key = "EAAAl_key_other"
            #expect(try await stranger.void(taken, reference: "op_6").word == .nothing)
        }
    }

    @Test("and cancels by the key of a payment, whether there is one or not")
    func cancelByKey() async throws {
        try await withSquare { driver, simulator in
            _ = try await driver.hold("tok_timeout_after", reference: "att_1")
            _ = try await driver.hold("tok_decline_generic", reference: "att_2")
            _ = try await driver.hold("tok_pending_60000", reference: "att_3")
            for reference in ["att_1", "att_1", "att_2", "att_3", "att_4"] {
                let body: JSON = ["idempotency_key": .string("key-\(reference)")]
                let reply = try await driver.send("POST", "/v2/payments/cancel", body)
                #expect(reply.status == 200 && reply.json == .object([]))
            }
            #expect(await simulator.settled("shop").map(\.status) == [.voided, .declined, .canceled])
            _ = try await driver.hold("tok_captured", reference: "att_5")
            let late = try await driver.send("POST", "/v2/payments/cancel", ["idempotency_key": "key-att_5"])
            #expect(late.squareCode == "DELAYED_TRANSACTION_CAPTURED")
        }
    }

    @Test("and declines a completion, which can be asked for again")
    func declinedCompletion() async throws {
        try await withSquare { driver, simulator in
            let id = try #require(try await driver.hold("tok_approve+capture_decline_generic")?.payment)
            let answer = try await driver.capture(id, amount: 1000, reference: "op_1")
            #expect(answer.word == .declined("GENERIC_DECLINE"))
            #expect(try await simulator.settledOnly("shop").held == 1000)
        }
    }
}
