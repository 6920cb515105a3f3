import PSPSimulator
import StrictJSON
import Testing

@Suite("Square's dialect makes payments", .serialized, .timeLimit(.minutes(10)))
struct SquareCreationTests {
    @Test(
        "and declines them as Square does, with the failed payment",
        arguments: [
            ("cnon:tok_decline_insufficient_funds", 402, "INSUFFICIENT_FUNDS"),
            ("cnon:tok_decline_expired_card", 402, "CARD_EXPIRED"),
            ("cnon:tok_decline_invalid_card", 400, "INVALID_CARD"),
            ("cnon:tok_decline_lost_or_stolen", 402, "CARD_DECLINED"),
            ("cnon:tok_decline_suspected_fraud", 402, "GENERIC_DECLINE"),
            ("cnon:tok_decline_authentication_required", 402, "CARD_DECLINED_VERIFICATION_REQUIRED"),
            ("cnon:tok_decline_not_permitted", 402, "CARDHOLDER_INSUFFICIENT_PERMISSIONS"),
            ("cnon:tok_decline_limit_exceeded", 402, "TRANSACTION_LIMIT"),
            ("cnon:tok_decline_temporary", 402, "TEMPORARY_ERROR"),
            ("cnon:tok_decline_generic", 402, "GENERIC_DECLINE"),
            ("cnon:card-nonce-declined", 402, "GENERIC_DECLINE"), ("cnon:card-nonce-rejected-cvv", 400, "CVV_FAILURE"),
            ("cnon:card-nonce-rejected-postalcode", 400, "ADDRESS_VERIFICATION_FAILURE"),
            ("cnon:card-nonce-rejected-expiration", 400, "INVALID_EXPIRATION"),
            ("cnon:tok_action", 402, "CARD_DECLINED_VERIFICATION_REQUIRED"),
        ]
    )
    func declines(source: String, status: Int, code: String) async throws {
        try await withSquare { driver, simulator in
            let answer = try await driver.create(SquareDriver.payment(source))
            #expect(answer.reply.status == status && answer.word == .declined(code))
            #expect(answer.reply.json?["errors"]?[0]?["category"] == "PAYMENT_METHOD_ERROR")
            let payment = try #require(answer.reply.squarePayment)
            #expect(payment["status"] == "FAILED" && payment["card_details"]?["status"] == "FAILED")
            #expect(payment["card_details"]?["errors"] == answer.reply.json?["errors"])
            let id = try #require(answer.payment)
            #expect(try await driver.client.get("/v2/payments/\(id)").squarePayment == payment)
            #expect(try await simulator.settledOnly("shop").status == .declined)
            #expect(try await driver.capture(id, amount: 1000, reference: "op_1").word == .unknown)
            let late = try await driver.send("POST", "/v2/payments/\(id)/complete", nil)
            #expect(late.squareCode == "DELAYED_TRANSACTION_FAILED")
        }
    }

    @Test(
        "and refuses what Square refuses, naming the field",
        arguments: [
            ("source_id", nil, 400, "MISSING_REQUIRED_PARAMETER"), ("source_id", 7, 400, "EXPECTED_STRING"),
            ("source_id", "", 400, "VALUE_EMPTY"), ("source_id", "cnon:tok_nonsense", 404, "NOT_FOUND"),
            ("source_id", "cnon:CBASEBoAZRQl0jCLqDiBEDLaDQ0", 404, "NOT_FOUND"),
            ("source_id", "CASH", 400, "UNSUPPORTED_SOURCE_TYPE"),
            ("source_id", "cnon:card-nonce-already-used", 400, "CARD_TOKEN_USED"),
            ("customer_id", nil, 400, "MISSING_REQUIRED_PARAMETER"),
            ("idempotency_key", nil, 400, "MISSING_REQUIRED_PARAMETER"),
            ("idempotency_key", .string(String(repeating: "k", count: 46)), 400, "VALUE_TOO_LONG"),
            ("idempotency_key", .string(String(repeating: "ö", count: 23)), 400, "VALUE_TOO_LONG"),
            ("amount_money", nil, 400, "MISSING_REQUIRED_PARAMETER"), ("amount_money", 1000, 400, "EXPECTED_OBJECT"),
            ("amount_money.currency", ["amount": 1000], 400, "MISSING_REQUIRED_PARAMETER"),
            ("amount_money.currency", ["amount": 1000, "currency": "usd"], 400, "INVALID_ENUM_VALUE"),
            ("amount_money.amount", ["amount": 0, "currency": "USD"], 400, "VALUE_TOO_LOW"),
            ("amount_money.amount", ["amount": "10", "currency": "USD"], 400, "EXPECTED_INTEGER"),
            ("autocomplete", "false", 400, "EXPECTED_BOOLEAN"),
            ("reference_id", .string(String(repeating: "r", count: 41)), 400, "VALUE_TOO_LONG"),
            ("note", .string(String(repeating: "n", count: 501)), 400, "VALUE_TOO_LONG"),
            ("statement_description_identifier", .string(String(repeating: "s", count: 21)), 400, "VALUE_TOO_LONG"),
            ("colour", "red", 400, "UNKNOWN_BODY_PARAMETER"), ("billing_address", "here", 400, "EXPECTED_OBJECT"),
            ("app_fee_money.amount", ["amount": 901, "currency": "USD"], 400, "INVALID_FEES"),
            ("app_fee_money.currency", ["amount": 1, "currency": "EUR"], 400, "INVALID_VALUE"),
            ("delay_duration", "7 days", 400, "INVALID_VALUE"), ("delay_duration", "PT59S", 400, "VALUE_TOO_LOW"),
            ("delay_action", "REFUND", 400, "INVALID_ENUM_VALUE"),
        ] as [(String, JSON?, Int, String)]
    )
    func refusals(field: String, value: JSON?, status: Int, code: String) async throws {
        try await withSquare { driver, simulator in
            let name = String(field.prefix { $0 != "." })
            let source = name == "customer_id" ? "ccof:tok_approve" : "cnon:card-nonce-ok"
            let more = value.map { [JSON.Member(name, $0)] } ?? []
            let usual = SquareDriver.payment(source, more).objectValue ?? []
            let body = JSON.object(usual.filter { value != nil || $0.key != name })
            let reply = try await driver.send("POST", "/v2/payments", body)
            #expect(reply.status == status && reply.squareCode == code)
            #expect(reply.json?["errors"]?[0]?["field"] == .string(field))
            #expect(reply.squarePayment == nil)
            #expect(await simulator.settled("shop").isEmpty)
        }
    }

    @Test("and refuses who is not known, another version, and what is not JSON")
    func strangers() async throws {
        try await withSquare { driver, _ in
            let intruder = try await driver.intrude().reply
            #expect(intruder.status == 401 && intruder.squareCode == "UNAUTHORIZED")
            #expect(intruder.json?["errors"]?[0]?["category"] == "AUTHENTICATION_ERROR")
            let version = try await driver.client.send("GET", "/v2/payments", headers: ["Square-Version: v2"])
            #expect(version.squareCode == "INVALID_SQUARE_VERSION_FORMAT")
            let form = try await driver.client.send(
                "POST",
                "/v2/payments",
                headers: ["Content-Type: application/x-www-form-urlencoded"],
                body: "source_id=1"
            )
            #expect(form.squareCode == "INVALID_CONTENT_TYPE")
            #expect(try await driver.send("POST", "/v2/payments", [1]).squareCode == "EXPECTED_JSON_BODY")
            let configuration = try await driver.create(SquareDriver.payment("cnon:tok_reject_configuration"))
            #expect(configuration.word == .refused("CARD_PROCESSING_NOT_ENABLED"))
        }
    }

    @Test("and shows what was asked, and what it held until when")
    func document() async throws {
        try await withSquare { driver, simulator in
            let body = SquareDriver.payment(
                "cnon:tok_approve",
                [
                    JSON.Member("tip_money", SquareDriver.money(200)), JSON.Member("note", "thanks"),
                    JSON.Member("app_fee_money", SquareDriver.money(1080)),
                    JSON.Member("delay_duration", "P1DT1H"), JSON.Member("customer_id", .null),
                ]
            )
            let payment = try #require(try await driver.create(body).reply.squarePayment)
            #expect(payment["status"] == "APPROVED" && payment["card_details"]?["status"] == "AUTHORIZED")
            #expect(payment["amount_money"] == SquareDriver.money(1000))
            #expect(payment["tip_money"] == SquareDriver.money(200))
            #expect(payment["total_money"] == SquareDriver.money(1200))
            #expect(payment["approved_money"] == SquareDriver.money(1200))
            #expect(payment["app_fee_money"] == SquareDriver.money(1080))
            #expect(payment["location_id"] == "L1" && payment["reference_id"] == "att_1" && payment["note"] == "thanks")
            #expect(payment["delay_duration"] == "P1DT1H" && payment["refunded_money"] == nil)
            let books = try await simulator.settledOnly("shop")
            #expect(books.expiresAt == books.createdAt + 25 * 3_600_000)
            #expect(books.command.applicationFee == 1080 && books.held == 1200)
        }
    }

    @Test(
        "and holds them as long as was asked",
        arguments: [
            ("PT1M", 60), ("PT36H", 129_600), ("P7D", 604_800), ("P1W", 604_800), ("P2DT12H30M15S", 217_815),
            ("P", nil), ("PT", nil), ("P1DT", nil), ("P1M", nil), ("1D", nil), ("PT1M1H", nil), ("PT60", nil),
            ("P37D", nil),
        ] as [(String, Int64?)]
    )
    func durations(text: String, seconds: Int64?) async throws {
        try await withSquare { driver, simulator in
            let more = [JSON.Member("delay_duration", .string(text))]
            let answer = try await driver.create(SquareDriver.payment("cnon:tok_approve", more))
            let books = await simulator.settled("shop").first
            #expect(books?.expiresAt.map { $0 - (books?.createdAt ?? 0) } == seconds.map { $0 * 1000 })
            #expect(answer.isRefused == (seconds == nil))
            let early = SquareDriver.payment("cnon:tok_approve", reference: "att_2", capture: true, more)
            #expect(try await driver.create(early).isRefused)
        }
    }

    @Test("and keeps triggers beside a duration")
    func durationAndTriggers() async throws {
        try await withSquare { driver, simulator in
            let body = SquareDriver.payment(
                "cnon:tok_500_before+capture_pending",
                [JSON.Member("delay_duration", "PT2M")]
            )
            #expect(try await driver.create(body).reply.status == 500)
            #expect(try await driver.create(body).word == .authorized)
            let token = try await simulator.settledOnly("shop").script.text
            #expect(token == "tok_500_before+capture_pending+authorize_lapse_120000")
        }
    }

    @Test("of a part only if that was accepted, and of none that is shared")
    func gift() async throws {
        try await withSquare { driver, simulator in
            let refused = try await driver.create(SquareDriver.payment("cnon:tok_partial"))
            #expect(refused.word == .declined("INSUFFICIENT_FUNDS"))
            let second = refused.reply.json?["errors"]?[1]
            #expect(second?["code"] == "GIFT_CARD_AVAILABLE_AMOUNT" && second?["detail"] == "500")
            let accepts = [JSON.Member("accept_partial_authorization", true)]
            let fee = [JSON.Member("app_fee_money", SquareDriver.money(1))]
            let shared = SquareDriver.payment("cnon:tok_partial", reference: "att_2", accepts + fee)
            #expect(try await driver.create(shared).word == .declined("INSUFFICIENT_FUNDS"))
            let part = try await driver.create(SquareDriver.payment("cnon:tok_partial", reference: "att_3", accepts))
            #expect(part.word == .authorized && part.reply.squarePayment?["amount_money"] == SquareDriver.money(500))
            let wrong = SquareDriver.payment("cnon:tok_partial", reference: "att_4", capture: true, accepts)
            #expect(try await driver.create(wrong).word == .refused("BAD_REQUEST"))
            #expect(await simulator.settled("shop").map(\.held) == [0, 0, 500])
        }
    }

    @Test("that need the buyer if a token says that the buyer was there")
    func verification() async throws {
        try await withSquare { driver, _ in
            let token = [JSON.Member("verification_token", "verf:1")]
            let body = SquareDriver.payment("cnon:tok_timeout_before+authorize_action_50+capture_pending", token)
            let lost = try await driver.create(body)
            #expect(lost.reply.status == nil)
            #expect(try await driver.create(body).word == .authorized)
        }
    }
}
