import AdapterKit
import Domain
import Gateway
import HTTPTransport
import Keyring
import OpenSSLCMS
import SQL
import Storage
import StrictJSON
import Synchronization
import Testing
import TributaryTestKit

/// The travel agency with an order type of its own, Apple's push service in the test's hands, and devices that follow orders.
struct FollowedStage: Sendable {
    static let type = "order.com.example.travel"
    static let root = "/wallet-orders/v1"
    /// A trip of an airline (300.00 USD) and a hotel (150.00 USD) under manual capture that is followed.
    static let trip = OrderStage.loose.with("wallet_order", ["order_number": "T-1"])

    let api: APIHarness
    let apple: ScriptedApple
    /// A buyer's device that pays the marketplace.
    let wallet: TestWallet

    /// Lends a running API whose marketplace signs orders of its type.
    ///
    /// - Parameters:
    ///   - engine: the database.
    ///   - certificateEnd: until when the order type's certificate is valid, in seconds since 1970.
    ///   - body: what is done with it.
    /// - Throws: what `body` throws.
    static func with(
        _ engine: DatabaseEngine,
        certificateEnd: Int64 = 2_208_988_800,
        _ body: @Sendable (FollowedStage) async throws -> Void
    ) async throws {
        let wallet = try TestWallet(merchantIdentifier: WalletStage.agency)
        let key = try PrivateKey.generate(.rsa(bits: 2048))
        let certificate = try wallet.pki.authority.issue(
            CertificateRequest(
                subject: [("UID", type), ("CN", "Order Type ID: \(type)")],
                notBefore: 1_577_836_800,
                notAfter: certificateEnd
            ),
            for: key.publicKey
        )
        let apple = try ScriptedApple(files: [
            "file:certificate": try wallet.certificatePEM(), "file:key": try wallet.keyPEM(),
            "file:root": try wallet.rootPEM(), "file:order.pem": try certificate.pem(), "file:order.key": try key.pem(),
            "file:authority": try wallet.pki.authority.certificate.pem(), "file:logo": logo,
        ])
        try await APIHarness.with(engine, wallets: apple.ports) { api in
            let stage = FollowedStage(api: api, apple: apple, wallet: wallet)
            try await stage.declare()
            try await body(stage)
        }
    }

    /// Declares how orders are followed; another type only for what comes later.
    func declare(type: String = type, provider: WalletAccess.Orders.Provider? = nil) async throws {
        let orders = WalletAccess.Orders(
            type: type,
            identity: WalletAccess.KeyPair(certificate: "file:order.pem", key: "file:order.key"),
            intermediates: ["file:authority"],
            merchantIdentifier: "merchant.com.example.travel",
            logo: "file:logo",
            managementURL: "https://travel.example/orders/{reference}",
            webServiceURL: "https://pay.travel.example/wallet-orders",
            provider: provider
        )
        let applePay = WalletAccess.ApplePay(
            processing: [WalletAccess.KeyPair(certificate: "file:certificate", key: "file:key")],
            environment: .any,
            root: "file:root"
        )
        let now = api.clock.now()
        try await api.database.write { session in
            let wallets = WalletAccess(applePay: applePay, orders: orders)
            try MarketplaceTable.save(.init(id: "travel", name: "Travel Now", wallets: wallets), at: now, in: session)
            for var merchant in try MerchantTable.find(["agency"], of: "travel", in: session) {
                merchant.merchantIdentifier = WalletStage.agency
                try MerchantTable.save(merchant, at: now, in: session)
            }
        }
    }

    /// The head of a picture of 300 × 300 pixels without transparency.
    static let logo: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0x2C, 0, 0, 1, 0x2C, 8, 2, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + Array("IDAT".utf8) + [0, 0, 0, 0]

    /// The token of an order in Wallet.
    func token(_ id: String) throws -> String { try #require(api.gateway.walletOrders.token(id, of: Self.type)) }

    /// Sends what a device sends.
    func device(
        _ method: HTTPMethod,
        _ path: String,
        token: String? = nil,
        scheme: String = "AppleOrder",
        headers: [(String, String)] = [],
        body: JSON? = nil
    ) async throws -> APIReply {
        let authorization = token.map { [HTTPHeader("Authorization", "\(scheme) \($0)")] } ?? []
        let type = body == nil ? [] : [HTTPHeader("Content-Type", "application/json")]
        return try await api.anonymous.send(
            method,
            "\(Self.root)\(path)",
            headers: authorization + type + headers.map { HTTPHeader($0.0, $0.1) },
            body: body?.bytes ?? []
        )
    }

    /// Registers a device for an order.
    func register(_ device: String, for order: String, pushToken: String = "aa11") async throws -> APIReply {
        try await self.device(
            .post,
            "/devices/\(device)/registrations/\(Self.type)/\(order)",
            token: token(order),
            body: ["pushToken": .string(pushToken)]
        )
    }

    /// Tells something of an order.
    func put(_ path: String, of order: String, _ body: JSON, by client: APIClient) async throws -> APIReply {
        try await client.send(
            .put,
            "/v1/orders/\(order)/\(path)",
            headers: [HTTPHeader("Content-Type", "application/json")],
            body: body.bytes
        )
    }

    /// What waits for a person.
    func attention(_ query: String = "", scope: String = "operator") async throws -> [JSON] {
        try await api.client(scope).get("/v1/attention\(query)").json["data"]?.arrayValue ?? []
    }

    /// Waits until those reasons are what waits for a person, with the clock moved on meanwhile.
    func expectAttention(_ reasons: [String]) async throws {
        let end = ContinuousClock.now + .patience
        while true {
            let found = try await attention().compactMap { $0["reason"]?.stringValue }
            if found == reasons { return }
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("\(reasons), but \(found)") }
            api.clock.advance(milliseconds: 10_000)
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// `order.json` of an order's package, which stands in it as it is.
    func document(_ order: String) async throws -> JSON {
        let bytes = try await fetch(order).bytes
        let start = try #require(bytes.firstRange(of: Array("{\"schemaVersion\"".utf8))).lowerBound
        let end = try #require(bytes[start...].firstRange(of: [0x50, 0x4B, 3, 4])).lowerBound
        return try JSON.parse(Array(bytes[start..<end]))
    }

    /// Fetches an order's package.
    func fetch(_ order: String, headers: [(String, String)] = []) async throws -> APIReply {
        try await device(.get, "/orders/\(Self.type)/\(order)", token: token(order), headers: headers)
    }

    /// The versions of an order's packages, the whole order's first.
    func versions(_ order: String) async throws -> [Int64] {
        let id = try #require(OrderID(order))
        return try await api.database.read { session in
            try WalletOrderTable.all(of: id, in: session).map(\.version)
        }
    }
}

/// Apple's push service, as a test scripts it: answers in their order, then 200.
final class ScriptedApple: Sendable {
    /// A push that was sent.
    struct Push: Hashable, Sendable {
        let url: String
        let headers: [String: String]
        let body: String
    }

    private struct State {
        var files: [String: [UInt8]]
        var answers: [SendResult] = []
        var pushes: [Push] = []
    }

    private let state: Mutex<State>
    private let fingerprints: Fingerprints

    init(files: [String: [UInt8]]) throws {
        state = Mutex(State(files: files))
        fingerprints = try Fingerprints(key: Keyring.makeKey())
    }

    /// What was sent, in its order.
    var pushes: [Push] { state.withLock(\.pushes) }

    /// Answers so, next.
    func answer(_ status: Int, _ body: JSON = .object([])) {
        state.withLock { $0.answers.append(.reply(WireReply(status: status, headers: [], body: body.bytes))) }
    }

    /// What is behind a reference.
    func file(_ reference: String) -> [UInt8]? { state.withLock { $0.files[reference] } }

    /// Puts other bytes behind a reference; nothing if they are nil.
    func put(_ bytes: [UInt8]?, at reference: String) { state.withLock { $0.files[reference] = bytes } }

    /// The ports that a gateway has with it.
    var ports: WalletPorts {
        WalletPorts(
            read: { reference in
                guard let bytes = self.state.withLock({ $0.files[reference] }) else {
                    throw HarnessFailure.neverCame(reference)
                }
                return bytes
            },
            askApple: { request, _, _ in
                self.state.withLock { state in
                    let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
                    let body = String(decoding: request.body, as: UTF8.self)
                    state.pushes.append(Push(url: request.url, headers: headers, body: body))
                    if state.answers.isEmpty { return .reply(WireReply(status: 200, headers: [], body: [])) }
                    return state.answers.removeFirst()
                }
            },
            authenticate: { [fingerprints] subject in fingerprints.hash(of: Array(subject.utf8)) }
        )
    }

    /// The pushes once there are as many, with the clock moved on meanwhile.
    func pushes(_ count: Int, moving clock: ManualClock, by milliseconds: Int64 = 500) async throws -> [Push] {
        let end = ContinuousClock.now + .patience
        while pushes.count < count {
            guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("\(count) pushes, not \(pushes)") }
            clock.advance(milliseconds: milliseconds)
            try await Task.sleep(for: .milliseconds(20))
        }
        return pushes
    }
}
