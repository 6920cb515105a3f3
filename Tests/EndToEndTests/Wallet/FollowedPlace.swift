import Domain
import Foundation
import HTTPTransport
import Logging
import OpenSSLCMS
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit
import WalletTwins

/// A marketplace of three submerchants whose orders can be followed, with Apple's push service and a buyer's device.
struct FollowedPlace {
    static let type = "order.com.example.travel"
    /// What the declaration says of the web service; the device asks the server itself.
    static let webServiceURL = "https://pay.travel.example/wallet-orders"
    static let pushToken = String(repeating: "d1", count: 32)

    /// Where commands run.
    let place: Workplace
    /// Apple's push service.
    let apns: RunningAPNsTwin
    /// The buyer's device.
    let device: DeviceTwin
    /// An API key that places orders and acts on them.
    let key: String

    /// Lends a marketplace, with nothing that serves it yet.
    static func with(_ engine: DatabaseEngine, _ body: (FollowedPlace) async throws -> Void) async throws {
        let start = MomentOfTest.now.adding(milliseconds: -86_400_000)
        let keys = try OrderTypeKeys(orderTypeIdentifier: type, notBefore: start)
        let apns = try await APNsTwin(keys: keys, logger: Logger(label: "apns") { _ in SwiftLogNoOpLogHandler() })
            .start()
        let transport = HTTPTransport()
        let result: Result<Void, any Error>
        do {
            try await with(engine, keys, apns, transport, body)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await transport.stop()
        await apns.stop()
        try result.get()
    }

    private static func with(
        _ engine: DatabaseEngine,
        _ keys: OrderTypeKeys,
        _ apns: RunningAPNsTwin,
        _ transport: HTTPTransport,
        _ body: (FollowedPlace) async throws -> Void
    ) async throws {
        try await withSimulators(1) { simulators in
            try await Workplace.withDatabase(engine) { place in
                for (name, bytes) in [
                    ("order.pem", try keys.orderType.certificate.pem()), ("order.key", try keys.orderType.key.pem()),
                    ("wwdr.pem", try keys.authority.certificate.pem()), ("apns.pem", try keys.root.certificate.pem()),
                    ("logo.png", PlainPicture.png()),
                ] { try place.write(bytes, to: name) }
                let made = try await place.run(
                    "apple-pay",
                    "make-test-token",
                    "--out",
                    "wallet",
                    "--merchant-identifier",
                    "merchant.test.marketplace"
                )
                try #require(made.status == 0, "\(made.err)")
                let file = declaration(simulators[0].baseURL, pushURL: apns.url) + made.out
                try place.write(file, to: "marketplace.yaml")
                let applied = try await place.run("apply", "marketplace.yaml")
                try #require(applied.status == 0, "\(applied.err)")
                let key = try await place.json("keys", "create", "--scope", "checkout", "--scope", "operator")
                let settings = DeviceTwin.Settings(
                    webServiceURL: "",
                    orderTypeIdentifier: type,
                    roots: try TrustRoots([keys.root.certificate]),
                    deviceIdentifier: "device-1",
                    pushToken: pushToken
                )
                let device = DeviceTwin(settings, transport: transport) { MomentOfTest.now }
                let text = try #require(key["key"]?.stringValue)
                try await body(FollowedPlace(place: place, apns: apns, device: device, key: text))
            }
        }
    }

    private static func declaration(_ baseURL: String, pushURL: String) -> String {
        MarketplaceFile(
            baseURL: baseURL,
            extra: """
                  - external_identifier: car-3
                    name: Open Road
                    routes: [{ psp_account: sim }]
                  - external_identifier: agency
                    name: Agency
                    kind: marketplace
                    merchant_identifier: merchant.test.marketplace
                    routes: [{ psp_account: sim }]
                wallet_orders:
                  order_type_identifier: \(type)
                  certificate: "file:order.pem"
                  key: "file:order.key"
                  intermediates: ["file:wwdr.pem"]
                  merchant_identifier: merchant.com.example.travel
                  logo: "file:logo.png"
                  order_management_url: "https://travel.example/orders/{reference}"
                  web_service_url: "\(webServiceURL)"
                  push_url: "\(pushURL)"
                  push_authorities: "file:apns.pem"

                """
        ).text
    }

    /// Starts a server, and has the device ask it.
    func serve() async throws -> (RunningProgram, String) {
        let (server, url) = try await place.serve()
        await device.reach(url + "/wallet-orders")
        return (server, url)
    }

    /// Places an order of the three submerchants under manual capture, paid with Apple Pay.
    func order(_ url: String, reference: String) async throws -> FollowedOrder {
        let made = try await place.run([
            "apple-pay", "make-test-token", "--keys", "wallet", "--amount", "600.00", "--currency", "USD", "--context",
            "airline-1=300.00", "--context", "hotel-7=200.00", "--context", "car-3=100.00",
        ])
        try #require(made.status == 0, "\(made.err)")
        let parts = [("airline-1", 30_000), ("hotel-7", 20_000), ("car-3", 10_000)] as [(String, Int64)]
        let body: JSON = [
            "reference": .string(reference), "currency": "USD", "amount": 60_000, "capture": "manual",
            "policy": ["type": "best_effort"], "payment": try JSON.parse(text: made.out),
            "contexts": .array(
                parts.map { ["external_identifier": .string($0.0), "amount": .integer($0.1)] }
            ),
        ]
        let reply = try await HTTPCall(.post, url + "/v1/orders", key: key)
            .sending(body, idempotencyKey: reference).reply()
        let answer = try JSON.parse(reply.body)
        try #require(reply.status == 201, "\(answer.text)")
        return FollowedOrder(
            id: try #require(answer["id"]?.stringValue),
            payments: (answer["payments"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue },
            details: answer.at("apple_pay/order_details"),
            url: url,
            key: key
        )
    }

    /// Waits until so many pushes came in all.
    func expectPushes(_ count: Int, within limit: Duration = .patience) async throws {
        try #require(
            await apns.book.wait(for: count, within: limit),
            "\(apns.book.pushes.count) of \(count) pushes came"
        )
        #expect(apns.book.pushes.count == count)
        #expect(apns.book.refusals.isEmpty)
    }
}

/// The time, for tests that run beside the real one.
enum MomentOfTest {
    static var now: Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }
}

/// An order that is followed, and what can be asked of it.
struct FollowedOrder {
    let id: String
    let payments: [String]
    /// What the sheet ends with, where it is told how to follow the order.
    let details: JSON?
    let url: String
    let key: String

    /// The token that the device gets.
    var token: Secret { Secret(details?["authenticationToken"]?.stringValue ?? "") }

    /// Captures or refunds an amount of one payment.
    func ask(_ what: String, _ index: Int, _ amount: Int64, key idempotencyKey: String) async throws -> Int {
        let item: JSON = ["payment": .string(payments[index]), "amount": .integer(amount)]
        let call = HTTPCall(.post, "\(url)/v1/orders/\(id)/\(what)", key: key)
            .sending(["items": [item]], idempotencyKey: idempotencyKey)
        return try await call.reply().status
    }

    /// Tells how goods of one payment come to the buyer.
    func tell(_ name: String, _ index: Int, _ body: JSON) async throws -> Int {
        let call = HTTPCall(.put, "\(url)/v1/orders/\(id)/fulfillments/\(name)", key: key)
            .sending(body.with("payment", .string(payments[index])), idempotencyKey: "tell")
        return try await call.reply().status
    }
}
