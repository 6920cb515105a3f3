import Checkout
import Domain
import Foundation
import Logging
import PSPSimulator
import StrictJSON
import Testing
import TributaryClient
import TributaryTestKit

/// A shop with its checkout page, the gateway that it is paid through, a PSP, Apple's session server, and a device.
struct CheckoutStage: Sendable {
    /// What Apple answers when a session is asked for.
    static let session: JSON = ["merchantSessionIdentifier": "SSH", "nonce": "a1b2"]

    private static let items: [ShopSettings.Item] = [
        .init(merchant: "airline-1", merchantName: "Skyways", name: "Flight", amount: 30_000, pspAccount: "sim"),
        .init(merchant: "hotel-7", merchantName: "Grand Hotel", name: "Room", amount: 18_500, pspAccount: "sim"),
        .init(merchant: "car-3", merchantName: "Coast Cars", name: "Car", amount: 9000, pspAccount: "sim"),
    ]

    /// Where the shop is.
    let shopURL: String
    /// The marketplace, as it sees its orders.
    let client: TributaryClient
    /// The buyer's device.
    let device: TestWallet
    private let psp: RunningSimulator

    /// Lends all of it, and stops it afterwards.
    static func with(_ body: (CheckoutStage) async throws -> Void) async throws {
        try await withSimulators(1) { simulators in
            try await Workplace.withDatabase(.sqlite) { place in
                let apple = try AppleSessionServer(answering: session)
                defer { apple.stop() }
                let device = try TestWallet()
                try place.write(device.certificatePEM(), to: "certificate.pem")
                try place.write(device.keyPEM(), to: "key.pem")
                try place.write(device.rootPEM(), to: "root.pem")
                let port = try #require(URL(string: simulators[0].baseURL)?.port)
                try place.write(declaration(at: port, apple), to: "marketplace.yaml")
                let origin = "http://127.0.0.1:\(try await FreePort.find())"
                try place.write(settings(allowing: origin), to: "tributary.yaml")
                _ = try await place.json("apply", "marketplace.yaml")
                let secret = try await place.json("keys", "create", "--scope", "checkout")
                let publishable = try await place.json("keys", "create", "--scope", "publishable")
                let keys = (try #require(secret["key"]?.stringValue), try #require(publishable["key"]?.stringValue))
                try await place.whileServing(["serve", "--stop-when-stdin-closes", "--config", "tributary.yaml"]) {
                    url in
                    try await serve(at: origin, keys, through: url) { shop, client in
                        try await body(
                            CheckoutStage(shopURL: shop.url, client: client, device: device, psp: simulators[0])
                        )
                    }
                }
            }
        }
    }

    private static func settings(allowing origin: String) -> String {
        """
        log_level: error
        page_origins: ["\(origin)"]
        timings: { psp_timeout: 3s, psp_connect_timeout: 1s, lease: 34s, poll: 50ms }

        """
    }

    /// Serves the shop, whose page starts sessions with its own key at the gateway itself.
    private static func serve(
        at origin: String,
        _ keys: (secret: String, publishable: String),
        through gatewayURL: String,
        _ body: (RunningShop, TributaryClient) async throws -> Void
    ) async throws {
        let client = TributaryClient(baseURL: gatewayURL, key: keys.secret)
        let settings = ShopSettings(
            gatewayURL: gatewayURL,
            apiKey: Secret(keys.secret),
            items: items,
            wallet: .init(domain: "shop.example", publishableKey: keys.publishable)
        )
        let port = try #require(URL(string: origin)?.port)
        let quiet = Logger(label: "shop") { _ in SwiftLogNoOpLogHandler() }
        let result: Result<Void, any Error>
        do {
            let shop = try await ShopServer(settings, client: client, port: port, logger: quiet).start()
            do { result = .success(try await body(shop, client)) } catch { result = .failure(error) }
            await shop.stop()
        } catch {
            await client.close()
            throw error
        }
        await client.close()
        try result.get()
    }

    private static func declaration(at port: Int, _ apple: AppleSessionServer) -> String {
        MarketplaceFile(
            baseURL: "http://127.0.0.1:\(port)",
            extra: """
                  - external_identifier: car-3
                    name: Coast Cars
                    routes: [{ psp_account: sim }]
                  - external_identifier: agency
                    name: Agency
                    kind: marketplace
                    merchant_identifier: merchant.test.marketplace
                    routes: [{ psp_account: sim }]
                apple_pay:
                  environment: any
                  root: "file:root.pem"
                  processing_certificates:
                    - { certificate: "file:certificate.pem", key: "file:key.pem" }
                  merchant_identity: { certificate: "file:\(apple.client.certificate)", key: "file:\(apple.client.key)" }
                  session_url: "https://localhost:\(apple.port)/paymentservices/paymentSession"
                  session_authorities: "file:\(apple.authorities)"
                """
        ).text
    }

    /// The orders that were placed, the newest first.
    func orders() async throws -> [TributaryClient.Order] { try await client.list().orders }

    /// What the PSP wrote down.
    func authorizations() async -> [Authorization] { await psp.authorizations(of: "sim") }

    /// The token that a sheet with this request hands over once the buyer has confirmed.
    func token(for request: JSON) throws -> JSON {
        let contexts = request["multiTokenContexts"]?.arrayValue ?? []
        let responses = try contexts.enumerated().map { number, context in
            let name = try #require(context["externalIdentifier"]?.stringValue)
            let item = try #require(Self.items.first { $0.merchant == name })
            return TestApplePayment.Response(
                merchantHash: "hash-of-\(name)",
                amount: item.amount,
                cryptogram: Data([UInt8](repeating: 0, count: 19) + [UInt8(number)]).base64EncodedString()
            )
        }
        let text = try #require(request["applicationData"]?.stringValue)
        return try device.token(
            TestApplePayment(amount: Self.items.reduce(0) { $0 + $1.amount }, responses: responses),
            signedAt: Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)),
            applicationData: [UInt8](try #require(Data(base64Encoded: text)))
        )
    }
}

/// A server that demands the merchant's certificate, in place of Apple's.
private struct AppleSessionServer {
    /// The certificate that the merchant shows.
    let client: (certificate: String, key: String)
    private let server: TLSServer
    private let authority: TestAuthority

    /// Starts it.
    init(answering session: JSON) throws {
        authority = try TestAuthority()
        client = try authority.issue(.client)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(session.bytes.count)\r\nConnection: close\r\n\r\n"
        server = try TLSServer(
            authority.issue(.localhost),
            options: ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate],
            responder: TLSServer.answeringEachRequest(
                with: [Array(head.utf8) + session.bytes],
                endingIn: "\"initiativeContext\""
            )
        )
    }

    /// The port that it listens on.
    var port: UInt16 { server.port }

    /// Where the certificate of its authority is.
    var authorities: String { authority.certificate }

    /// Ends it.
    func stop() { server.stop() }
}
