import PSPSimulator
import StrictJSON
import Testing

@Suite("Checkout.com's dialect acts", .serialized, .timeLimit(.minutes(10)))
struct CheckoutActionTests {
    private static func status(_ payment: String, _ driver: CheckoutDriver) async throws -> String? {
        try await driver.send("GET", "/payments/\(payment)").json?["status"]?.stringValue
    }

    @Test("in several captures until one is final, and in several refunds")
    func partial() async throws {
        try await CheckoutPaymentTests.withCheckout { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            let open = [JSON.Member("capture_type", "NonFinal")]
            let first = try await driver.act("captures", payment, amount: 300, reference: "op_1", open)
            let second = try await driver.act("captures", payment, amount: 200, reference: "op_2", open)
            #expect([first, second].allSatisfy { $0.reply.status == 202 && $0.reply.json?["_links"] != nil })
            let tooMuch = try await driver.act("captures", payment, amount: 501, reference: "op_3")
            #expect(tooMuch.word == .refused("capture_value_greater_than_remaining_authorized"))
            let farTooMuch = try await driver.act("captures", payment, amount: 1001, reference: "op_3")
            #expect(farTooMuch.word == .refused("capture_value_greater_than_authorized"))
            try await simulator.finishWork("shop")
            #expect(try await Self.status(payment, driver) == "Partially Captured")
            _ = try await driver.capture(payment, amount: 100, reference: "op_4")
            try await simulator.finishWork("shop")
            #expect(try await driver.capture(payment, amount: 1, reference: "op_5").word == .refused("403"))
            #expect(try await driver.void(payment, reference: "op_6").word == .refused("403"))
            #expect(
                try await driver.refund(payment, amount: 601, reference: "op_7").word
                    == .refused("refund_amount_exceeds_balance")
            )
            _ = try await driver.refund(payment, amount: 250, reference: "op_8")
            try await simulator.finishWork("shop")
            #expect(try await Self.status(payment, driver) == "Partially Refunded")
            let found = try await driver.send("GET", "/payments/\(payment)").json
            let balances = ["total_voided", "total_captured", "available_to_capture", "available_to_refund"]
            #expect(balances.map { found?["balances"]?[$0] } == [400, 600, 0, 350])
            let actions = try await driver.send("GET", "/payments/\(payment)/actions").json?.arrayValue ?? []
            #expect(
                actions.map { $0["type"]?.stringValue }
                    == ["Refund", "Capture", "Capture", "Capture", "Authorization"]
            )
            #expect(actions.map { $0["reference"] } == ["op_8", "op_4", "op_2", "op_1", "att_1"])
            #expect(actions[3]["id"] == first.reply.json?["action_id"])
        }
    }

    @Test("and answers Authorized to a payment that is captured at once")
    func sale() async throws {
        try await CheckoutPaymentTests.withCheckout { driver, _ in
            let token = TwinCredential.token("tok_approve")
            let taken = try await driver.place(token, reference: "att_1", amount: 1000, capture: true)
            let answer = try #require(taken?.reply.json)
            #expect(answer["status"] == "Authorized" && answer["balances"]?["available_to_capture"] == 1000)
            let payment = try #require(taken?.payment)
            let found = try await driver.send("GET", "/payments/\(payment)").json
            #expect(found?["status"] == "Captured" && found?["balances"]?["available_to_refund"] == 1000)
            let actions = found?["actions"]?.arrayValue ?? []
            #expect(actions.map { $0["type"] } == ["Capture", "Authorization"])
            #expect(actions[1]["id"] == answer["action_id"] && actions[0]["id"] != answer["action_id"])
        }
    }

    @Test("by whatever undoes a payment, and says so if it is undone")
    func reversals() async throws {
        try await CheckoutPaymentTests.withCheckout { driver, simulator in
            let held = try #require(try await driver.hold("tok_approve", reference: "att_1")?.payment)
            let taken = try #require(try await driver.hold("tok_captured", reference: "att_2")?.payment)
            for payment in [held, taken] {
                let first = try await driver.act("reversals", payment, reference: "op_1")
                #expect(first.reply.status == 202)
                try await simulator.finishWork("shop")
                let again = try await driver.act("reversals", payment, reference: "op_1")
                #expect(again.reply.status == 200 && again.reply.json?["action_id"] == first.reply.json?["action_id"])
            }
            #expect(try await Self.status(held, driver) == "Voided")
            #expect(try await Self.status(taken, driver) == "Refunded")
            let declined = try #require(try await driver.hold("tok_decline_generic", reference: "att_3")?.payment)
            #expect(try await driver.act("reversals", declined, reference: "op_2").word == .refused("403"))
        }
    }

    @Test("once under an idempotency key, which a reversal does not know")
    func idempotency() async throws {
        try await CheckoutPaymentTests.withCheckout { driver, simulator in
            let declined = try #require(try await driver.hold("tok_decline_generic", reference: "att_1"))
            let again = try #require(try await driver.hold("tok_decline_generic", reference: "att_1"))
            #expect(again.reply.json?["id"] == declined.reply.json?["id"] && again.reply.status == 201)
            let payment = try #require(try await driver.hold("tok_captured", reference: "att_2")?.payment)
            let refused = try await driver.refund(payment, amount: 1001, reference: "op_1")
            #expect(refused.isRefused)
            let first = try await driver.refund(payment, amount: 400, reference: "op_1")
            let second = try await driver.refund(payment, amount: 400, reference: "op_1")
            #expect(first.reply.json?["action_id"] == second.reply.json?["action_id"])
            #expect(try await driver.refund(payment, amount: 401, reference: "op_1").reply.status == 409)
            _ = try await driver.act("reversals", payment, reference: "op_1")
            let books = await simulator.settled("shop")
            #expect(books.map(\.refunded) == [0, 1000] && books[1].operations.map(\.amount) == [1000, 400, 600])
        }
    }

    @Test("on a part of a shared payment with its shares only, and keeps what is the platform's")
    func shares() async throws {
        let shares: @Sendable (Int64, Int64) -> JSON.Member = { amount, commission in
            JSON.Member(
                "amount_allocations",
                [
                    [
                        "id": "ent_w4jelhppmfiufdnatam37wrfc4", "amount": .integer(amount), "reference": "seller",
                        "commission": ["amount": .integer(commission)],
                    ]
                ]
            )
        }
        try await CheckoutPaymentTests.withCheckout { driver, simulator in
            let body = CheckoutDriver.payment(CheckoutDriver.token("tok_approve"), [shares(1000, 70)])
            let held = try await driver.send("POST", "/payments", key: "a", body).json
            let payment = try #require(held?["id"]?.stringValue)
            let bare = try await driver.capture(payment, amount: 500, reference: "op_1")
            #expect(bare.word == .refused("amount_allocations_required"))
            let wrong = try await driver.act("captures", payment, amount: 500, reference: "op_1", [shares(499, 30)])
            #expect(wrong.word == .refused("amount_allocations_invalid"))
            let part = try await driver.act("captures", payment, amount: 500, reference: "op_1", [shares(500, 35)])
            #expect(part.word == .pending)
            let books = try await simulator.settledOnly("shop")
            #expect(books.command.applicationFee == 70 && books.operations.map(\.applicationFee) == [70, 35])
            let found = try await driver.send("GET", "/payments/\(payment)").json
            #expect(found?["amount_allocations"]?[0]?["commission"] == ["amount": 70])
        }
    }

    @Test("on payments of the account alone, under their own names")
    func strangers() async throws {
        try await CheckoutPaymentTests.withCheckout { driver, _ in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            var other = driver
            other.secretKey = "sk_sbox_key_other"
            #expect(try await other.capture(payment, amount: 1, reference: "op_1").word == .refused("404"))
            #expect(try await other.send("GET", "/payments/\(payment)").status == 404)
            let padded = "\(payment.prefix(5))z\(payment.dropFirst(6))"
            let wrong = ["pay_1", payment.uppercased(), "\(payment.dropLast())1", "act\(payment.dropFirst(3))", padded]
            for name in wrong {
                #expect(try await driver.send("GET", "/payments/\(name)").status == 404, "\(name)")
            }
            let bare = try await driver.send("POST", "/payments/\(payment)/captures", key: "op_2")
            #expect(bare.status == 202 && bare.json?["reference"] == nil)
        }
    }
}
