import Domain
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Agreements: Apple's automatic payment requests", .timeLimit(.minutes(10)))
struct AgreementRequestTests {
    private static func body(_ agreement: JSON, contexts: Int = 1) -> JSON {
        let names = ["airline", "hotel"]
        return [
            "currency": "USD", "amount": .integer(1_000 * Int64(contexts)), "country": "US",
            "contexts": .array(
                names.prefix(contexts).map { ["external_identifier": .string($0), "amount": 1_000] }
            ),
            "agreement": agreement,
        ]
    }

    private static func agreement(_ type: String, _ billing: JSON) -> JSON {
        [
            "type": .string(type), "description": "Lounge", "agreement_text": "You agree.",
            "management_url": "https://shop.example/lounge", "billing": billing,
        ]
    }

    private static let recurring = agreement(
        "recurring",
        [
            "label": "Lounge", "amount": 1_000, "interval_unit": "month", "interval_count": 1,
            "start": "2027-02-01T00:00:00Z",
        ]
    )

    @Test(
        "are rendered by type, and pass Apple's rules",
        arguments: [
            ("recurringPaymentRequest", "regularBilling", recurring),
            (
                "automaticReloadPaymentRequest", "automaticReloadBilling",
                agreement("automatic_reload", ["label": "Top-up", "amount": 1_000, "threshold_amount": 500])
            ),
            (
                "deferredPaymentRequest", "deferredBilling",
                agreement("deferred", ["label": "Room", "amount": 1_000, "date": "2030-01-31"])
                    .with("free_cancellation", ["until": "2030-01-30", "time_zone": "America/New_York"])
            ),
        ]
    )
    func rendered(key: String, billing: String, agreement: JSON) async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite, publicURL: "https://pay.example") { api in
            let client = try await api.client("checkout")
            let body = Self.body(agreement)
            #expect(contract.complaints(aboutBody: body, of: "POST /v1/payment-requests").isEmpty)
            let stored = try await client.post("/v1/payment-requests", body)
            #expect(stored.status == 201, "\(stored)")
            #expect(contract.complaints(about: stored, to: "POST /v1/payment-requests").isEmpty, "\(stored)")
            let sheet = try #require(stored.json["request"])
            #expect(sheet["multiTokenContexts"] == nil)
            #expect(sheet[key]?[billing]?["amount"] == "10.00", "\(sheet)")
            #expect(sheet[key]?["managementURL"] == "https://shop.example/lounge")
            #expect(sheet[key]?["billingAgreement"] == "You agree.")
            #expect(
                sheet[key]?["tokenNotificationURL"]?.stringValue
                    == "https://pay.example/v1/apple-pay/merchant-tokens/\(try await Self.airline(api))"
            )
            #expect(stored.json["warnings"]?.arrayValue?.contains { $0["code"] == "single_context" } == false)
            let judged = try await client.post("/v1/payment-requests/validate", sheet)
            #expect(judged.json["valid"] == true, "\(judged)")
            let id = try #require(stored.json["agreement"]?.stringValue)
            let made = try await client.get("/v1/agreements/\(id)")
            #expect(made.json["state"] == "pending", "\(made)")
            #expect(made.json["maximum_amount"] == 1_000)
            #expect(made.json["external_identifier"] == "airline")
        }
    }

    private static func airline(_ api: APIHarness) async throws -> MerchantID {
        let found = try await api.database.read { session in
            try MerchantTable.find(["airline"], of: "travel", in: session).first
        }
        return try #require(found).id
    }

    @Test(
        "name no address where the server has none that Apple calls, and say so",
        arguments: [nil, "http://pay.example"]
    )
    func unheard(publicURL: String?) async throws {
        try await APIHarness.with(.sqlite, publicURL: publicURL) { api in
            let client = try await api.client("checkout")
            let stored = try await client.post("/v1/payment-requests", Self.body(Self.recurring))
            #expect(stored.json.at("request/recurringPaymentRequest/tokenNotificationURL") == nil)
            let warnings = stored.json["warnings"]?.arrayValue ?? []
            #expect(
                warnings.contains { $0["code"] == "token_notification_url_missing" && $0["pointer"] == "/agreement" }
            )
            let strict = try await client.post("/v1/payment-requests?strict=true", Self.body(Self.recurring))
            #expect(strict.status == 422, "\(strict)")
            #expect(strict.errors.contains("/agreement token_notification_url_missing"))
        }
    }

    @Test("may have a trial that costs nothing, and a maximum above the amount of the billing")
    func trial() async throws {
        try await Self.stage { client in
            let trial: JSON = ["label": "First month", "amount": 0, "interval_unit": "month", "end": "2027-01-31"]
            let wanted = Self.recurring.with("trial", trial).with("maximum_amount", 5_000).with("reference", "buyer-1")
            let stored = try await client.post("/v1/payment-requests", Self.body(wanted))
            #expect(stored.json.at("request/recurringPaymentRequest/trialBilling/amount") == "0.00", "\(stored)")
            let id = try #require(stored.json["agreement"]?.stringValue)
            let made = try await client.get("/v1/agreements/\(id)")
            #expect(made.json["maximum_amount"] == 5_000 && made.json["reference"] == "buyer-1", "\(made)")
        }
    }

    @Test("stay with their merchant when they are revised")
    func revised() async throws {
        try await Self.stage { client in
            let stored = try await client.post("/v1/payment-requests", Self.body(Self.recurring))
            let id = try #require(stored.json["id"]?.stringValue)
            let contexts: JSON = [["external_identifier": "airline", "amount": 900]]
            let revised = try await client.post(
                "/v1/payment-requests/\(id)",
                ["amount": 900, "contexts": contexts]
            )
            #expect(revised.status == 200, "\(revised)")
            #expect(revised.json["agreement"] == stored.json["agreement"])
            #expect(revised.json.at("request/total/amount") == "9.00")
            #expect(
                revised.json.at("request/recurringPaymentRequest") == stored.json.at("request/recurringPaymentRequest")
            )
            for (other, error) in [
                (
                    contexts.with("0/external_identifier", "hotel"),
                    "/contexts/0/external_identifier agreement_of_another_merchant"
                ),
                (
                    [
                        ["external_identifier": "airline", "amount": 500],
                        ["external_identifier": "hotel", "amount": 400],
                    ], "/agreement agreement_needs_one_context"
                ),
            ] as [(JSON, String)] {
                let refused = try await client.post("/v1/payment-requests/\(id)", ["amount": 900, "contexts": other])
                #expect(refused.errors == [error], "\(refused)")
            }
        }
    }

    @Test("are named by the order that names the payment request")
    func mismatch() async throws {
        try await Self.stage { client in
            let stored = try await client.post("/v1/payment-requests", Self.body(Self.recurring))
            let order: JSON = [
                "currency": "USD", "amount": 1_000, "policy": ["type": "all_or_nothing"],
                "payment_request": try #require(stored.json["id"]),
                "contexts": [
                    [
                        "external_identifier": "airline", "amount": 1_000,
                        "payment": ["type": "psp_token", "token": "tok_first", "psp_account": "sim-a"],
                    ]
                ],
            ]
            let refused = try await client.post("/v1/orders", order, key: "none")
            #expect(refused.errors.contains("/payment_request agreement_mismatch"), "\(refused)")
        }
    }

    @Test("are made by whoever may make agreements, and by no page")
    func page() async throws {
        try await APIHarness.with(.sqlite, pageOrigins: ["https://shop.example"]) { api in
            let client = try await api.client("publishable")
            let refused = try await client.post(
                "/v1/payment-requests",
                Self.body(Self.recurring),
                headers: [HTTPHeader("Origin", "https://shop.example")]
            )
            #expect(refused.status == 403, "\(refused)")
            let count = try await api.database.read { session in
                try session.rows("SELECT COUNT(*) AS count FROM agreement")[0].integer("count")
            }
            #expect(count == 0)
        }
    }

    private static func stage(_ body: @Sendable (APIClient) async throws -> Void) async throws {
        try await APIHarness.with(.sqlite) { api in try await body(try await api.client("checkout")) }
    }

    @Test(
        "are refused with a code where Apple would",
        arguments: [
            (body(recurring, contexts: 2), "agreement_needs_one_context"),
            (body(recurring.with("management_url", "ftp://shop.example")), "not_allowed"),
            (body(recurring.with("agreement_text", .string(String(repeating: "a", count: 501)))), "too_long"),
            (body(recurring.with("billing/end", "2027-01-31")), "end_before_start"),
            (body(recurring.with("maximum_amount", 999)), "out_of_range"),
            (body(recurring.with("billing/amount", 0)), "out_of_range"),
            (body(recurring.with("billing/interval_unit", "week")), "not_allowed"),
            (body(recurring.with("billing/date", "2030-01-31")), "unknown_field"),
            (body(recurring.with("description", .string(String(repeating: "a", count: 201)))), "too_long"),
            (body(agreement("deferred", ["label": "Room", "amount": 1, "date": "2020-01-31"])), "not_in_future"),
            (body(agreement("automatic_reload", ["label": "Top-up", "amount": 1])), "missing_field"),
            (body(recurring.with("free_cancellation", ["until": "2030-01-30"])), "unknown_field"),
        ]
    )
    func refused(body: JSON, code: String) async throws {
        try await APIHarness.with(.sqlite) { api in
            let client = try await api.client("checkout")
            let reply = try await client.post("/v1/payment-requests", body)
            #expect(reply.status == 422, "\(reply)")
            #expect(reply.json["code"]?.stringValue == code, "\(reply)")
        }
    }
}
