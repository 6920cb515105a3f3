import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("Square's requests")
struct SquareRequestTests {
    static let payments = "https://psp.example/v2/payments"
    static let one = "https://psp.example/v2/payments/\(SquareSample.payment)"

    @Test("create a held payment under the attempt's name, at the account's location")
    func authorize() throws {
        let request = try SquareSample.request(SquareSample.call(.authorize))
        #expect(request.method == .post && request.url == Self.payments)
        #expect(
            request.headers == [
                Header("Authorization", "Bearer sk_test_sampleSecretKey"), Header("Square-Version", "2025-08-20"),
                Header("Content-Type", "application/json"),
            ]
        )
        #expect(
            try SquareSample.body(request) == [
                "source_id": "cnon:card-nonce-ok", "idempotency_key": "att_01ka5xxqkfbf5kznwj47tan9zt",
                "amount_money": ["amount": 10_000, "currency": "USD"], "autocomplete": false,
                "location_id": "L88917AVBK2S5", "reference_id": "att_01ka5xxqkfbf5kznwj47tan9zt",
            ]
        )
    }

    @Test("complete in the same call if asked to, with a note of at most 500 characters")
    func sale() throws {
        var call = try SquareSample.call(.authorize)
        call.kind = .authorize(
            Call.Authorization(
                credential: .pspToken(Secret("cnon:x")),
                capture: true,
                description: String(repeating: "é", count: 600)
            )
        )
        let body = try SquareSample.body(SquareSample.request(call))
        #expect(body["autocomplete"] == true)
        #expect(body["note"] == .string(String(repeating: "é", count: 500)))
    }

    @Test(
        "take the fee of a seller that is paid itself, and no other",
        arguments: [
            (true, SquareSample.branch, 500, 500), (true, SquareSample.branch, 0, nil),
            (true, SquareSample.branch, nil, nil), (false, SquareSample.branch, 500, nil), (true, nil, 500, nil),
        ] as [(Bool, String?, Int64?, Int64?)]
    )
    func fees(settlesToMerchant: Bool, location: String?, fee: Int64?, expected: Int64?) throws {
        var call = try SquareSample.call(.authorize, location: location, fee: fee)
        call.settlesToMerchant = settlesToMerchant
        let body = try SquareSample.body(SquareSample.request(call))
        #expect(body["app_fee_money"]?["amount"]?.integerValue == expected)
        #expect(body["app_fee_money"] == nil || body["app_fee_money"]?["currency"] == "USD")
        #expect(body["location_id"] == .string(location ?? SquareSample.location))
    }

    @Test("give back the marketplace's share of a refund, none if there is none to give, of a payment with a fee")
    func refunds() throws {
        let withFee = #"{"amount":10000,"fee":500}"#
        func body(_ fee: Int64?, _ state: String) throws -> JSON {
            let call = try SquareSample.call(
                .refund,
                amount: 2500,
                location: SquareSample.branch,
                fee: fee,
                state: state
            )
            let request = try SquareSample.request(call)
            #expect(request.method == .post && request.url == "https://psp.example/v2/refunds")
            return try SquareSample.body(request)
        }
        #expect(
            try body(125, withFee) == [
                "idempotency_key": "op_01ka524mnpzx45hy43kwjrp1xp.0", "payment_id": .string(SquareSample.payment),
                "amount_money": ["amount": 2500, "currency": "USD"],
                "app_fee_money": ["amount": 125, "currency": "USD"], "reason": "op_01ka524mnpzx45hy43kwjrp1xp",
            ]
        )
        #expect(try body(nil, withFee)["app_fee_money"] == ["amount": 0, "currency": "USD"])
        #expect(try body(nil, SquareSample.state)["app_fee_money"] == nil)
        #expect(try body(125, SquareSample.state)["app_fee_money"] == nil)
    }

    @Test("look at the payment before a refund if nothing is known of its fee")
    func refundWithoutState() throws {
        let call = try SquareSample.call(.refund, amount: 2500, location: SquareSample.branch, state: nil)
        let first = try SquareSample.request(call)
        #expect(first.method == .get && first.url == Self.one && !first.canMoveMoney)
        let second = try SquareSample.request(call, after: [SquareSample.shown("COMPLETED", fee: 500)])
        #expect(try SquareSample.body(second)["app_fee_money"] == ["amount": 0, "currency": "USD"])
    }

    @Test("cancel by identifier without a body, and by the creation's key where no payment is known")
    func voids() throws {
        let request = try SquareSample.request(SquareSample.call(.void))
        #expect(request.method == .post && request.url == Self.one + "/cancel" && request.body.isEmpty)
        var call = try SquareSample.call(.void)
        call.pspReference = nil
        let search = try SquareSample.request(call)
        #expect(search.method == .get && !search.canMoveMoney)
        let byKey = try SquareSample.request(call, after: [SquareSample.answer([:])])
        #expect(byKey.method == .post && byKey.url == Self.payments + "/cancel" && byKey.canMoveMoney)
        #expect(try SquareSample.body(byKey) == ["idempotency_key": "att_01ka5xxqkfbf5kznwj47tan9zt"])
        let creation = try SquareSample.body(SquareSample.request(SquareSample.call(.authorize)))
        #expect(try SquareSample.body(byKey)["idempotency_key"] == creation["idempotency_key"])
    }

    @Test("search from a quarter of an hour before the attempt, page by page: those of its total, then all")
    func search() throws {
        var call = try SquareSample.call(.inquireAuthorize, location: SquareSample.branch)
        call.pspReference = nil
        let begin = "\(Self.payments)?begin_time=2025-11-16T08%3A38%3A50.319Z&sort_order=ASC&location_id=LSUBMERCHANT1"
        #expect(try SquareSample.request(call).url == begin + "&total=10000&limit=100")
        let page = SquareSample.answer(["payments": [], "cursor": "next+page"])
        #expect(
            try SquareSample.request(call, after: [page]).url == begin + "&total=10000&limit=100&cursor=next%2Bpage"
        )
        let last = SquareSample.answer(["payments": []])
        #expect(try SquareSample.request(call, after: [page, last]).url == begin + "&limit=100")
        var capture = try SquareSample.call(.inquireCapture, location: SquareSample.branch)
        capture.pspReference = nil
        #expect(try SquareSample.request(capture).url == begin + "&limit=100")
        let refunds = "https://psp.example/v2/refunds?begin_time=2025-11-16T00%3A33%3A16.566Z&sort_order=ASC&limit=100"
        #expect(try SquareSample.request(SquareSample.call(.inquireRefund)).url == refunds)
    }

    @Test("end a search for a payment of another total after five pages: it was made soon after the attempt")
    func first() throws {
        var call = try SquareSample.call(.inquireAuthorize)
        call.pspReference = nil
        let none = SquareSample.answer(["payments": []])
        let page = SquareSample.answer(["payments": [], "cursor": "more"])
        _ = try SquareSample.request(call, after: [none] + Array(repeating: page, count: 4))
        let outcome = try SquareSample.outcome(call, after: [none] + Array(repeating: page, count: 5))
        guard case .rejected(let rejection) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(rejection.reason == .notFound)
    }

    @Test("end a search after twenty pages in doubt")
    func endless() throws {
        let page = SquareSample.answer(["refunds": [], "cursor": "more"])
        let call = try SquareSample.call(.inquireRefund)
        _ = try SquareSample.request(call, after: Array(repeating: page, count: 19))
        guard case .unknown = try SquareSample.outcome(call, after: Array(repeating: page, count: 20)) else {
            Issue.record("reads without end")
            return
        }
    }

    @Test("escape what is not safe in a path")
    func escapes() throws {
        var call = try SquareSample.call(.void)
        call.pspReference = "a/../b c"
        #expect(try SquareSample.request(call).url == Self.payments + "/a%2F..%2Fb%20c/cancel")
    }
}
