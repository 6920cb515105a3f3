import PSPSimulator
import StrictJSON
import Testing

@Suite("Worldpay's dialect, after a payment,", .serialized, .timeLimit(.minutes(10)))
struct WorldpayChangeTests {
    private static func withWorldpay(_ body: (WorldpayDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .worldpay) { simulator, client in
            try await body(WorldpayDriver(client), simulator)
        }
    }

    private static func lastEvent(_ driver: WorldpayDriver, _ payment: String) async throws -> String? {
        try await driver.get(driver.links.path("self", of: payment)).json?["lastEvent"]?.stringValue
    }

    @Test("settles, refunds and reverses in full without a body, and tells the last event")
    func full() async throws {
        try await Self.withWorldpay { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            #expect(try await Self.lastEvent(driver, payment) == "Authorized")
            let settled = try await driver.follow("settlePayment", payment)
            #expect(settled.reply.status == 202 && settled.reply.json?["outcome"] == "sentForSettlement")
            #expect(settled.reply.json?["paymentId"]?.stringValue == payment)
            try await simulator.finishWork("shop")
            #expect(try await Self.lastEvent(driver, payment) == "Sent for Settlement")
            let part = try await driver.refund(payment, amount: 100, reference: "op_1")
            #expect(part.reply.json?["outcome"] == "sentForPartialRefund")
            try await simulator.finishWork("shop")
            #expect(try await Self.lastEvent(driver, payment) == "Sent for Refund")
            let reversed = try await driver.follow("reversePayment", payment)
            #expect(reversed.reply.json?["outcome"] == "sentForReversal")
            try await simulator.finishWork("shop")
            let books = try await simulator.settledOnly("shop")
            #expect([books.captured, books.refunded] == [1000, 1000])
        }
    }

    @Test("keeps the rest of a settlement in part unless it is the last of its sequence")
    func sequence() async throws {
        try await Self.withWorldpay { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            for (number, amount) in [(1, 300), (2, 200)] as [(Int64, Int64)] {
                let sequence = JSON.Member("sequence", ["number": .integer(number), "total": 2])
                let body = WorldpayDriver.part(amount, "op_\(number)", [sequence])
                let answer = try await driver.follow("partiallySettlePayment", payment, body)
                #expect((answer.reply.json?["_actions"]?["cancelPayment"] != nil) == (number == 1))
                try await simulator.finishWork("shop")
                #expect(try await simulator.settledOnly("shop").held == (number == 1 ? 700 : 0))
            }
            let books = try await simulator.settledOnly("shop")
            #expect([books.captured, books.voided] == [500, 500])
            let euro: JSON = ["reference": "op_3", "value": ["currency": "EUR", "amount": 1]]
            let refused = try await driver.follow("partiallyRefundPayment", payment, euro)
            #expect(refused.word == .refused("fieldHasInvalidValue"))
        }
    }

    @Test("takes what cannot be done as well, and says so later")
    func doomed() async throws {
        try await Self.withWorldpay { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            #expect(try await driver.capture(payment, amount: 1001, reference: "op_1").reply.status == 202)
            try await simulator.finishWork("shop")
            #expect(try await Self.lastEvent(driver, payment) == "Settlement failed")
            let found = try #require(try await driver.find(reference: "att_1"))
            let last = found.reply.json?["_embedded"]?["payments"]?[0]?["lastEvent"]
            #expect(last == "settlementRequestSubmissionFailed")
            #expect(try await simulator.settledOnly("shop").held == 1000)
        }
    }

    @Test("collects device data, challenges, and ends as the buyer says", arguments: [true, false])
    func authentication(approves: Bool) async throws {
        try await Self.withWorldpay { driver, simulator in
            let asked = try #require(try await driver.hold("tok_action"))
            #expect(asked.reply.status == 201 && asked.word == .action && asked.payment == nil)
            let device = try #require(asked.reply.json)
            driver.links.remember(device, of: "att_1")
            let data: JSON = ["collectionReference": "0_4f063cc7"]
            let challenged = try await driver.follow("supply3dsDeviceData", "att_1", data)
            #expect(challenged.reply.json?["outcome"] == "3dsChallenged")
            let url = try #require(challenged.reply.json?["challenge"]?["url"]?.stringValue)
            #expect(try await driver.follow("complete3dsChallenge", "att_1").word == .action)
            let path = String(url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" })
            _ = try await driver.client.get(path + (approves ? "" : "?result=deny"))
            let ended = try await driver.follow("complete3dsChallenge", "att_1")
            #expect(ended.word == (approves ? .authorized : .declined("3dsAuthenticationFailed")))
            #expect(ended.reply.status == 201)
            #expect(try await simulator.settledOnly("shop").held == (approves ? 1000 : 0))
        }
    }

    @Test("answers 500 while the issuer is waited for, and is found afterwards")
    func pending() async throws {
        try await Self.withWorldpay { driver, simulator in
            let answer = try #require(try await driver.hold("tok_pending_60000"))
            #expect(answer.reply.status == 500 && answer.reply.json?["errorName"] == "internalErrorOccurred")
            let found = try #require(try await driver.find(reference: "att_1"))
            let payment = found.reply.json?["_embedded"]?["payments"]?[0]
            #expect(payment?["lastEvent"] == "authorizationRequested" && payment?["issuer"] == nil)
            #expect(try await simulator.settledOnly("shop").held == 1000)
            _ = try await driver.hold("tok_pending_20", reference: "att_2")
            while try await driver.find(reference: "att_2")?.word == .unknown {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(try await driver.find(reference: "att_2")?.word == .authorized)
        }
    }

    @Test("approves less than was asked where that is taken, and declines elsewhere", arguments: [true, false])
    func partial(isTaken: Bool) async throws {
        try await Self.withWorldpay { driver, simulator in
            let body = WorldpayDriver.payment(WorldpayDriver.token("tok_partial"), takesPart: isTaken)
            let reply = try await driver.post("/api/payments", body)
            let amounts: JSON = [
                "requested": 1000, "totalAuthorized": 500, "currency": "USD", "partialAuthorization": true,
            ]
            #expect(reply.json?["amounts"] == (isTaken ? amounts : nil))
            #expect(reply.json?["outcome"] == (isTaken ? "authorized" : "refused"))
            #expect(try await simulator.settledOnly("shop").held == (isTaken ? 500 : 0))
        }
    }

    @Test("cancels what has not been sent for settlement, and nothing that has been", arguments: [true, false])
    func cancel(isFinal: Bool) async throws {
        try await Self.withWorldpay { driver, simulator in
            let payment = try #require(try await driver.hold("tok_approve+refund_unsettled_60000")?.payment)
            let link = driver.links.path("cancelPayment", of: payment)
            let sequence: JSON = ["number": 1, "total": isFinal ? 1 : 2]
            let body = WorldpayDriver.part(300, "op_1", [JSON.Member("sequence", sequence)])
            _ = try await driver.follow("partiallySettlePayment", payment, body)
            try await simulator.finishWork("shop")
            #expect(try await driver.post(link, nil).status == 202)
            try await simulator.finishWork("shop")
            let books = try await simulator.settledOnly("shop")
            #expect([books.captured, books.voided, books.held] == [300, 700, 0])
            let words = books.operations.dropFirst().map { "\($0.kind.rawValue) \($0.status.rawValue)" }
            #expect(words == ["capture succeeded", "void \(isFinal ? "failed" : "succeeded")"])
            // Nor does the portal, where somebody finds the same payment.
            let void = DashboardAction(.void, to: .id(books.id))
            await #expect(throws: Refusal.self) { try await simulator.act(void) }
            #expect(try await simulator.settledOnly("shop").captured == 300)
        }
    }
}
