import AdapterKit
import Domain
import Testing

@Suite("A PSP's own token with its customer")
struct CustomerTests {
    /// How one PSP names the two in the request.
    struct Row: Sendable, CustomTestStringConvertible {
        let psp: String
        let token: String
        let customer: String
        let parts: [String]

        var testDescription: String { psp }
    }

    static let rows = [
        Row(psp: "stripe", token: "pm_1", customer: "cus_1", parts: ["payment_method=pm_1", "&customer=cus_1"]),
        Row(
            psp: "adyen",
            token: "8416038790273850",
            customer: "shop/shopper-7",
            parts: [
                #""storedPaymentMethodId":"8416038790273850""#, #""shopperReference":"shop/shopper-7""#,
                #""shopperInteraction":"ContAuth""#, #""recurringProcessingModel":"CardOnFile""#,
            ]
        ),
        Row(
            psp: "checkout",
            token: "src_wmlfc3zyhqzehihu7giusaaawu",
            customer: "cus_1",
            parts: [#""source":{"type":"id","id":"src_wmlfc3zyhqzehihu7giusaaawu"}"#, #""customer":{"id":"cus_1"}"#]
        ),
        Row(
            psp: "square",
            token: "ccof:GaJGNaZa8x4OgDJn4GB",
            customer: "W92WH6P11H4Z77CTET0RNTGFW8",
            parts: [#""source_id":"ccof:GaJGNaZa8x4OgDJn4GB""#, #""customer_id":"W92WH6P11H4Z77CTET0RNTGFW8""#]
        ),
        Row(
            psp: "braintree",
            token: "pm_1",
            customer: "cus_1",
            parts: [#""paymentMethodId":"pm_1""#, #""customerId":"cus_1""#]
        ),
        Row(
            psp: "authorize-net",
            token: "1929020",
            customer: "900135",
            parts: [
                #""currencyCode":"USD","profile":{"customerProfileId":"900135","#
                    + #""paymentProfile":{"paymentProfileId":"1929020"}},"order""#
            ]
        ),
    ]

    static func step(_ psp: String, _ token: String, _ customer: String?) throws -> Step {
        let credential = Credential.pspToken(Secret(token), customer: customer.map { Secret($0) })
        let call = try Sample.call(.authorize, credential: credential)
        return try AdapterUnderTest.named(psp).adapter.next(for: call, after: [])
    }

    @Test("is sent as each PSP's documents have it", arguments: rows)
    func sent(row: Row) throws {
        guard case .send(let request) = try Self.step(row.psp, row.token, row.customer) else {
            Issue.record("nothing is sent")
            return
        }
        let body = String(decoding: request.body, as: UTF8.self)
        for part in row.parts { #expect(body.contains(part), "\(part) is not in \(body)") }
        if case .send(let without) = try Self.step(row.psp, row.token, nil) {
            #expect(!String(decoding: without.body, as: UTF8.self).contains(row.customer))
        }
    }

    @Test(
        "is refused by its name where there is no such thing, or where it is in another form",
        arguments: [
            ("worldpay", "7HGQJ2DLKZSF0JR", "cus_1", .unsupported, "customer"),
            ("simulator", "tok_approve", "cus_1", .unsupported, "customer"),
            ("authorize-net", "1929020", "cus_1", .configuration, "customer"),
            ("authorize-net", "eyJjb2RlIjoiNTBfMl8wNjAwMDUy", "900135", .configuration, "customer"),
            ("adyen", "8416038790273850", "ab", .configuration, "psp_token"),
            ("adyen", "shopper-7/8416038790273850", "shopper-7", .configuration, "psp_token"),
        ] as [(String, String, String, Rejection.Reason, String)]
    )
    func refused(psp: String, token: String, customer: String, reason: Rejection.Reason, code: String) throws {
        guard case .outcome(.rejected(let rejection)) = try Self.step(psp, token, customer) else {
            Issue.record("not refused")
            return
        }
        #expect(rejection.reason == reason && rejection.code == code)
        #expect(!rejection.message.contains(customer))
    }
}
