import PSPSimulator
import StrictJSON
import Testing

@Suite("Authorize.Net's dialect reports", .serialized, .timeLimit(.minutes(10)))
struct AuthorizeNetReportTests {
    private static func withTwin(_ body: (AuthorizeNetDriver, RunningSimulator) async throws -> Void) async throws {
        try await withSimulator(dialect: .authorizeNet) { simulator, client in
            try await body(AuthorizeNetDriver(client), simulator)
        }
    }

    /// Waits for the clock to go on, as a settlement is reported after its moment.
    private static func passMoment() async throws { try await Task.sleep(for: .milliseconds(3)) }

    @Test("a payment and its refund, each by its own number")
    func details() async throws {
        try await Self.withTwin { driver, _ in
            let payment = try #require(try await driver.hold("tok_approve")?.payment)
            let held = try #require(try await driver.details(payment)["transaction"])
            #expect(held["transactionStatus"] == "authorizedPendingCapture" && held["batch"] == nil)
            #expect(held["authAmount"] == .number("10.00") && held["order"]?["invoiceNumber"] == "att_1")
            _ = try await driver.capture(payment, amount: 700, reference: "op_1")
            let refund = try await driver.refund(payment, amount: 250, reference: "op_2")
            try await Self.passMoment()
            let whole = try await driver.details(payment)
            let settled = try #require(whole["transaction"])
            #expect(whole["transrefId"] == "att_1" && settled["transactionType"] == "authOnlyTransaction")
            #expect(settled["transactionStatus"] == "settledSuccessfully" && settled["settleAmount"] == .number("7.00"))
            #expect(settled["batch"]?["settlementState"] == "settledSuccessfully")
            let response = AuthorizeNetDriver.json(refund.reply)?["transactionResponse"]
            let number = try #require(response?["transId"]?.stringValue)
            let back = try await driver.details(number)
            #expect(back["transaction"]?["transactionStatus"] == "refundSettledSuccessfully")
            #expect(back["transaction"]?["refTransId"] == .string(payment) && back["transrefId"] == "op_2")
            #expect(back["transaction"]?["settleAmount"] == .number("2.50"))
            let nothing = try await driver.call("getTransactionDetailsRequest", [JSON.Member("transId", "1")])
            #expect(AuthorizeNetDriver.reason(nothing) == "E00040")
        }
    }

    @Test("what fails at the settlement, which was approved before")
    func failures() async throws {
        try await Self.withTwin { driver, simulator in
            let token = "tok_approve+capture_pending_fail_1+refund_pending_fail_1"
            let payment = try #require(try await driver.hold(token)?.payment)
            #expect(try await driver.capture(payment, amount: 1000, reference: "op_1").word == .captured)
            try await simulator.finishWork("shop")
            #expect(try await driver.details(payment)["transaction"]?["transactionStatus"] == "settlementError")
            let sale = TwinCredential.token("tok_approve+refund_pending_60000")
            let placed = try await driver.place(sale, reference: "att_2", amount: 1000, capture: true)
            let paid = try #require(placed?.payment)
            let refund = try await driver.refund(paid, amount: 400, reference: "op_2")
            let number = AuthorizeNetDriver.json(refund.reply)?["transactionResponse"]?["transId"]?.stringValue
            let details = try await driver.details(try #require(number))
            #expect(details["transaction"]?["transactionStatus"] == "refundPendingSettlement")
        }
    }

    @Test("what is not settled, a page at a time, the newest first unless asked otherwise")
    func unsettled() async throws {
        try await Self.withTwin { driver, _ in
            let empty = try await driver.call("getUnsettledTransactionListRequest", [])
            #expect(AuthorizeNetDriver.reason(empty) == "I00004")
            for number in 1...3 { _ = try await driver.hold("tok_approve", reference: "att_\(number)") }
            _ = try await driver.hold("tok_captured", reference: "att_4")
            _ = try await driver.hold("tok_action", reference: "att_5")
            try await Self.passMoment()
            let all = try await list(driver, [])
            #expect(all == ["att_5", "att_3", "att_2", "att_1"])
            let sorting: JSON = ["orderBy": "id", "orderDescending": false]
            let paging: JSON = ["limit": "3", "offset": "2"]
            let page = [JSON.Member("sorting", sorting), JSON.Member("paging", paging)]
            #expect(try await list(driver, page) == ["att_5"])
            #expect(try await list(driver, [JSON.Member("status", "pendingApproval")]) == ["att_5"])
            let wrong: JSON = ["limit": "1001", "offset": "1"]
            let refused = try await driver.call(
                "getUnsettledTransactionListRequest",
                [JSON.Member("paging", wrong)]
            )
            #expect(AuthorizeNetDriver.reason(refused) == "E00003")
        }
    }

    @Test("batches with their statistics, and what is in them")
    func batches() async throws {
        try await Self.withTwin { driver, _ in
            let sale = TwinCredential.number("5424000000000015")
            let payment = try await driver.place(sale, reference: "att_1", amount: 1000, capture: true)?.payment
            try await Self.passMoment()
            _ = try await driver.refund(try #require(payment), amount: 300, reference: "op_1")
            try await Self.passMoment()
            let statistics = [JSON.Member("includeStatistics", true)]
            let found = AuthorizeNetDriver.json(try await driver.call("getSettledBatchListRequest", statistics))
            let batches = try #require(found?["batchList"]?.arrayValue)
            // One batch, or two if the hour was over in between.
            #expect(1...2 ~= batches.count)
            let (first, last) = (batches.first?["statistics"]?[0], batches.last?["statistics"]?[0])
            #expect(first?["accountType"] == "MasterCard" && last?["accountType"] == "MasterCard")
            #expect(first?["chargeAmount"] == .number("10.00") && last?["refundAmount"] == .number("3.00"))
            let id = try #require(batches[0]["batchId"])
            let content = try await driver.call("getTransactionListRequest", [JSON.Member("batchId", id)])
            let transactions = AuthorizeNetDriver.json(content)?["transactions"]?.arrayValue ?? []
            let charge = transactions.first { $0["transId"]?.stringValue == payment }
            #expect(charge?["transactionStatus"] == "settledSuccessfully")
            let early = [
                JSON.Member("firstSettlementDate", "2020-01-01T00:00:00Z"),
                JSON.Member("lastSettlementDate", "2020-02-01T00:00:00Z"),
            ]
            #expect(AuthorizeNetDriver.reason(try await driver.call("getSettledBatchListRequest", early)) == "I00004")
            let long = [early[0], JSON.Member("lastSettlementDate", "2020-02-01T00:00:01Z")]
            #expect(AuthorizeNetDriver.reason(try await driver.call("getSettledBatchListRequest", long)) == "E00013")
            let nonsense = [JSON.Member("firstSettlementDate", "yesterday")]
            let refused = try await driver.call("getSettledBatchListRequest", nonsense)
            #expect(AuthorizeNetDriver.reason(refused) == "E00003")
        }
    }

    @Test(
        "moments as XML writes them",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00", 951_782_400_000),
            ("2024-03-01T00:00:00.5Z", 1_709_251_200_500), ("2026-12-31T23:59:59.1234567Z", 1_798_761_599_123),
            ("2026-12-31T23:59:59+01:30", 1_798_756_199_000), ("2026-12-31T23:59:59-00:30", 1_798_763_399_000),
            ("2026-12-31", nil), ("2026-13-01T00:00:00Z", nil), ("2026-01-01T00:00:00z", nil),
            ("2026-01-01T24:00:00Z", nil), ("2026-01-01 00:00:00", nil), ("2026-01-01T00:00:00.Z", nil),
        ] as [(String, Int64?)]
    )
    func moments(text: String, milliseconds: Int64?) {
        #expect(AuthorizeNetDate.milliseconds(text) == milliseconds)
        guard let milliseconds else { return }
        #expect(AuthorizeNetDate.milliseconds(AuthorizeNetDate.text(milliseconds)) == milliseconds)
    }

    private func list(_ driver: AuthorizeNetDriver, _ members: [JSON.Member]) async throws -> [String] {
        let reply = try await driver.call("getUnsettledTransactionListRequest", members)
        let found = AuthorizeNetDriver.json(reply)?["transactions"]?.arrayValue ?? []
        return found.compactMap { $0["invoiceNumber"]?.stringValue }
    }
}
