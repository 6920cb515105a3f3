import PSPSimulator
import StrictJSON
import Testing

@Suite("Authorize.Net's dialect", .serialized, .timeLimit(.minutes(10)))
struct AuthorizeNetPaymentTests {
    private static func withTwin(_ body: (AuthorizeNetDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .authorizeNet) { simulator, client in
            try await body(AuthorizeNetDriver(client), simulator)
        }
    }

    @Test(
        "declines with Authorize.Net's reasons",
        arguments: [
            ("insufficient_funds", "2", "2"), ("expired_card", "3", "8"), ("invalid_card", "3", "6"),
            ("lost_or_stolen", "2", "4"), ("suspected_fraud", "2", "251"), ("authentication_required", "2", "3"),
            ("not_permitted", "2", "2"), ("limit_exceeded", "2", "2"), ("temporary", "3", "19"), ("generic", "2", "2"),
        ]
    )
    func declines(trigger: String, responseCode: String, reason: String) async throws {
        try await Self.withTwin { driver, _ in
            let reply = try #require(try await driver.hold("tok_decline_\(trigger)")).reply
            let json = try #require(AuthorizeNetDriver.json(reply))
            let response = try #require(json["transactionResponse"])
            #expect(response["responseCode"] == .string(responseCode))
            #expect(response["errors"]?[0]?["errorCode"] == .string(reason) && response["messages"] == nil)
            #expect((response["transId"] == "0") == (responseCode == "3"))
            #expect(json["messages"]?["resultCode"] == (responseCode == "3" ? "Error" : "Ok"))
        }
    }

    @Test("answers with what the reference shows, and shows no number")
    func approval() async throws {
        try await Self.withTwin { driver, _ in
            let number = TwinCredential.number("4111111111111111")
            let placed = try await driver.place(number, reference: "att_1", amount: 1000, capture: false)
            let reply = try #require(placed).reply
            let json = try #require(AuthorizeNetDriver.json(reply))
            #expect(json["refId"] == "att_1" && json["messages"]?["message"]?[0]?["code"] == "I00001")
            let response = try #require(json["transactionResponse"])
            #expect(response["accountNumber"] == "XXXX1111" && response["accountType"] == "Visa")
            #expect(response["authCode"]?.stringValue?.utf8.count == 6 && response["refTransID"] == "")
            #expect(response["transId"]?.stringValue?.utf8.allSatisfy { (0x30...0x39).contains($0) } == true)
            let books = try await driver.client.get("/books")
            #expect(!reply.text.contains("411111111111") && !books.text.contains("411111111111"))
        }
    }

    @Test("takes the same transaction once in two minutes, unless the window says otherwise")
    func duplicates() async throws {
        try await Self.withTwin { driver, simulator in
            _ = try await driver.hold("tok_timeout_after")
            #expect(try await driver.hold("tok_timeout_after")?.word == .refused("11"))
            #expect(try await driver.hold("tok_timeout_after", reference: "att_2")?.word == .unknown)
            let setting: JSON = ["setting": [["settingName": "duplicateWindow", "settingValue": "0"]]]
            let usual = AuthorizeNetDriver.transaction(AuthorizeNetDriver.nonce("tok_approve"))
            let open = JSON.object(
                (usual.objectValue ?? []) + [JSON.Member("transactionSettings", setting)]
            )
            for _ in 1...2 {
                #expect(AuthorizeNetDriver.reason(try await driver.transact(open, refId: "r")) == "1")
            }
            #expect(AuthorizeNetDriver.reason(try await driver.transact(usual, refId: "r")) == "11")
            #expect(await simulator.settled("shop").count == 4)
        }
    }

    @Test("forgets a transaction when its window is over")
    func window() {
        let duplicates = AuthorizeNetDuplicates()
        let token = AuthorizeNetDriver.networkToken("4111111111111111")
        let mark = duplicates.mark(of: AuthorizeNetDriver.transaction(token), amount: 1000, account: "shop")
        duplicates.record(mark, at: 5000)
        #expect(duplicates.contains(mark, within: AuthorizeNetDuplicates.usualWindow, at: 124_999))
        #expect(!duplicates.contains(mark, within: AuthorizeNetDuplicates.usualWindow, at: 125_000))
        for (amount, account) in [(Int64(1001), "shop"), (1000, "other")] {
            let other = duplicates.mark(of: AuthorizeNetDriver.transaction(token), amount: amount, account: account)
            #expect(!duplicates.contains(other, within: AuthorizeNetDuplicates.longestWindow, at: 5000))
        }
    }

    @Test("approves a capture and a void that were done before, under codes of their own")
    func repeats() async throws {
        try await Self.withTwin { driver, simulator in
            let captured = try #require(try await driver.hold("tok_approve")?.payment)
            _ = try await driver.capture(captured, amount: 700, reference: "op_1")
            let again = try await driver.capture(captured, amount: 300, reference: "op_2")
            #expect(again.word == .captured && AuthorizeNetDriver.reason(again.reply) == "311")
            #expect(again.payment == captured)
            let voided = try #require(try await driver.hold("tok_approve", reference: "att_2")?.payment)
            _ = try await driver.void(voided, reference: "op_3")
            let twice = try await driver.void(voided, reference: "op_4")
            #expect(twice.word == .voided && AuthorizeNetDriver.reason(twice.reply) == "310")
            #expect(await simulator.settled("shop").map(\.captured) == [700, 0])
        }
    }

    @Test("refuses with 16, 47, 54 and 55 what a transaction does not allow")
    func restrictions() async throws {
        try await Self.withTwin { driver, simulator in
            let held = try #require(try await driver.hold("tok_approve")?.payment)
            #expect(try await driver.capture(held, amount: 1001, reference: "op_1").word == .refused("47"))
            #expect(try await driver.refund(held, amount: 1, reference: "op_2").word == .refused("54"))
            _ = try await driver.capture(held, amount: 1000, reference: "op_3")
            #expect(try await driver.void(held, reference: "op_4").word == .refused("16"))
            #expect(try await driver.refund(held, amount: 1001, reference: "op_5").word == .refused("55"))
            #expect(try await driver.capture("123", amount: 1, reference: "op_6").word == .refused("16"))
            #expect(try await driver.capture("x", amount: 1, reference: "op_7").word == .refused("15"))
            let wrongCard: JSON = [
                "transactionType": "refundTransaction", "amount": "1.00",
                "payment": ["creditCard": ["cardNumber": "1111", "expirationDate": "XXXX"]],
                "refTransId": .string(held),
            ]
            #expect(AuthorizeNetDriver.reason(try await driver.transact(wrongCard, refId: "r")) == "54")
            let noCard = JSON.object((wrongCard.objectValue ?? []).filter { $0.key != "payment" })
            #expect(AuthorizeNetDriver.reason(try await driver.transact(noCard, refId: "r")) == "33")
            #expect(try await driver.hold("tok_nonsense", reference: "att_2")?.word == .refused("E00114"))
            #expect(await simulator.settled("shop").map(\.refunded) == [0])
        }
    }

    @Test("refunds only what is settled, and voids until then")
    func settlement() async throws {
        try await Self.withTwin { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve+refund_unsettled")?.payment)
            _ = try await driver.capture(payment, amount: 1000, reference: "op_1")
            #expect(
                try await driver.details(payment)["transaction"]?["transactionStatus"] == "capturedPendingSettlement"
            )
            #expect(try await driver.refund(payment, amount: 1000, reference: "op_2").word == .refused("54"))
            #expect(try await driver.void(payment, reference: "op_3").word == .voided)
            #expect(try await driver.details(payment)["transaction"]?["transactionStatus"] == "voided")
            #expect(try await simulator.settledOnly("shop").captured == 0)
        }
    }

    @Test("holds for review what is worked on or needs somebody, and approves a part as such")
    func review() async throws {
        try await Self.withTwin { driver, simulator in
            let pending = try #require(try await driver.hold("tok_pending"))
            #expect(pending.word == .pending && AuthorizeNetDriver.reason(pending.reply) == "252")
            let id = try #require(pending.payment)
            #expect(try await driver.details(id)["transaction"]?["transactionStatus"] == "FDSPendingReview")
            #expect(await simulator.settled("shop").map(\.held) == [1000])
            let partial = try #require(try await driver.hold("tok_partial", reference: "att_2"))
            let response = AuthorizeNetDriver.json(partial.reply)?["transactionResponse"]
            #expect(response?["responseCode"] == "4" && AuthorizeNetDriver.reason(partial.reply) == "295")
            #expect(response?["prePaidCard"]?["approvedAmount"] == "5.00")
        }
    }
}
