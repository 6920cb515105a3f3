import PSPSimulator
import StrictJSON
import Testing

@Suite("Checkout.com's dialect", .serialized, .timeLimit(.minutes(10)))
struct CheckoutPaymentTests {
    /// Runs `body` against a simulator that speaks the dialect.
    static func withCheckout(_ body: (CheckoutDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .checkout) { simulator, client in
            try await body(CheckoutDriver(client), simulator)
        }
    }

    @Test(
        "declines with 201 and Checkout.com's response codes",
        arguments: [
            ("insufficient_funds", "20051"), ("expired_card", "20054"), ("invalid_card", "20014"),
            ("lost_or_stolen", "30041"), ("suspected_fraud", "40101"), ("authentication_required", "20154"),
            ("not_permitted", "20057"), ("limit_exceeded", "20061"), ("temporary", "20091"), ("generic", "20005"),
        ]
    )
    func declines(trigger: String, code: String) async throws {
        try await Self.withCheckout { driver, _ in
            let answer = try #require(try await driver.hold("tok_decline_\(trigger)"))
            #expect(answer.reply.status == 201 && answer.word == .declined(code))
            let json = try #require(answer.reply.json)
            #expect(json["approved"] == false && json["response_summary"]?.stringValue?.isEmpty == false)
            #expect(json["risk"]?["flagged"] == .bool(trigger == "suspected_fraud"))
            #expect(json["balances"] == nil && json["action_id"]?.stringValue?.hasPrefix("act_") == true)
        }
    }

    private static let share: JSON = ["id": "ent_w4jelhppmfiufdnatam37wrfc4", "amount": 999]
    private static let overpaid: JSON = [
        "id": "ent_w4jelhppmfiufdnatam37wrfc4", "amount": 1000, "commission": ["amount": 1001],
    ]

    @Test(
        "refuses what Checkout.com refuses",
        arguments: [
            ("source", nil, "source_or_destination_required"), ("source", ["token": "tok_a"], "source_type_required"),
            ("source", ["type": "card", "number": "4242424242424242"], "source_invalid"),
            ("source", ["type": "token"], "token_required"),
            ("source", ["type": "token", "token": "ctok_1"], "token_invalid"),
            ("source", ["type": "token", "token": "tok_nonsense"], "token_invalid"),
            ("source", ["type": "id", "id": "tok_approve"], "source_id_invalid"),
            ("source", ["type": "token", "token": "tok_approve", "colour": "red"], "request_invalid"),
            ("amount", nil, "amount_invalid"), ("amount", 0, "amount_invalid"), ("amount", "1000", "amount_invalid"),
            ("amount", 10_000_000_000, "amount_invalid"),
            ("currency", nil, "currency_required"), ("currency", "usd", "currency_invalid"),
            ("processing_channel_id", "pc_1", "processing_channel_id_invalid"),
            ("payment_type", "regular", "payment_type_invalid"), ("merchant_initiated", true, "payment_type_invalid"),
            ("capture", "false", "parameter_invalid"), ("capture_on", "2031-01-01T00:00:00Z", "parameter_invalid"),
            ("metadata", ["a": ["b": 1]], "parameter_invalid"),
            ("reference", .string(String(repeating: "r", count: 81)), "parameter_invalid"),
            ("manual_capture", true, "request_invalid"),
            ("amount_allocations", [], "amount_allocations_invalid"),
            ("amount_allocations", [share], "amount_allocations_invalid"),
            ("amount_allocations", [overpaid], "amount_allocations_invalid"),
        ] as [(String, JSON?, String)]
    )
    func refusals(field: String, value: JSON?, code: String) async throws {
        try await Self.withCheckout { driver, simulator in
            let usual = CheckoutDriver.payment(CheckoutDriver.token("tok_approve")).objectValue ?? []
            let members = usual.filter { $0.key != field } + (value.map { [JSON.Member(field, $0)] } ?? [])
            let reply = try await driver.send("POST", "/payments", .object(members))
            #expect(reply.status == 422 && reply.json?["error_codes"] == .strings([code]))
            #expect(reply.json?["request_id"]?.stringValue == reply.header("Cko-Request-Id"))
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test(
        "refuses a network token that is not whole",
        arguments: [
            ("token", nil, "source_token_required"), ("token", "4242", "source_token_invalid"),
            ("token_type", nil, "source_token_type_required"),
            ("token_type", "apple_pay", "source_token_type_invalid"),
            ("expiry_month", nil, "card_expiry_month_required"), ("expiry_month", 13, "card_expiry_month_invalid"),
            ("expiry_year", nil, "card_expiry_year_required"), ("expiry_year", 31, "card_expiry_year_invalid"),
            ("cryptogram", nil, "parameter_invalid"), ("eci", "005", "parameter_invalid"),
        ] as [(String, JSON?, String)]
    )
    func networkTokens(field: String, value: JSON?, code: String) async throws {
        try await Self.withCheckout { driver, simulator in
            let usual = CheckoutDriver.networkToken("4111111111111111").objectValue ?? []
            let members = usual.filter { $0.key != field } + (value.map { [JSON.Member(field, $0)] } ?? [])
            let reply = try await driver.send("POST", "/payments", CheckoutDriver.payment(.object(members)))
            #expect(reply.status == 422 && reply.json?["error_codes"] == .strings([code]))
            #expect(!reply.text.contains("4111111111111111"))
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("takes a network token, an instrument and a body without a reference")
    func sources() async throws {
        try await Self.withCheckout { driver, simulator in
            let token = CheckoutDriver.networkToken("5555341244441115")
            let first = try await driver.send("POST", "/payments", key: "a", CheckoutDriver.payment(token)).json
            #expect(first?["source"]?["scheme"] == "Mastercard" && first?["source"]?["last4"] == "1115")
            #expect(first?["eci"] == "05" && first?["id"]?.stringValue?.utf8.count == 30)
            let instrument: JSON = ["type": "id", "id": "src_approve"]
            let bare: JSON = ["source": instrument, "amount": 20, "currency": "EUR"]
            let second = try await driver.send("POST", "/payments", key: "b", bare).json
            #expect(second?["status"] == "Authorized" && second?["reference"] == nil)
            let books = await simulator.settled("shop")
            #expect(books.map(\.command.reference) == ["att_1", "key-b"] && books.map(\.captured) == [0, 20])
            #expect(try await driver.client.get("/books").text.contains("555534124444") == false)
        }
    }

    @Test("makes tokens under the public key only, and payments under the secret key only")
    func keys() async throws {
        try await Self.withCheckout { driver, _ in
            let wallet = CheckoutDriver.wallet("tok_approve")
            #expect(try await driver.send("POST", "/tokens", wallet).status == 401)
            let made = try await driver.send("POST", "/tokens", wallet, bearer: "pk_sbox_key_shop")
            #expect(made.status == 201 && made.json?["type"] == "applepay" && made.json?["token"] == "tok_approve")
            let google: JSON = [
                "type": "googlepay",
                "token_data": [
                    "protocolVersion": "ECv1", "signature": "MEUCIQ",
                    "signedMessage": .string(JSON(dictionaryLiteral: ("encryptedMessage", "b3BlbnM=")).text),
                ],
            ]
            #expect(try await driver.send("POST", "/tokens", google, bearer: "pk_sbox_1").status == 201)
            let half: JSON = ["type": "applepay", "token_data": ["version": "EC_v1", "data": "YQ==", "header": [:]]]
            let refused = try await driver.send("POST", "/tokens", half, bearer: "pk_sbox_1")
            #expect(refused.status == 422 && refused.json?["error_codes"] == ["token_data_invalid"])
            let body = CheckoutDriver.payment(CheckoutDriver.token("tok_approve"))
            let reply = try await driver.send("POST", "/payments", body, bearer: "pk_sbox_key_shop")
            #expect(reply.status == 401 && reply.body.isEmpty)
        }
    }

    @Test("sends the buyer to a page")
    func action() async throws {
        try await Self.withCheckout { driver, simulator in
            let held = try #require(try await driver.hold("tok_action"))
            #expect(held.reply.status == 202 && held.word == .action)
            let payment = try #require(held.payment)
            let page = try #require(held.reply.json?["_links"]?["redirect"]?["href"]?.stringValue)
            let path = String(page.dropFirst(simulator.baseURL.count))
            #expect(try await driver.client.get(path).status == 200)
            #expect(try await driver.send("GET", "/payments/\(payment)").json?["status"] == "Authorized")
        }
    }
}
