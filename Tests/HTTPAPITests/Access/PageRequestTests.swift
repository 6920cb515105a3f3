import AdapterKit
import Domain
import Gateway
import HTTPAPI
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What pages ask with one key", .timeLimit(.minutes(10)))
struct PageRequestTests {
    private static let sessions = "/v1/apple-pay/sessions"
    private static let requests = "/v1/payment-requests"
    private static let request: JSON = [
        "currency": "USD", "amount": 30_000, "country": "US",
        "contexts": [["external_identifier": "airline", "amount": 30_000]],
    ]

    /// Apple, which answers nobody until it is told to.
    private actor SilentApple {
        private(set) var asked = 0
        private var isSilent = true
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func answer() async -> SendResult {
            asked += 1
            if isSilent { await withCheckedContinuation { waiting.append($0) } }
            return .reply(WireReply(status: 200, body: Array("{}".utf8)))
        }

        func speak() {
            isSilent = false
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        nonisolated func waitUntilAsked(_ count: Int) async throws {
            while await asked < count { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    /// Lends an API where Apple is silent, two requests of a publishable key may be in hand, and one request may be inside
    /// the door.
    private static func with(_ body: @Sendable (APIHarness, SilentApple) async throws -> Void) async throws {
        let apple = SilentApple()
        let ports = WalletPorts(read: { _ in [] }, askApple: { _, _, _ in await apple.answer() })
        var settings = GatewayHarness.settings
        settings.admission = AdmissionLimits(atOnce: 1, waitMilliseconds: 60_000)
        let limits = APILimits(requestsPerPublishableKey: 2)
        try await APIHarness.with(.sqlite, settings: settings, limits: limits, wallets: ports) { api in
            let now = api.clock.now()
            try await api.database.write { session in
                let pair = WalletAccess.KeyPair(certificate: "file:a", key: "file:b")
                let wallets = WalletAccess(applePay: WalletAccess.ApplePay(identity: pair))
                try MarketplaceTable.save(
                    .init(id: "travel", name: "Travel Now", wallets: wallets),
                    at: now,
                    in: session
                )
                for var merchant in try MerchantTable.find(["agency"], of: "travel", in: session) {
                    merchant.merchantIdentifier = "merchant.agency"
                    try MerchantTable.save(merchant, at: now, in: session)
                }
            }
            let result: Result<Void, any Error>
            do { result = .success(try await body(api, apple)) } catch { result = .failure(error) }
            await apple.speak()
            try result.get()
        }
    }

    @Test("is refused beyond what the key may have in hand, and taken again once there is room")
    func inHand() async throws {
        let contract = try Contract()
        try await Self.with { api, apple in
            let page = try await api.client("publishable")
            let domain: JSON = ["domain": "shop.example"]
            // Whoever waits for Apple is inside the door no more, or the second one would not get so far.
            async let first = page.post(Self.sessions, domain)
            try await apple.waitUntilAsked(1)
            async let second = page.post(Self.sessions, domain)
            try await apple.waitUntilAsked(2)
            for (path, body) in [(Self.sessions, domain), (Self.requests, Self.request)] {
                let refused = try await page.post(path, body)
                #expect((refused.status, refused.code) == (429, "too_many_requests"), "\(refused)")
                #expect(refused.header("Retry-After") == "1")
                #expect(contract.complaints(about: refused, to: "POST \(path)") == [])
            }
            #expect(await apple.asked == 2)
            #expect(try await api.client("publishable").post(Self.requests, Self.request).status == 201)
            #expect(try await api.client("checkout").post(Self.requests, Self.request).status == 201)
            await apple.speak()
            let statuses = try await [first.status, second.status]
            #expect(statuses == [200, 200])
            for _ in 0..<3 { #expect(try await page.post(Self.requests, Self.request).status == 201) }
        }
    }

    @Test("frees its place where it is refused, too")
    func refused() async throws {
        try await Self.with { api, _ in
            let page = try await api.client("publishable")
            for _ in 0..<3 { #expect(try await page.post(Self.requests, [:]).status == 422) }
            #expect(try await page.post(Self.requests, Self.request).status == 201)
        }
    }
}
