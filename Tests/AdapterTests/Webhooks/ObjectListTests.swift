import AdapterKit
import AuthorizeNetAdapter
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("What PSPs list that list payments, not events")
struct ObjectListTests {
    private static let since = Timestamp(microseconds: 1_795_249_000_123_000)
    private static let attempt: AttemptID = {
        do { return try Sample.call(.authorize).attempt } catch { preconditionFailure("\(error)") }
    }()

    private static func reply(_ json: JSON) -> WireReply {
        WireReply(status: 200, headers: [Header("Content-Type", "application/json; charset=utf-8")], body: json.bytes)
    }

    private static func query(_ cursor: String?, at location: String? = nil) -> ActivityQuery {
        var query = ActivityQuery(since: since, merchantAccount: location)
        query.cursor = cursor
        return query
    }

    // MARK: Square

    private static func payment(_ status: String) -> JSON {
        [
            "id": "SqPay1", "status": .string(status), "reference_id": .string(attempt.text),
            "amount_money": ["amount": 1000, "currency": "USD"], "location_id": "LBRANCH",
            "created_at": "2026-11-20T10:00:00.000Z", "updated_at": "2026-11-26T10:00:00.000Z",
        ]
    }

    @Test("are asked of Square as its description has it, one list behind the other")
    func squareRequests() throws {
        let adapter = try SquareSample.adapter()
        for (cursor, path) in [
            (nil, "/v2/payments"), ("payments c 1", "/v2/payments"), ("refunds", "/v2/refunds"),
            ("disputes d", "/v2/disputes"),
        ] as [(String?, String)] {
            let request = adapter.listing(Self.query(cursor, at: "LBRANCH"))
            #expect(!request.canMoveMoney && request.method == .get)
            #expect(request.url.contains(path + "?") && request.url.contains("location_id=LBRANCH"), "\(request.url)")
            #expect(try SquareSpec().violations(request, baseURL: Sample.settings.baseURL) == [])
        }
        #expect(adapter.listing(Self.query("payments c 1")).url.contains("cursor=c%201"))
    }

    @Test("are followed through Square's lists to their end")
    func squarePlaces() throws {
        let adapter = try SquareSample.adapter()
        let steps: [(String?, JSON, String?)] = [
            (nil, ["payments": [Self.payment("COMPLETED")], "cursor": "c 1"], "payments c 1"),
            ("payments c 1", [:], "refunds"), ("refunds", ["cursor": "r"], "refunds r"), ("refunds r", [:], "disputes"),
            ("disputes", [:], nil),
        ]
        for (cursor, page, next) in steps {
            guard case .page(_, let found) = adapter.activity(Self.reply(page), to: Self.query(cursor)) else {
                Issue.record("\(cursor ?? "the first page") is refused")
                continue
            }
            #expect(found == next)
        }
        for reply in [Self.reply(["refunds": []]), Self.reply(["payments": [["id": "x"]]]), WireReply(status: 500)] {
            guard case .refused = adapter.activity(reply, to: Self.query(nil)) else {
                Issue.record("\(reply) is believed")
                continue
            }
        }
    }

    @Test("say of Square's payments what they are now, at the location they were made at")
    func squarePayments() throws {
        let adapter = try SquareSample.adapter()
        for (status, words) in [("APPROVED", "authorize"), ("COMPLETED", "capture"), ("CANCELED", "void")] {
            let page: JSON = ["payments": [Self.payment(status)]]
            guard case .page(let events, _) = adapter.activity(Self.reply(page), to: Self.query(nil)) else {
                Issue.record("\(status) is refused")
                continue
            }
            let event = try #require(events.first)
            #expect(event.id == "list.payment.SqPay1.2026-11-26T10:00:00.000Z")
            #expect(event.merchantAccount == .merchant("LBRANCH"))
            #expect(event.notices.first?.subject.attempt == Self.attempt.text)
            guard case .outcome(let action, .succeeded(let success))? = event.notices.first?.happening else {
                Issue.record("\(event)")
                continue
            }
            #expect((action.rawValue, success.amount) == (words, 1000))
        }
    }

    // MARK: Authorize.Net

    private static func authorizeNet() throws -> AuthorizeNetAdapter {
        try AuthorizeNetAdapter(settings: AdapterUnderTest.named("authorize-net").settings)
    }

    private static func summary(_ status: String, _ name: String, amount: Int64 = 10) -> JSON {
        [
            "transId": "60123", "submitTimeUTC": "2026-11-20T10:00:00Z", "transactionStatus": .string(status),
            "invoiceNumber": .string(name), "settleAmount": .integer(amount),
        ]
    }

    private static func list(_ transactions: [JSON]) -> JSON {
        [
            "transactions": .array(transactions),
            "messages": ["resultCode": "Ok", "message": [["code": "I00001", "text": "Successful."]]],
        ]
    }

    @Test("are followed through Authorize.Net's unsettled transactions and its batches")
    func batches() throws {
        let adapter = try Self.authorizeNet()
        let nothing: JSON = ["messages": ["resultCode": "Ok", "message": [["code": "I00004", "text": "None."]]]]
        let batches: JSON = [
            "batchList": [
                ["batchId": "7", "settlementTimeUTC": "2026-11-25T10:00:00Z", "paymentMethod": "creditCard"],
                ["batchId": "5", "settlementTimeUTC": "2026-11-24T10:00:00Z", "paymentMethod": "creditCard"],
            ],
            "messages": ["resultCode": "Ok", "message": [["code": "I00001", "text": "Successful."]]],
        ]
        let full = Self.list((0..<1000).map { _ in Self.summary("generalError", "x") })
        let steps: [(String?, JSON, String?)] = [
            (nil, full, "unsettled 2"), ("unsettled 2", nothing, "batches"), ("batches", batches, "batch 1 5 7"),
            ("batch 1 5 7", full, "batch 2 5 7"), ("batch 2 5 7", nothing, "batch 1 7"), ("batch 1 7", nothing, nil),
            ("batches", nothing, nil),
        ]
        for (cursor, page, next) in steps {
            #expect(!adapter.listing(Self.query(cursor)).canMoveMoney)
            guard case .page(_, let found) = adapter.activity(Self.reply(page), to: Self.query(cursor)) else {
                Issue.record("\(cursor ?? "the first page") is refused")
                continue
            }
            #expect(found == next, "\(cursor ?? "")")
        }
        let body = try JSON.parse(adapter.listing(Self.query("batches")).body)["getSettledBatchListRequest"]
        let first = body?["firstSettlementDate"]?.stringValue ?? ""
        #expect(first.hasPrefix("2026-11-21T"), "\(first)")
        #expect(body?["refId"] == nil)
    }

    @Test("say of Authorize.Net's transactions what they are now, of refunds only if they are ours")
    func transactions() throws {
        let adapter = try Self.authorizeNet()
        let (attempt, refund) = ("2vkwECEwXUQ9cJGGOKNE", "WB8Z3RNkeV0jZLqt5VrM")
        let rows: [(String, String, String?)] = [
            ("authorizedPendingCapture", attempt, "authorize"), ("settledSuccessfully", attempt, "capture"),
            ("capturedPendingSettlement", attempt, "capture"), ("voided", attempt, "void"),
            ("refundPendingSettlement", refund, "refund"), ("refundSettledSuccessfully", attempt, nil),
            ("generalError", attempt, nil), ("settledSuccessfully", "INV-1", nil), ("chargeback", attempt, nil),
        ]
        for (status, name, action) in rows {
            let page = Self.reply(Self.list([Self.summary(status, name)]))
            guard case .page(let events, _) = adapter.activity(page, to: Self.query(nil)) else {
                Issue.record("\(status) is refused")
                continue
            }
            guard let action else {
                #expect(events == [], "\(status)")
                continue
            }
            let event = try #require(events.first, "\(status)")
            #expect(event.id == "list.60123.\(status)")
            guard case .outcome(let found, .succeeded(let success))? = event.notices.first?.happening else {
                Issue.record("\(event)")
                continue
            }
            #expect((found.rawValue, success.amount, success.reference) == (action, 1000, "60123"))
        }
    }
}
