import AdapterKit
import Domain
import StrictJSON
import Testing
import WorldpayAdapter

@Suite("Worldpay's requests, held against its descriptions,")
struct WorldpaySchemaTests {
    static let tokens = [
        "https://psp.example/tokens/a", "https://psp.example/sessions/a", "9902480679618049603", "ABCDEFGHJKLMNPQ",
    ]

    /// What a request breaks: where it goes, and what is in its body.
    static func violations(_ request: WireRequest) throws -> [String] {
        let path = request.url.dropFirst("https://psp.example".count)
        switch request.method {
        case .get:
            let isKnown =
                path.hasPrefix("/paymentQueries/payments?transactionReference=")
                || path.hasPrefix("/paymentQueries/payments/pay")
            return isKnown && request.body.isEmpty ? [] : ["\(request) is unknown"]
        case .post:
            if path == "/api/payments" { return try WorldpaySchema.payment.violations(try JSON.parse(request.body)) }
            if path.hasSuffix("/cancellations") || path.contains("/cancellations/") {
                return request.body.isEmpty ? [] : ["a body that is not expected"]
            }
            let parts = ["/partialSettlements", "/partialRefunds", "/settlements/partials/", "/refunds/partials/"]
            guard parts.contains(where: { path.contains($0) }) else { return ["\(request) is unknown"] }
            return try WorldpaySchema.part.violations(try JSON.parse(request.body))
        case .put, .delete: return ["\(request) is unknown"]
        }
    }

    @Test("break nothing")
    func breakNothing() throws {
        let requests = try RequestTests.requests(of: try AdapterUnderTest.worldpay)
        #expect(requests.count { $0.request.canMoveMoney } >= 8)
        for (_, _, request) in requests { #expect(try Self.violations(request) == [], "\(request)") }
    }

    @Test(
        "break nothing with tokens of Worldpay's, one-digit and absent indicators, and long descriptions",
        arguments: tokens
    )
    func credentials(token: String) throws {
        let credentials: [Credential] = [
            .pspToken(Secret(token)), .networkToken(Sample.networkToken(eci: nil, source: .network)),
            .networkToken(Sample.networkToken(eci: "7", source: .googlePay)),
        ]
        for credential in credentials {
            for capture in [true, false] {
                var call = try Sample.call(.authorize, merchantAccount: "Bakery 12")
                let description = String(repeating: "Café 12, ", count: 40)
                call.kind = .authorize(
                    Call.Authorization(credential: credential, capture: capture, description: description)
                )
                #expect(try Self.violations(try WorldpaySample.request(call)) == [])
            }
        }
    }

    @Test(
        "would be found out",
        arguments: [
            (#"{"reference":"a","value":{"currency":"USD","amount":1}}"#, []),
            (#"{"value":{"currency":"USD","amount":1}}"#, ["$.reference is missing"]),
            (#"{"reference":"a_b","value":{"currency":"USD","amount":1}}"#, ["$.reference has wrong characters"]),
            (#"{"reference":"","value":{"currency":"USD","amount":1}}"#, ["$.reference has the wrong length"]),
            (#"{"reference":"a","value":{"currency":"usd","amount":1}}"#, ["$.value.currency has wrong characters"]),
            (#"{"reference":"a","value":{"currency":"USD","amount":0}}"#, ["$.value.amount is out of range"]),
            (#"{"reference":"a","value":{"currency":"USD","amount":"1"}}"#, ["$.value.amount has the wrong type"]),
            (#"{"reference":"a","value":{"currency":"USD","amount":1},"x":1}"#, ["$.x is unknown"]),
        ] as [(String, [String])]
    )
    func finds(body: String, expected: [String]) throws {
        #expect(try WorldpaySchema.part.violations(try JSON.parse(text: body)) == expected)
    }
}
