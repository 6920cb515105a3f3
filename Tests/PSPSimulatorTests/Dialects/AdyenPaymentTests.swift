import PSPSimulator
import StrictJSON
import Testing

@Suite("Adyen's dialect", .serialized, .timeLimit(.minutes(10)))
struct AdyenPaymentTests {
    private static func withAdyen(_ body: (AdyenDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .adyen) { simulator, client in
            try await body(AdyenDriver(client), simulator)
        }
    }

    @Test(
        "refuses with Adyen's reasons, and 200",
        arguments: [
            ("insufficient_funds", "12"), ("expired_card", "6"), ("invalid_card", "8"), ("lost_or_stolen", "5"),
            ("suspected_fraud", "20"), ("authentication_required", "38"), ("not_permitted", "23"),
            ("limit_exceeded", "28"), ("temporary", "9"), ("generic", "2"),
        ]
    )
    func declines(trigger: String, code: String) async throws {
        try await Self.withAdyen { driver, _ in
            let answer = try #require(try await driver.hold("tok_decline_\(trigger)"))
            #expect(answer.reply.status == 200 && answer.word == .declined(code))
            #expect(answer.reply.json?["resultCode"] == "Refused")
            #expect(answer.reply.json?["refusalReason"]?.stringValue?.isEmpty == false)
        }
    }

    @Test(
        "refuses what Adyen refuses",
        arguments: [
            ("returnUrl", nil, 422, "14_030"), ("merchantAccount", nil, 403, "901"), ("amount", nil, 422, "137"),
            ("paymentMethod", nil, 422, "14_0407"), ("colour", "red", 400, "702"), ("reference", nil, 422, "702"),
            ("amount", ["value": 1000, "currency": "usd"], 422, "138"),
            ("splits", [["type": "Commission", "amount": ["value": 1]]], 422, "702"),
            ("billingAddress", ["street": "Kade", "houseNumberOrName": "", "city": "Gent"], 422, "702"),
            ("browserInfo", ["userAgent": "Mozilla/5.0", "acceptHeader": "*/*"], 422, "702"),
            ("shopperName", "Bo Kvist", 422, "702"),
        ] as [(String, JSON?, Int, String)]
    )
    func refusals(field: String, value: JSON?, status: Int, code: String) async throws {
        try await Self.withAdyen { driver, simulator in
            let usual = AdyenDriver.payment(AdyenDriver.token("tok_approve")).objectValue ?? []
            let members = usual.filter { $0.key != field } + (value.map { [JSON.Member(field, $0)] } ?? [])
            let reply = try await driver.post("/payments", key: nil, .object(members))
            #expect(reply.status == status && reply.json?["errorCode"]?.stringValue == code)
            #expect(reply.json?["status"] == .integer(Int64(status)))
            #expect(await simulator.settled("ShopCOM").isEmpty)
        }
    }

    @Test("keeps the commission of the splits, and echoes the key")
    func splits() async throws {
        try await Self.withAdyen { driver, simulator in
            let splits: JSON = [
                ["type": "BalanceAccount", "account": "BA1", "amount": ["value": 930], "reference": "s"],
                ["type": "Commission", "amount": ["value": 70], "reference": "c"],
                ["type": "PaymentFee", "account": "BA1"],
            ]
            let body = AdyenDriver.payment(
                AdyenDriver.token("tok_approve"),
                capture: true,
                [JSON.Member("splits", splits)]
            )
            let reply = try await driver.post("/payments", key: "a", body)
            #expect(reply.header("Idempotency-Key") == "key-a")
            let books = try await simulator.settledOnly("ShopCOM")
            #expect(books.command.applicationFee == 70 && books.captured == 1000)
        }
    }

    @Test("takes every modification, and gives each a reference of its own")
    func references() async throws {
        try await Self.withAdyen { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            #expect(payment.utf8.count == 16)
            let capture = try await driver.capture(payment, amount: 1001, reference: "op_1")
            let cancel = try await driver.void(payment, reference: "op_2")
            for answer in [capture, cancel] {
                #expect(answer.reply.status == 201 && answer.word == .pending)
                #expect(answer.reply.json?["paymentPspReference"] == .string(payment))
            }
            let own = [capture, cancel].map { $0.reply.json?["pspReference"]?.stringValue }
            #expect(Set(own + [payment]).count == 3)
            #expect(try await simulator.settledOnly("ShopCOM").status == .voided)
            let alien = try await driver.capture("0000000000000000", amount: 1, reference: "op_3")
            #expect(alien.word == .refused("167"))
        }
    }

    @Test("cancels by the caller's reference, whether there is such a payment or not")
    func cancelByReference() async throws {
        try await Self.withAdyen { driver, simulator in
            _ = try await driver.hold("tok_timeout_after")
            for reference in ["att_1", "att_2"] {
                let body: JSON = ["merchantAccount": "ShopCOM", "paymentReference": .string(reference)]
                let reply = try await driver.post("/cancels", key: nil, body)
                #expect(reply.status == 201 && reply.json?["status"] == "received")
                #expect(reply.json?["paymentReference"] == .string(reference))
            }
            #expect(try await simulator.settledOnly("ShopCOM").status == .voided)
        }
    }

    @Test("sends the buyer to a page, and shows no number")
    func action() async throws {
        try await Self.withAdyen { driver, simulator in
            let reply = try #require(try await driver.hold("tok_action")).reply
            let action = try #require(reply.json?["action"])
            #expect(action["type"] == "redirect" && action["method"] == "GET")
            let path = try #require(action["url"]?.stringValue).dropFirst(simulator.baseURL.count)
            #expect(try await driver.client.get(String(path)).status == 303)
            #expect(try await simulator.settledOnly("ShopCOM").status == .authorized)
            let number = TwinCredential.number("4111111111111111")
            let card = try await driver.place(number, reference: "att_2", amount: 1000, capture: false)
            let books = try await driver.client.get("/books")
            #expect(card?.reply.text.contains("411111111111") == false && !books.text.contains("411111111111"))
        }
    }
}
