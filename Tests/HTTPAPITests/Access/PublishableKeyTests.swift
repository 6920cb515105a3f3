import Domain
import Gateway
import HTTPTransport
import Keyring
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A publishable key", .timeLimit(.minutes(10)))
struct PublishableKeyTests {
    private static let shop = "https://shop.example"
    private static let path = "/v1/payment-requests"
    private static let request: JSON = [
        "currency": "USD", "amount": 30_000, "country": "US",
        "contexts": [["external_identifier": "airline", "amount": 30_000]],
    ]

    private static func permission(_ path: String, _ origin: String, _ api: APIHarness) async throws -> String {
        try await RawConnection.exchange(
            """
            OPTIONS \(path) HTTP/1.1\r\nHost: pay.example\r\nOrigin: \(origin)\r\n\
            Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization,content-type\r\n\
            Connection: close\r\n\r\n
            """,
            port: api.port
        )
        .lowercased()
    }

    @Test("makes a payment request from a page of a listed origin")
    func listed() async throws {
        try await APIHarness.with(.sqlite, pageOrigins: [Self.shop]) { api in
            for path in [Self.path, "/v1/apple-pay/sessions"] {
                let said = try await Self.permission(path, Self.shop, api)
                #expect(said.hasPrefix("http/1.1 204"), "\(said)")
                #expect(said.contains("access-control-allow-origin: https://shop.example\r\n"))
                #expect(said.contains("access-control-allow-methods: post\r\n"))
                let fields = "authorization, content-type, tributary-version"
                #expect(said.contains("access-control-allow-headers: \(fields)\r\n"))
                #expect(said.contains("vary: origin\r\n"))
                #expect(!said.contains("credentials"))
            }
            let client = try await api.client("publishable")
            let made = try await client.post(Self.path, Self.request, headers: [HTTPHeader("Origin", Self.shop)])
            #expect(made.status == 201, "\(made)")
            #expect(made.header("Access-Control-Allow-Origin") == Self.shop)
            #expect(made.header("Vary") == "Origin")
            let wrong = try await client.post(Self.path, [:], headers: [HTTPHeader("Origin", Self.shop)])
            #expect(wrong.status == 422)
            #expect(wrong.header("Access-Control-Allow-Origin") == Self.shop)
        }
    }

    @Test(
        "is of no use to a page of another origin",
        arguments: ["https://evil.example", "https://shop.example.evil.example", "http://shop.example", "null", "*"]
    )
    func foreign(_ origin: String) async throws {
        try await APIHarness.with(.sqlite, pageOrigins: [Self.shop]) { api in
            let said = try await Self.permission(Self.path, origin, api)
            #expect(!said.contains("access-control-"), "\(said)")
            let client = try await api.client("publishable")
            let made = try await client.post(Self.path, Self.request, headers: [HTTPHeader("Origin", origin)])
            #expect((made.status, made.code) == (403, "unlisted_origin"), "\(made)")
            #expect(made.header("Access-Control-Allow-Origin") == nil)
            #expect(made.header("Vary") == "Origin")
            #expect(try Contract().complaints(about: made, to: "POST \(Self.path)") == [])
            let session = try await client.post(
                "/v1/apple-pay/sessions",
                ["domain": "shop.example"],
                headers: [HTTPHeader("Origin", origin)]
            )
            #expect((session.status, session.code) == (403, "unlisted_origin"), "\(session)")
            // Who is no page says no origin, and a secret key is no page's.
            #expect(try await client.post(Self.path, Self.request).status == 201)
            let secret = try await api.client("checkout")
            let asked = try await secret.post(Self.path, Self.request, headers: [HTTPHeader("Origin", origin)])
            #expect(asked.status == 201, "\(asked)")
        }
    }

    @Test("lets pages call nothing else, listed or not")
    func otherRoutes() async throws {
        try await APIHarness.with(.sqlite, pageOrigins: [Self.shop]) { api in
            for path in ["/v1/orders", Self.path + "/validate", Self.path + "/prq_0", "/openapi.json"] {
                let said = try await Self.permission(path, Self.shop, api)
                #expect(!said.contains("access-control-"), "\(path): \(said)")
            }
            let order = try await api.client("publishable").post("/v1/orders", OrderBody.trip, key: "a")
            #expect(order.code == "insufficient_scope")
        }
    }

    @Test("begins with pk_ and has no other scope")
    func alone() async throws {
        try await APIHarness.with(.sqlite) { api in
            let keys = APIKeys(api.database) { key in APIKeyHash.of(key) }
            let now = api.clock.now()
            let choice = MarketplaceChoice("travel")
            func make(_ scopes: KeyScope...) async throws -> NewAPIKey {
                try await keys.create(
                    KeyDraft(scopes),
                    for: choice,
                    by: .shell("ada", on: nil),
                    random: Keyring.makeKey(),
                    at: now
                )
            }
            let made = try await make(.publishable)
            #expect(made.text.reveal().hasPrefix("pk_"))
            #expect(made.scopes == ["publishable"])
            await #expect(throws: DirectoryRefusal.publishableKeyWithOtherScopes) {
                try await make(.publishable, .checkout)
            }
        }
    }
}
