import Domain
import Foundation
import Gateway
import HTTPTransport
import SQL
import Storage
import StrictJSON
import Synchronization
import Testing
import TributaryTestKit
import Wiring

@Suite("An Apple Pay session", .timeLimit(.minutes(10)))
struct SessionTests {
    private static let path = "/v1/apple-pay/sessions"
    /// What Apple answers: kept as it is, spaces and order too.
    private static let session = "{ \"nonce\":\"a1b2\",  \"merchantSessionIdentifier\": \"SSH\" }"

    /// A server that demands the merchant's certificate in place of Apple's, and what it answers, one after another.
    private struct Apple {
        let server: TLSServer
        let authority: TestAuthority
        let client: (certificate: String, key: String)

        init(_ replies: [String]) throws {
            authority = try TestAuthority()
            client = try authority.issue(.client)
            let left = Mutex(replies)
            server = try TLSServer(
                authority.issue(.localhost),
                options: ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate]
            ) { transcript in
                left.withLock { left in
                    let count = transcript.ranges(of: "\"initiativeContext\"").count
                    guard replies.count - left.count < count, !left.isEmpty else { return [] }
                    return [Array(left.removeFirst().utf8)]
                }
            }
        }

        static func reply(_ status: String, _ body: String) -> String {
            "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        }
    }

    private static func with(
        _ replies: [String],
        identity: Bool = true,
        _ body: @Sendable (APIClient, TLSServer) async throws -> Void
    ) async throws {
        let apple = try Apple(replies)
        defer { apple.server.stop() }
        let transport = HTTPTransport()
        let sender = CurlSender(transport)
        let ports = WalletPorts(
            read: { reference in Array(try Data(contentsOf: URL(filePath: String(reference.dropFirst(5))))) },
            askApple: { await sender.askApple($0, as: $1, timeoutMilliseconds: $2) }
        )
        let pair = WalletAccess.KeyPair(
            certificate: "file:\(apple.client.certificate)",
            key: "file:\(apple.client.key)"
        )
        let access = WalletAccess.ApplePay(
            identity: identity ? pair : nil,
            domainAssociation: "file:\(apple.authority.certificate)",
            sessionURL: "https://localhost:\(apple.server.port)/paymentservices/paymentSession",
            sessionAuthorities: "file:\(apple.authority.certificate)"
        )
        try await APIHarness.with(.sqlite, wallets: ports) { api in
            try await declare(access, in: api)
            try await body(api.client("checkout"), apple.server)
        }
        await transport.stop()
    }

    private static func declare(_ access: WalletAccess.ApplePay, in api: APIHarness) async throws {
        let now = api.clock.now()
        try await api.database.write { session in
            let wallets = WalletAccess(applePay: access)
            try MarketplaceTable.save(.init(id: "travel", name: "Travel Now", wallets: wallets), at: now, in: session)
            for var merchant in try MerchantTable.find(["agency"], of: "travel", in: session) {
                merchant.merchantIdentifier = "merchant.agency"
                try MerchantTable.save(merchant, at: now, in: session)
            }
        }
    }

    @Test("is Apple's answer byte for byte, given to whoever shows the merchant's certificate")
    func answer() async throws {
        try await Self.with([Apple.reply("200 OK", Self.session)]) { client, server in
            let body: JSON = [
                "domain": "shop.example",
                "validation_url": "https://apple-pay-gateway-nc-pod4.apple.com/paymentservices/startSession",
            ]
            let reply = try await client.post(Self.path, body)
            #expect(reply.status == 200, "\(reply)")
            #expect(String(decoding: reply.bytes, as: UTF8.self) == Self.session)
            #expect(server.transcript.contains("\"merchantIdentifier\":\"merchant.agency\""))
            #expect(server.transcript.contains("\"displayName\":\"Travel Now\""))
            #expect(server.transcript.contains("\"initiativeContext\":\"shop.example\""))
        }
    }

    @Test("is asked for a second time if Apple has a bad moment")
    func repetition() async throws {
        let moment = Apple.reply("417 Expectation Failed", "{\"statusMessage\":\"not registered\"}")
        try await Self.with([moment, Apple.reply("200 OK", Self.session)]) { client, _ in
            let reply = try await client.post(Self.path, ["domain": "shop.example"])
            #expect(reply.status == 200, "\(reply)")
        }
        try await Self.with([moment, moment]) { client, _ in
            let reply = try await client.post(Self.path, ["domain": "shop.example"])
            #expect(reply.status == 502)
            #expect(reply.json["code"] == "apple_refused")
            #expect(reply.json["detail"]?.stringValue?.contains("not registered") == true)
        }
    }

    @Test(
        "is not asked for with an address that is not Apple's",
        arguments: [
            "http://apple-pay-gateway.apple.com/x", "https://apple-pay-gateway.apple.com.evil.example/",
            "https://apple-pay-gateway.apple.com:444/", "https://a@apple-pay-gateway.apple.com/",
            "https://apple-pay-gatewayXapple.com/", "https://evil.example/?apple-pay-gateway.apple.com",
            "https://apple-pay-gateway.apple.com\\@evil.example/",
        ]
    )
    func foreignAddress(_ url: String) async throws {
        try await Self.with([]) { client, server in
            let reply = try await client.post(Self.path, ["domain": "shop.example", "validation_url": .string(url)])
            #expect(reply.status == 422)
            #expect(reply.json.at("errors/0/pointer") == "/validation_url")
            #expect(!server.transcript.contains("initiativeContext"))
        }
    }

    @Test("needs an identity, and a merchant that there is")
    func missing() async throws {
        try await Self.with([], identity: false) { client, _ in
            let reply = try await client.post(Self.path, ["domain": "shop.example"])
            #expect((reply.status, reply.json["code"]) == (422, "apple_pay_not_configured"))
        }
        try await Self.with([]) { client, _ in
            let reply = try await client.post(Self.path, ["domain": "shop.example", "external_identifier": "nobody"])
            #expect((reply.status, reply.json["code"]) == (422, "unknown_merchant"))
        }
    }

    @Test("goes with the file by which Apple knows the domain")
    func association() async throws {
        try await Self.with([]) { client, _ in
            let reply = try await client.get("/.well-known/apple-developer-merchantid-domain-association")
            #expect(reply.status == 200)
            #expect(String(decoding: reply.bytes, as: UTF8.self).hasPrefix("-----BEGIN CERTIFICATE-----"))
        }
    }
}
