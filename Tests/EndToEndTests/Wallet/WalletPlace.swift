import Domain
import Foundation
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing
import TributaryTestKit

/// A marketplace that opens Apple Pay tokens, with a PSP that runs, and a buyer's device.
struct WalletPlace {
    /// Where commands run.
    let place: Workplace
    /// The buyer's device.
    let device: TestWallet
    /// The PSP.
    let psp: RunningSimulator
    /// An API key that places orders.
    let key: String
    /// The database.
    let location: DatabaseLocation

    /// Lends a marketplace, with nothing that serves it yet.
    static func with(
        _ engine: DatabaseEngine,
        settings: String = "log_level: info\n",
        callback: String? = nil,
        _ body: (WalletPlace) async throws -> Void
    ) async throws {
        try await withSimulators(1) { simulators in
            try await Workplace.withDatabase(engine) { place in
                var place = place
                if callback != nil {
                    place.environment["TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK"] = "true"
                    place.environment["HOOK_SECRET"] = Hooks.secret
                }
                let device = try TestWallet()
                try place.write(device.certificatePEM(), to: "certificate.pem")
                try place.write(device.keyPEM(), to: "key.pem")
                try place.write(device.rootPEM(), to: "root.pem")
                try place.write(declaration(simulators[0].baseURL, callback), to: "marketplace.yaml")
                try place.write(settings, to: "tributary.yaml")
                _ = try await place.json("apply", "marketplace.yaml")
                let made = try await place.json("keys", "create", "--scope", "checkout")
                try await body(
                    WalletPlace(
                        place: place,
                        device: device,
                        psp: simulators[0],
                        key: try #require(made["key"]?.stringValue),
                        location: place.environment["TRIBUTARY_DATABASE_URL"].map { .postgres(url: $0) }
                            ?? .sqlite(path: place.path("tributary.sqlite"))
                    )
                )
            }
        }
    }

    private static func declaration(_ baseURL: String, _ callback: String?) -> String {
        MarketplaceFile(
            baseURL: baseURL,
            callback: callback,
            extra: """
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
                """
        ).text
    }

    /// Starts a server that says all it can, and answers it and its URL.
    func serve() async throws -> (RunningProgram, String) {
        try await place.serve([
            "serve", "--stop-when-stdin-closes", "--log-level", "trace", "--config", "tributary.yaml",
        ])
    }

    /// A means of payment: a token signed now.
    func applePay(_ payment: TestApplePayment) throws -> JSON {
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        return ["type": "apple_pay", "token": try device.token(payment, signedAt: now)]
    }

    /// An order for airline and, where a second amount is said, hotel.
    static func order(_ amounts: [Int64], _ payment: JSON, reference: String? = nil) -> JSON {
        .object(omittingAbsent: [
            "reference": reference.map(JSON.string), "currency": "USD", "amount": .integer(amounts.reduce(0, +)),
            "policy": ["type": "all_or_nothing"], "payment": payment,
            "contexts": .array(
                zip(["airline-1", "hotel-7"], amounts).map {
                    ["external_identifier": .string($0), "amount": .integer($1)]
                }
            ),
        ])
    }

    /// Places an order.
    func post(_ order: JSON, key idempotencyKey: String, to url: String) async throws -> (status: Int, json: JSON) {
        let call = HTTPCall(.post, url + "/v1/orders", key: key).sending(order, idempotencyKey: idempotencyKey)
        let reply = try await call.reply()
        return (reply.status, try JSON.parse(reply.body))
    }
}
