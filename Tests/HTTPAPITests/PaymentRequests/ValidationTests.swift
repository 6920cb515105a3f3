import SQL
import StrictJSON
import Testing
import TributaryTestKit

@Suite("POST /v1/payment-requests/validate", .timeLimit(.minutes(10)))
struct ValidationTests {
    static let path = "/v1/payment-requests/validate"

    @Test("finds nothing wrong with a good request of either kind")
    func valid() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let own = PaymentRequestTests.trip.with("contexts", nil)
            for body in [
                own, ValidationCase.apple, ValidationCase.apple.with("strict", true),
                ValidationCase.apple.with("someNewField", 1),
            ] {
                let reply = try await client.post(Self.path, body)
                #expect((reply.status, reply.json.text) == (200, #"{"valid":true,"warnings":[]}"#), "\(reply)")
            }
        }
    }

    @Test("finds everything wrong with Apple's own JSON at once, by pointer")
    func apple() async throws {
        try await APIHarness.with(.sqlite) { api in
            let body = ValidationCase.apple.with("multiTokenContexts/0/amount", "500.00").with("countryCode", "XX")
                .with("recurringPaymentRequest", [:]).with("total/label", nil)
            let reply = try await api.client("checkout").post(Self.path, body)
            #expect(reply.status == 422)
            let expected = [
                "/countryCode not_allowed", "/total/label missing_field",
                "/recurringPaymentRequest conflicting_request_kinds", "/multiTokenContexts sum_exceeds_total",
                "/recurringPaymentRequest/paymentDescription missing_field",
                "/recurringPaymentRequest/regularBilling missing_field",
                "/recurringPaymentRequest/managementURL missing_field",
            ]
            #expect(Set(expected).isSubset(of: reply.errors), "\(reply)")
        }
    }

    @Test(
        "turns warnings into errors when it is strict, by query or by body",
        arguments: ValidationCase.warned
    )
    func strict(_ item: ValidationCase) async throws {
        try await APIHarness.with(.sqlite) { api in
            let (body, warning) = (item.body, item.warning)
            let client = try await api.client("checkout")
            for lax in [
                try await client.post(Self.path, body), try await client.post(Self.path + "?strict=false", body),
            ] {
                #expect((lax.status, lax.json["valid"]) == (200, true), "\(lax)")
                #expect(lax.warnings.contains(warning), "\(lax)")
            }
            for strict in [
                try await client.post(Self.path + "?strict=true", body),
                try await client.post(Self.path, body.with("strict", true)),
            ] {
                #expect(strict.status == 422, "\(strict)")
                #expect(strict.errors.contains(warning), "\(strict)")
            }
        }
    }

    @Test("warns of merchants that no PSP account serves, and of a missing merchant identifier")
    func records() async throws {
        try await APIHarness.with(.sqlite) { api in
            let body = PaymentRequestTests.trip
            let saving: JSON = [
                "external_identifier": "hotel", "name": "Hotel", "merchant_identifier": "merchant.hotel",
                "routes": [
                    ["psp_account": "sim-b", "currencies": ["EUR"]],
                    ["psp_account": "sim-a", "wallets": ["psp_token"]],
                ],
            ]
            #expect(try await api.client("operator").post("/v1/merchants", saving).status == 200)
            let reply = try await api.client("checkout").post(Self.path, body)
            #expect(
                reply.warnings == [
                    "/contexts/1/merchant_identifier several_merchant_identifiers",
                    "/contexts/0/merchant_identifier merchant_identifier_missing",
                    "/contexts/1/external_identifier no_route",
                ]
            )
        }
    }

    @Test("refuses a strict that is neither true nor false")
    func wrongStrict() async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let query = try await client.post(Self.path + "?strict=1", ValidationCase.apple)
            #expect((query.status, query.errors) == (422, ["?strict invalid_parameter"]))
            for body in [ValidationCase.apple, PaymentRequestTests.trip.with("contexts", nil)] {
                let member = try await client.post(Self.path, body.with("strict", "yes"))
                #expect((member.status, member.errors) == (422, ["/strict wrong_type"]), "\(member)")
            }
        }
    }

    @Test("takes a body with keys of both kinds for ours")
    func mixed() async throws {
        try await APIHarness.with(.sqlite) { api in
            let body = PaymentRequestTests.trip.with("contexts", nil).with("total", ["label": "x", "amount": "1.00"])
            let reply = try await api.client("checkout").post(Self.path, body)
            #expect((reply.status, reply.errors) == (422, ["/total unknown_field"]))
        }
    }
}
