import PSPSimulator
import StrictJSON
import Testing

@Suite("Braintree's dialect changes transactions", .serialized, .timeLimit(.minutes(10)))
struct BraintreeChangeTests {
    private static func transaction(_ id: String, _ driver: BraintreeDriver, _ selection: String) async throws -> JSON?
    {
        let query = "query ($id: ID!) { node(id: $id) { id ... on Transaction { \(selection) } } }"
        return try await driver.send(query, ["id": .string(id)]).json?["data"]?["node"]
    }

    @Test("in the states that allow it, and says why not otherwise")
    func states() async throws {
        try await withBraintree { driver, _ in
            let held = try #require(try await driver.hold("tok_approve", reference: "att_1")?.payment)
            #expect(try await driver.refund(held, amount: 1, reference: "r0").word == .refused("91506"))
            #expect(try await driver.capture(held, amount: 1001, reference: "c0").word == .refused("91522"))
            #expect(try await driver.capture(held, amount: 600, reference: "c1").word == .captured)
            #expect(try await driver.capture(held, amount: 400, reference: "c2").word == .refused("91507"))
            #expect(try await driver.refund(held, amount: 601, reference: "r1").word == .refused("91521"))
            #expect(try await driver.refund(held, amount: 200, reference: "r2").word == .refunded)
            #expect(try await driver.void(held, reference: "v1").word == .refunded)
            #expect(try await driver.refund(held, amount: 1, reference: "r3").word == .refused("91512"))
            let voided = try #require(try await driver.hold("tok_approve", reference: "att_2")?.payment)
            #expect(try await driver.void(voided, reference: "v2").word == .voided)
            #expect(try await driver.void(voided, reference: "v3").word == .refused("91504"))
            for alien in ["dHJhbnNhY3Rpb25fMDAwMDAwMDAwMDAxMg", "nonsense", String(voided.dropLast(4))] {
                #expect(try await driver.capture(alien, amount: 1, reference: "c3").word == .refused("NOT_FOUND"))
            }
        }
    }

    @Test("and voids what has not settled, refunds what has")
    func settlement() async throws {
        try await withBraintree { driver, simulator in
            let token = "tok_captured+refund_unsettled"
            for (number, mutation) in ["reverseTransaction", "voidTransaction"].enumerated() {
                let payment = try #require(try await driver.hold(token, reference: "att_\(number)")?.payment)
                #expect(try await Self.transaction(payment, driver, "status")?["status"] == "SUBMITTED_FOR_SETTLEMENT")
                #expect(try await driver.refund(payment, amount: 1, reference: "r").word == .refused("91506"))
                let input: JSON = ["transactionId": .string(payment)]
                let selection = mutation == "voidTransaction" ? "transaction { status }" : "reversal { __typename }"
                let reply = try await driver.mutate(mutation, input, selection)
                #expect(reply.json?["errors"] == nil)
                #expect(try await Self.transaction(payment, driver, "status")?["status"] == "VOIDED")
            }
            #expect(await simulator.settled("shop").map(\.captured) == [0, 0])
            let payment = try #require(try await driver.hold("tok_captured", reference: "att_9")?.payment)
            #expect(try await Self.transaction(payment, driver, "status")?["status"] == "SETTLED")
        }
    }

    @Test("and tells of a void's errors in its payload")
    func voiding() async throws {
        try await withBraintree { driver, _ in
            let payment = try #require(try await driver.hold("tok_captured")?.payment)
            let answers: [(String, JSON)] = [
                (payment, "TRANSACTION_CANNOT_BE_VOIDED"), ("nonsense", "INVALID_INPUT_FOR_VOID_TRANSACTION_MUTATION"),
                ("dHJhbnNhY3Rpb25fMDAwMDAwMDAwMDAxMg", "TRANSACTION_NOT_FOUND"),
            ]
            for (id, code) in answers {
                let input: JSON = ["clientMutationId": "m", "transactionId": .string(id)]
                let selection = "clientMutationId transaction { id } errors { field code }"
                let reply = try await driver.mutate("voidTransaction", input, selection)
                let expected: JSON = [
                    "clientMutationId": "m", "transaction": .null,
                    "errors": [["field": "transactionId", "code": code]],
                ]
                #expect(reply.json?["data"]?["voidTransaction"] == expected && reply.json?["errors"] == nil)
            }
        }
    }

    @Test("but captures no card in parts")
    func partialCapture() async throws {
        try await withBraintree { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            let input: JSON = ["transactionId": .string(payment), "transaction": ["amount": "1.00"]]
            let reply = try await driver.mutate("partialCaptureTransaction", input, "capture { id }")
            #expect(reply.json?["errors"]?[0]?["extensions"]?["errorClass"] == "VALIDATION")
            #expect(try await simulator.settledOnly("shop").held == 1000)
        }
    }

    @Test("and remembers every status, the latest first")
    func history() async throws {
        try await withBraintree { driver, _ in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            _ = try await driver.capture(payment, amount: 600, reference: "c1")
            _ = try await driver.refund(payment, amount: 100, reference: "r1")
            let selection =
                "status orderId amount { value } statusHistory { status terminal amount { value } } "
                + "refunds { orderId status amount { value } }"
            let found = try #require(try await Self.transaction(payment, driver, selection))
            let history: JSON = [
                ["status": "SETTLED", "terminal": true, "amount": ["value": "6.00"]],
                ["status": "SUBMITTED_FOR_SETTLEMENT", "terminal": false, "amount": ["value": "6.00"]],
                ["status": "AUTHORIZED", "terminal": false, "amount": ["value": "10.00"]],
            ]
            #expect(found["status"] == "SETTLED" && found["amount"]?["value"] == "6.00")
            #expect(found["statusHistory"] == history)
            let refunds: JSON = [["orderId": "r1", "status": "SETTLED", "amount": ["value": "1.00"]]]
            #expect(found["refunds"] == refunds)
        }
    }

    @Test(
        "and shows what a trigger made of a capture",
        arguments: [
            ("capture_pending_60000", "SETTLEMENT_PENDING"), ("capture_decline_generic", "SETTLEMENT_DECLINED"),
            ("void_pending_60000", "AUTHORIZED"),
        ]
    )
    func triggered(trigger: String, status: String) async throws {
        try await withBraintree { driver, _ in
            let payment = try #require(try await driver.hold("tok_approve+\(trigger)")?.payment)
            let answer =
                trigger.hasPrefix("void")
                ? try await driver.void(payment, reference: "v")
                : try await driver.capture(payment, amount: 1000, reference: "c")
            #expect(answer.reply.text.contains("\"\(status)\""))
            #expect(try await Self.transaction(payment, driver, "status")?["status"]?.stringValue == status)
        }
    }

    @Test(
        "and ends with a settlement that is declined, at once or later: nothing is held, captured or voided any more",
        arguments: ["decline_generic", "pending_fail_0", "fail_later_0"]
    )
    func declinedSettlement(trigger: String) async throws {
        try await withBraintree { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve+capture_\(trigger)")?.payment)
            _ = try await driver.capture(payment, amount: 1000, reference: "c1")
            #expect(try await driver.capture(payment, amount: 1000, reference: "c2").word == .refused("91507"))
            #expect(try await driver.void(payment, reference: "v1").word == .refused("91504"))
            let found = try await Self.transaction(payment, driver, "status statusHistory { status }")
            let history: JSON = [
                ["status": "SETTLEMENT_DECLINED"], ["status": "SUBMITTED_FOR_SETTLEMENT"], ["status": "AUTHORIZED"],
            ]
            #expect(found?["status"] == "SETTLEMENT_DECLINED" && found?["statusHistory"] == history)
            let settled = try await simulator.settledOnly("shop")
            #expect([settled.held, settled.captured, settled.voided] == [0, 0, 1000])
        }
    }

    @Test("and lets an authorization expire")
    func expiry() async throws {
        try await withBraintree { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            _ = try await simulator.act(DashboardAction(.lapse, to: .reference("att_1")))
            let found = try await Self.transaction(payment, driver, "status statusHistory { __typename }")
            #expect(found?["status"] == "AUTHORIZATION_EXPIRED")
            #expect(found?["statusHistory"]?[0]?["__typename"] == "AuthorizationExpiredEvent")
            #expect(try await driver.capture(payment, amount: 1000, reference: "c").word == .refused("91507"))
        }
    }
}
