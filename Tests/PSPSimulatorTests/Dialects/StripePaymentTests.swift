import PSPSimulator
import StrictJSON
import Testing

@Suite("Stripe's dialect", .serialized, .timeLimit(.minutes(10)))
struct StripePaymentTests {
    private static func withStripe(_ body: (StripeDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .stripe) { simulator, client in
            try await body(StripeDriver(client), simulator)
        }
    }

    @Test(
        "declines as Stripe does",
        arguments: [
            ("insufficient_funds", "card_declined", "insufficient_funds"),
            ("expired_card", "expired_card", "expired_card"),
            ("invalid_card", "incorrect_number", "incorrect_number"),
            ("lost_or_stolen", "card_declined", "lost_card"), ("suspected_fraud", "card_declined", "fraudulent"),
            ("authentication_required", "authentication_required", "authentication_required"),
            ("not_permitted", "card_declined", "transaction_not_allowed"),
            ("limit_exceeded", "card_declined", "card_velocity_exceeded"),
            ("temporary", "card_declined", "try_again_later"), ("generic", "card_declined", "generic_decline"),
        ]
    )
    func declines(trigger: String, code: String, declineCode: String) async throws {
        try await Self.withStripe { driver, _ in
            let reply = try #require(try await driver.hold("tok_decline_\(trigger)")).reply
            #expect(reply.status == 402)
            let error = try #require(reply.json?["error"])
            #expect(error["type"] == "card_error" && error["code"] == .string(code))
            #expect(error["decline_code"] == .string(declineCode))
            let payment = try #require(error["payment_intent"])
            #expect(payment["status"] == "requires_payment_method")
            #expect(payment["last_payment_error"]?["decline_code"] == .string(declineCode))
        }
    }

    @Test(
        "refuses what Stripe refuses",
        arguments: [
            ([("capture_method", "later")], 400, nil), ([("amount", "0")], 400, "parameter_invalid_integer"),
            ([("amount", "1.5")], 400, "parameter_invalid_integer"), ([("currency", "USD")], 400, nil),
            ([("colour", "red")], 400, "parameter_unknown"), ([("application_fee_amount", "1")], 400, nil),
            ([("payment_method_data[card][token]", "tok_nonsense")], 400, "resource_missing"),
            ([("payment_method", "tok_visa")], 400, "resource_missing"),
            ([("payment_method_data[card][token]", "tok_reject_configuration")], 403, "account_invalid"),
        ] as [([(String, String)], Int, String?)]
    )
    func refusals(fields: [(String, String)], status: Int, code: String?) async throws {
        try await Self.withStripe { driver, simulator in
            let names = Set(fields.map(\.0))
            let usual = StripeDriver.fields("att_1", 1000, capture: false) + StripeDriver.token("tok_visa")
            let reply = try await driver.post(
                "/v1/payment_intents",
                key: nil,
                usual.filter { !names.contains($0.0) } + fields
            )
            #expect(reply.status == status)
            #expect(reply.json?["error"]?["type"] == "invalid_request_error")
            #expect(reply.json?["error"]?["code"]?.stringValue == code)
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("wants a page to return to unless nothing can lead away")
    func returnURL() async throws {
        try await Self.withStripe { driver, _ in
            let usual = StripeDriver.fields("att_1", 1000, capture: false) + StripeDriver.token("tok_action")
            let open = usual.filter { !$0.0.hasPrefix("payment_method_types") }
            #expect(try await driver.post("/v1/payment_intents", key: nil, open).status == 400)
            let answer = driver.answer(
                try await driver.post(
                    "/v1/payment_intents",
                    key: nil,
                    open + [("return_url", "https://shop.example/back")]
                )
            )
            #expect(answer.word == .action)
            let action = try #require(answer.reply.json?["next_action"])
            #expect(action["type"] == "redirect_to_url")
            let url = try #require(action["redirect_to_url"]?["url"]?.stringValue)
            #expect(url.contains("/actions/auth_"))
            let refusing = usual + [("error_on_requires_action", "true")]
            let declined = driver.answer(try await driver.post("/v1/payment_intents", key: nil, refusing))
            #expect(declined.word == .declined("authentication_required"))
        }
    }

    @Test("creates first and confirms later, once")
    func confirmation() async throws {
        try await Self.withStripe { driver, simulator in
            let usual = StripeDriver.fields("att_1", 1000, capture: false).filter { $0.0 != "confirm" }
            let created = try await driver.post("/v1/payment_intents", key: "a", usual)
            #expect(created.json?["status"] == "requires_payment_method")
            let id = try #require(created.json?["id"]?.stringValue)
            #expect(try await driver.post("/v1/payment_intents", key: "a", usual).json?["id"] == .string(id))
            #expect(try await driver.client.get("/v1/payment_intents/\(id)").json == created.json)
            #expect(await simulator.settled("shop").isEmpty)
            let path = "/v1/payment_intents/\(id)/confirm"
            let confirmed = try await driver.post(path, key: "b", StripeDriver.token("tok_visa"))
            #expect(confirmed.json?["status"] == "requires_capture" && confirmed.json?["id"] == .string(id))
            let again = try await driver.post(path, key: "b", StripeDriver.token("tok_visa"))
            #expect(again.header("Idempotent-Replayed") == "true" && again.json == confirmed.json)
            let twice = try await driver.post(path, key: "c", StripeDriver.token("tok_visa"))
            #expect(twice.json?["error"]?["code"] == "payment_intent_unexpected_state")
            #expect([created, again, twice].map { $0.header("Idempotency-Key") } == ["key-a", "key-b", "key-c"])
            #expect(try await driver.client.get("/v1/payment_intents/\(id)").header("Idempotency-Key") == nil)
            #expect(try await driver.capture(id, amount: 1000, reference: "op_1").word == .captured)
            #expect(try await simulator.settledOnly("shop").captured == 1000)
        }
    }

    @Test("cancels what was never confirmed, which cannot be confirmed then")
    func canceledDraft() async throws {
        try await Self.withStripe { driver, simulator in
            let usual = StripeDriver.fields("att_1", 1000, capture: false).filter { $0.0 != "confirm" }
            let created = try await driver.post("/v1/payment_intents", key: nil, usual)
            let id = try #require(created.json?["id"]?.stringValue)
            #expect(try await driver.void(id, reference: "op_1").word == .voided)
            let late = try await driver.post(
                "/v1/payment_intents/\(id)/confirm",
                key: nil,
                StripeDriver.token("tok_visa")
            )
            #expect(driver.answer(late).word == .refused("payment_intent_unexpected_state"))
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("keeps a connected account's payments from the platform and from others")
    func connected() async throws {
        try await Self.withStripe { driver, simulator in
            let fields =
                StripeDriver.fields("att_1", 1000, capture: true) + StripeDriver.token("tok_visa")
                + [("application_fee_amount", "50")]
            let header = ["Stripe-Account: acct_1"]
            let made = try await driver.post("/v1/payment_intents", key: "a", fields, headers: header)
            let id = try #require(made.json?["id"]?.stringValue)
            #expect(made.json?["application_fee_amount"] == 50)
            let path = "/v1/payment_intents/\(id)"
            #expect(try await driver.client.send("GET", path, headers: header).status == 200)
            #expect(try await driver.client.send("GET", path, headers: ["Stripe-Account: acct_2"]).status == 404)
            let alien = try await driver.client.get(path)
            #expect(alien.status == 404 && alien.json?["error"]?["code"] == "resource_missing")
            #expect(try await driver.refund(id, amount: 1, reference: "op_1").word == .refused("resource_missing"))
            #expect(try await simulator.settledOnly("shop:acct_1").command.applicationFee == 50)
        }
    }

    @Test("says why a state does not allow something, and shows it")
    func unexpectedState() async throws {
        try await Self.withStripe { driver, _ in
            let token = TwinCredential.token("tok_visa")
            let paid = try await driver.place(token, reference: "att_1", amount: 1000, capture: true)
            let id = try #require(paid?.payment)
            let refused = try await driver.void(id, reference: "op_1")
            #expect(refused.word == .refused("payment_intent_unexpected_state"))
            #expect(refused.reply.json?["error"]?["payment_intent"]?["status"] == "succeeded")
        }
    }

    @Test("shows the charge whole if asked to, and the last day to capture")
    func expansion() async throws {
        try await Self.withStripe { driver, _ in
            let held = try #require(
                try await driver.place(.number("4111111111111111"), reference: "att_1", amount: 900, capture: false)
            )
            let id = try #require(held.payment)
            let charge = try #require(held.reply.json?["latest_charge"]?.stringValue)
            #expect(charge.hasPrefix("ch_"))
            let whole = try await driver.client.get("/v1/payment_intents/\(id)?expand[]=latest_charge")
            let card = try #require(whole.json?["latest_charge"]?["payment_method_details"]?["card"])
            #expect(card["last4"] == "1111" && (card["capture_before"]?.integerValue ?? 0) > 1_700_000_000)
            #expect(!whole.text.contains("411111111111"))
            #expect(try await driver.client.get("/v1/charges/\(charge)").json == whole.json?["latest_charge"])
        }
    }

    @Test("lists refunds, the newest first, with the caller's notes")
    func refunds() async throws {
        try await Self.withStripe { driver, _ in
            let token = TwinCredential.token("tok_visa+refund_pending_60000")
            let paid = try await driver.place(token, reference: "att_1", amount: 1000, capture: true)
            let id = try #require(paid?.payment)
            #expect(try await driver.refund(id, amount: 300, reference: "op_1").word == .pending)
            #expect(try await driver.refund(id, amount: 701, reference: "op_2").isRefused)
            let list = try await driver.client.get("/v1/refunds?payment_intent=\(id)")
            let found = try #require(list.json?["data"]?.arrayValue)
            #expect(found.count == 1 && found[0]["metadata"] == ["operation": "op_1"])
            let name = try #require(found[0]["id"]?.stringValue)
            #expect(try await driver.client.get("/v1/refunds/\(name)").json == found[0])
            #expect(try await driver.client.get("/v1/refunds/re_1").status == 404)
        }
    }
}
