import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("Square's requests, held against its OpenAPI description,")
struct SquareSpecTests {
    @Test("break nothing in any conversation", arguments: try AdapterUnderTest.all.filter(\.isSquare))
    func breakNothing(subject: AdapterUnderTest) throws {
        let spec = try SquareSpec()
        let requests = try RequestTests.requests(of: subject)
        #expect(requests.count > 100)
        for (_, _, request) in requests {
            #expect(try spec.violations(request, baseURL: Sample.settings.baseURL) == [], "\(request)")
        }
    }

    @Test("break nothing with fees, locations, notes and parts", arguments: SampleOperation.allCases)
    func everything(operation: SampleOperation) throws {
        let state = #"{"amount":10000,"fee":500,"version":"v"}"#
        var call = try SquareSample.call(
            operation,
            amount: 6000,
            location: SquareSample.branch,
            fee: 300,
            state: state
        )
        if operation == .authorize {
            let authorization = Call.Authorization(
                credential: .pspToken(Secret("cnon:x")),
                capture: true,
                applicationFee: 300,
                description: String(repeating: "x", count: 600)
            )
            call.kind = .authorize(authorization)
        }
        let request = try SquareSample.request(call)
        #expect(try SquareSpec().violations(request, baseURL: Sample.settings.baseURL) == [])
    }

    @Test(
        "would be found out",
        arguments: [
            (#"{"idempotency_key":"k"}"#, ["source_id is missing"]),
            (#"{"idempotency_key":"k","source_id":""}"#, ["source_id is shorter than 1"]),
            (#"{"idempotency_key":"k","source_id":"s","tip":1}"#, ["tip is unknown"]),
            (#"{"idempotency_key":7,"source_id":"s"}"#, ["idempotency_key has the wrong type"]),
            (
                #"{"idempotency_key":"0123456789012345678901234567890123456789012345","source_id":"s"}"#,
                ["idempotency_key is longer than 45"]
            ),
            (
                #"{"idempotency_key":"k","source_id":"s","amount_money":{"amount":1.5,"currency":"usd"}}"#,
                ["amount_money.amount has the wrong type", "amount_money.currency is none of its words"]
            ),
            (#"{"idempotency_key":"k","source_id":"s","autocomplete":"no"}"#, ["autocomplete has the wrong type"]),
        ]
    )
    func finds(body: String, expected: [String]) throws {
        let request = WireRequest(
            .post,
            "https://psp.example/v2/payments",
            body: Array(body.utf8),
            canMoveMoney: true
        )
        #expect(try SquareSpec().violations(request, baseURL: "https://psp.example") == expected)
    }

    @Test(
        "would be found out elsewhere, too",
        arguments: [
            (WireRequest.Method.get, "/v2/payments?total=ten", "", ["total is no integer"]),
            (.get, "/v2/payments?reference_id=a", "", ["reference_id is unknown"]),
            (.post, "/v2/payments/p/cancel", "{}", ["a body that is not expected"]),
            (.put, "/v2/payments/p", #"{"idempotency_key":"k","payment":{"id":"p"}}"#, ["payment.id is only read"]),
        ]
    )
    func findsElsewhere(method: WireRequest.Method, path: String, body: String, expected: [String]) throws {
        let url = "https://psp.example" + path
        let request = WireRequest(method, url, body: Array(body.utf8), canMoveMoney: true)
        #expect(try SquareSpec().violations(request, baseURL: "https://psp.example") == expected)
    }
}
