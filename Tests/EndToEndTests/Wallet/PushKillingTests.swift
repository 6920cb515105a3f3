import Domain
import Foundation
import HTTPTransport
import Logging
import OpenSSLCMS
import StrictJSON
import Testing
import TributaryTestKit
import WalletTwins

@Suite("Pushes of a gateway that is killed", .timeLimit(.minutes(10)))
struct PushKillingTests {
    private static let type = "order.com.example.travel"
    private static let pushToken = String(repeating: "ab", count: 32)
    @Test(
        "are sent by the next one: those that nobody sent, and those that nobody heard an answer to",
        arguments: DatabaseEngine.allCases
    )
    func killed(_ engine: DatabaseEngine) async throws {
        let keys = try OrderTypeKeys(
            orderTypeIdentifier: Self.type,
            notBefore: Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000) - 86_400_000_000)
        )
        let silent = Logger(label: "apns") { _ in SwiftLogNoOpLogHandler() }
        let first = try await APNsTwin(keys: keys, logger: silent).start()
        try await WalletPlace.with(engine) { stage in
            try await Self.declare(keys, first.url, in: stage.place)
            var (server, url) = try await stage.serve()
            let order = try await Self.order(stage, url)
            #expect(try await Self.register(order, url) == 201)

            // Apple gets the push, and nobody hears what it says.
            first.book.script(Self.pushToken, .silence)
            #expect(try await Self.tell("open", of: order, stage, url) == 201)
            #expect(await first.book.wait(for: 1, within: .patience))
            _ = await server.kill()
            (server, url) = try await stage.serve()
            #expect(await first.book.wait(for: 2, within: .patience))
            #expect(first.book.refusals.isEmpty, "\(first.book.refusals)")

            // What was written down while Apple was away is sent by a server that was not there.
            await first.stop()
            #expect(try await Self.tell("onTheWay", of: order, stage, url) == 200)
            _ = await server.kill()
            let second = try await APNsTwin(keys: keys, port: first.port, logger: silent).start()
            (server, url) = try await stage.serve()
            #expect(await second.book.wait(for: 1, within: .patience))
            let push = try #require(second.book.pushes.first)
            #expect(push.topic == Self.type)
            #expect(push.pushToken == Self.pushToken)
            _ = await server.stop()
            await second.stop()
        }
    }

    private struct Followed {
        let id: String
        let token: String
        let payment: String
    }

    private static func declare(_ keys: OrderTypeKeys, _ apns: String, in place: Workplace) async throws {
        try place.write(keys.orderType.certificate.pem(), to: "order.pem")
        try place.write(keys.orderType.key.pem(), to: "order.key")
        try place.write(keys.authority.certificate.pem(), to: "authority.pem")
        try place.write(keys.root.certificate.pem(), to: "apns-root.pem")
        try place.write(PlainPicture.png(), to: "logo.png")
        let declared = String(decoding: try place.bytes(of: "marketplace.yaml"), as: UTF8.self)
        try place.write(
            declared + """

                wallet_orders:
                  order_type_identifier: \(type)
                  certificate: "file:order.pem"
                  key: "file:order.key"
                  intermediates: ["file:authority.pem"]
                  merchant_identifier: merchant.test.marketplace
                  logo: "file:logo.png"
                  order_management_url: "https://travel.example/orders/{reference}"
                  web_service_url: "https://pay.travel.example/wallet-orders"
                  push_url: "\(apns)"
                  push_authorities: "file:apns-root.pem"
                """,
            to: "marketplace.yaml"
        )
        _ = try await place.json("apply", "marketplace.yaml")
    }

    private static func order(_ stage: WalletPlace, _ url: String) async throws -> Followed {
        let body = WalletPlace.order([30_000], try stage.applePay(TestApplePayment(amount: 30_000)))
        let reply = try await stage.post(body, key: "one", to: url)
        let details = try #require(reply.json["apple_pay"]?["order_details"], "\(reply)")
        return Followed(
            id: try #require(details["orderIdentifier"]?.stringValue),
            token: try #require(details["authenticationToken"]?.stringValue),
            payment: try #require(reply.json["payments"]?.arrayValue?.first?["id"]?.stringValue)
        )
    }

    private static func register(_ order: Followed, _ url: String) async throws -> Int {
        try await HTTPCall(
            .post,
            "\(url)/wallet-orders/v1/devices/dev-A/registrations/\(type)/\(order.id)",
            authorization: "AppleOrder \(order.token)"
        )
        .sending(["pushToken": .string(pushToken)], idempotencyKey: "none").reply().status
    }

    private static func tell(
        _ status: String,
        of order: Followed,
        _ stage: WalletPlace,
        _ url: String
    ) async throws -> Int {
        let path = "\(url)/v1/orders/\(order.id)/fulfillments/parcel-1"
        let body: JSON = ["type": "shipping", "status": .string(status), "payment": .string(order.payment)]
        return try await HTTPCall(.put, path, key: stage.key).sending(body, idempotencyKey: "none").reply().status
    }
}
