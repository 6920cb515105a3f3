import AdapterKit
import Domain
import PSPSimulator
import SimulatorAdapter
import StrictJSON
import Testing

@Suite("Settlement reports", .timeLimit(.minutes(10)))
struct SettlementReportTests {
    /// 2025-10-01, 10:00 in UTC.
    private static let start: Int64 = 1_759_312_800_000
    private static let day: Int64 = 86_400_000

    /// Books of three days: a capture of a part with a merchant's commission, a sale with a refund, and a dispute that is
    /// won in part; beside what moved no money.
    private static func books() throws -> Books {
        var driver = BooksDriver()
        driver.now = start
        let held = AuthorizeCommand(
            reference: "att, \"1\"",
            amount: 1000,
            currency: "USD",
            method: .token("tok_approve"),
            applicationFee: 80,
            metadata: ["merchant_account": "acct_car"]
        )
        guard case .authorization(let first)? = driver.submit(.authorize(held), key: "held").reply else {
            throw UnexpectedReply(reply: nil)
        }
        var capture = ChangeCommand(.capture, of: .id(first.id), reference: "op_capture", amount: 600)
        capture.applicationFee = 48
        _ = driver.submit(.change(capture), key: "capture")
        let sale = try driver.authorized("tok_approve", amount: 5_000, capture: true)
        _ = try driver.authorized("tok_decline_generic")
        _ = driver.change(.void, try driver.authorized("tok_approve"))
        driver.now += day
        _ = driver.change(.refund, sale, amount: 1_500, reference: "op_refund")
        for (kind, amount) in [(DashboardAction.Kind.dispute, Int64(2_000)), (.win, 500)] {
            driver.now += day / 4
            var action = DashboardAction(kind, to: .id(sale.id))
            action.amount = amount
            action.at = driver.now
            _ = try driver.books.receive(action)
        }
        return driver.books
    }

    /// The lines of the simulator's own report, each as type, amounts, our names, merchant, time and payout.
    private static func lines(
        days: ClosedRange<String> = "0000-01-01"..."9999-12-31",
        fee: Int64 = 0
    ) throws -> [String] {
        let layout = try #require(DialectName.simulator.reportLayout)
        let now = start + 30 * day
        let report = WrittenReport(of: "shop", try books(), at: now, layout: layout, days: days, fee: fee)
        var reader = SimulatorAdapter.settlementReports[0].init()
        var lines = try reader.read(Array(try #require(report).text.utf8)[...])
        let trailer = try reader.finish()
        #expect(trailer.unusableCount == 0)
        lines += trailer.lines
        return lines.map { line in
            let amounts = [line.gross, line.fee, line.net].map { $0?.decimal ?? "-" }.joined(separator: "/")
            let words = [line.type, amounts, line.submerchant, line.occurredOn?.day, line.batch]
            return words.map { $0 ?? "-" }.joined(separator: " ")
        }
    }

    @Test("have a line for each movement, and pay merchants and marketplace out day by day")
    func movements() throws {
        #expect(
            try Self.lines() == [
                "capture 50.00/0.00/50.00 - 2025-10-01 po_shop_20251001_usd",
                "commission 0.48/0.00/0.48 acct_car 2025-10-01 po_shop_20251001_usd",
                "capture 6.00/0.00/6.00 acct_car 2025-10-01 po_merchants_shop_20251001_usd",
                "payout -50.48/0.00/-50.48 - 2025-10-01 po_shop_20251001_usd",
                "refund -15.00/0.00/-15.00 - 2025-10-02 po_shop_20251002_usd",
                "dispute -20.00/0.00/-20.00 - 2025-10-02 po_shop_20251002_usd",
                "dispute_won 5.00/0.00/5.00 - 2025-10-02 po_shop_20251002_usd",
                "payout 30.00/0.00/30.00 - 2025-10-02 po_shop_20251002_usd",
            ]
        )
    }

    @Test("take a fee of each capture, and of nothing else, and pay so much less out")
    func fees() throws {
        let lines = try Self.lines(days: "2025-10-01"..."2025-10-01", fee: 25)
        #expect(
            lines == [
                "capture 50.00/0.25/49.75 - 2025-10-01 po_shop_20251001_usd",
                "commission 0.48/0.00/0.48 acct_car 2025-10-01 po_shop_20251001_usd",
                "capture 6.00/0.25/5.75 acct_car 2025-10-01 po_merchants_shop_20251001_usd",
                "payout -50.23/0.00/-50.23 - 2025-10-01 po_shop_20251001_usd",
            ]
        )
    }

    @Test(
        "keep of a part that is captured in the portal no more commission than was captured, and give back no more of it",
        arguments: [DialectName.stripe, .simulator]
    )
    func cappedCommission(dialect: DialectName) throws {
        var driver = BooksDriver()
        driver.now = Self.start
        let held = AuthorizeCommand(
            reference: "att_1",
            amount: 1000,
            currency: "USD",
            method: .token("tok_approve"),
            applicationFee: 80
        )
        guard case .authorization(let authorization)? = driver.submit(.authorize(held), key: "held").reply else {
            throw UnexpectedReply(reply: nil)
        }
        var capture = DashboardAction(.capture, to: .id(authorization.id))
        capture.amount = 60
        capture.at = driver.now
        _ = try driver.books.receive(capture)
        var refund = ChangeCommand(.refund, of: .id(authorization.id), reference: "op_refund", amount: 60)
        refund.details["refund_application_fee"] = "true"
        refund.applicationFee = 60
        _ = driver.submit(.change(refund), key: "refund")
        let layout = try #require(dialect.reportLayout)
        let lines = ReportLine.lines(of: try driver.current(authorization), in: layout)
        #expect(lines.map(\.amount).sorted() == [-60, -60, 60, 60])
        #expect(lines.filter { $0.kind == .commission }.map(\.amount).sorted() == [-60, 60])
    }

    @Test("are of the days that are asked for")
    func days() throws {
        let all = try Self.lines()
        #expect(try Self.lines(days: "2025-10-02"..."2025-10-02") == Array(all.dropFirst(4)))
        #expect(try Self.lines(days: "2025-10-03"..."9999-12-31") == [])
    }

    @Test("are a file that is answered without a key")
    func route() async throws {
        try await withSimulator { _, client in
            _ = try await client.authorize("tok_captured", reference: "att_1")
            var stranger = client
            stranger.key = ""
            let reply = try await stranger.get("/reports/settlement?account=shop")
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type") == "text/csv; charset=utf-8")
            let disposition = reply.header("Content-Disposition") ?? ""
            #expect(disposition.wholeMatch(of: /attachment; filename="settlement-shop-\d{4}-\d\d-\d\d\.csv"/) != nil)
            let rows = reply.body.split(separator: "\n")
            #expect(rows.count == 3 && rows[0].hasPrefix("simulator_movement,type,"), "\(reply.body)")
            let later = try await stranger.get("/reports/settlement?account=shop&from=2999-01-01")
            #expect(later.status == 200 && later.body.split(separator: "\n") == [rows[0]])
        }
    }

    @Test(
        "are refused with a sentence",
        arguments: [
            ("", 400, "invalid_request"), ("?account=", 400, "invalid_request"), ("?account=nobody", 404, "not_found"),
            ("?account=shop&from=yesterday", 400, "invalid_request"),
            ("?account=shop&to=2026-13-01", 400, "invalid_request"),
            ("?account=shop&from=2026-11-02&to=2026-11-01", 400, "invalid_request"),
        ]
    )
    func refused(query: String, status: Int, code: String) async throws {
        try await withSimulator { _, client in
            _ = try await client.authorize("tok_approve", reference: "att_1")
            let reply = try await client.get("/reports/settlement" + query)
            #expect(reply.status == status)
            #expect(reply.json?["error"]?["code"]?.stringValue == code)
            #expect(reply.json?["error"]?["message"]?.stringValue?.isEmpty == false)
        }
    }

    @Test("are not there where the PSP's adapter reads none")
    func none() async throws {
        try await withSimulator(dialect: .authorizeNet) { _, client in
            let reply = try await client.get("/reports/settlement?account=shop")
            #expect(reply.status == 404)
            #expect(reply.json?["error"]?["code"] == "no_report")
            #expect(reply.json?["error"]?["message"]?.stringValue?.contains("authorize-net") == true)
        }
    }

    @Test(
        "give back of a commission what a refund says, and where it says nothing what the PSP does",
        arguments: [
            (DialectName.square, [(300, nil), (700, nil)], [24, 56]), (.square, [(300, 0), (700, nil)], [0, 56]),
            (.square, [(333, nil), (333, nil), (334, nil)], [26, 27, 27]), (.square, [(1000, 5)], [5]),
            (.stripe, [(300, nil), (700, nil)], [nil, nil]), (.simulator, [(300, nil), (700, 56)], [nil, 56]),
        ] as [(DialectName, [(Int64, Int64?)], [Int64?])]
    )
    func commissions(dialect: DialectName, refunds: [(amount: Int64, told: Int64?)], returned: [Int64?]) throws {
        let layout = try #require(dialect.reportLayout)
        var driver = BooksDriver()
        let sale = AuthorizeCommand(
            reference: "att_1",
            amount: 1000,
            currency: "USD",
            method: .token("tok_approve"),
            capture: true,
            applicationFee: 80
        )
        guard case .authorization(let sold)? = driver.submit(.authorize(sale), key: "sale").reply else {
            throw UnexpectedReply(reply: nil)
        }
        for (number, refund) in refunds.enumerated() {
            var change = ChangeCommand(.refund, of: .id(sold.id), reference: "re_\(number)", amount: refund.amount)
            change.applicationFee = refund.told
            _ = driver.submit(.change(change), key: "re_\(number)")
        }
        let now = try driver.current(sold)
        let done = now.operations.filter { $0.kind == .refund }
        #expect(done.map { layout.commission(returnedBy: $0, of: now) } == returned)
    }

    @Test(
        "write amounts with as many decimals as the currency has",
        arguments: [("USD", "12.34"), ("JPY", "1234"), ("KWD", "1.234")]
    )
    func currencies(code: String, text: String) throws {
        let layout = try #require(DialectName.simulator.reportLayout)
        let batch = ReportBatch(payout: "po", merchantsPayout: "pm", number: "1", day: "2025-10-01")
        #expect(layout.payout(-1_234, code, of: batch)["gross"] == text)
        #expect(layout.payout(1_234, code, of: batch)["gross"] == "-" + text)
    }
}
