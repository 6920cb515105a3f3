import AdapterKit
import Domain
import Gateway
import SQL
import SimulatorAdapter
import Storage
import StrictJSON
import TributaryTestKit

/// The travel agency with Apple Pay keys of its own, and the device of a buyer.
struct WalletStage: Sendable {
    /// The marketplace's own merchant identifier, for which bundles are encrypted.
    static let agency = "merchant.agency"

    /// A buyer's device that pays the marketplace.
    let device: TestWallet
    /// The API.
    let api: APIHarness

    /// Lends a running API whose marketplace opens what `device` makes.
    static func with(
        _ engine: DatabaseEngine,
        passThrough: Set<String> = [],
        adapter: any PaymentAdapter.Type = SimulatorAdapter.self,
        apple: MerchantTokenTwin? = nil,
        _ body: @Sendable (WalletStage) async throws -> Void
    ) async throws {
        let device = try TestWallet(merchantIdentifier: agency)
        let files: [String: [UInt8]] = [
            "file:certificate": try device.certificatePEM(), "file:key": try device.keyPEM(),
            "file:root": try device.rootPEM(),
        ]
        let ports =
            apple?.ports(files: files)
            ?? WalletPorts(
                read: { reference in
                    guard let bytes = files[reference] else { throw HarnessFailure.neverCame(reference) }
                    return bytes
                },
                askApple: { _, _, _ in .failure(reason: "no way to Apple", mayHaveArrived: false) }
            )
        try await APIHarness.with(engine, wallets: ports, adapter: adapter) { api in
            try await declare(passThrough, apple, in: api)
            try await body(WalletStage(device: device, api: api))
        }
    }

    private static func declare(
        _ passThrough: Set<String>,
        _ apple: MerchantTokenTwin?,
        in api: APIHarness
    ) async throws {
        let now = api.clock.now()
        var access = apple?.access() ?? WalletAccess.ApplePay(environment: .any)
        access.processing = [WalletAccess.KeyPair(certificate: "file:certificate", key: "file:key")]
        access.root = "file:root"
        try await api.database.write { [access] session in
            let wallets = WalletAccess(applePay: access)
            try MarketplaceTable.save(.init(id: "travel", name: "travel", wallets: wallets), at: now, in: session)
            let names = ["agency", "airline", "hotel", "taxi"]
            for var merchant in try MerchantTable.find(names, of: "travel", in: session) {
                if merchant.kind == .marketplace { merchant.merchantIdentifier = agency }
                if passThrough.contains(merchant.externalIdentifier) {
                    for index in merchant.routes.indices { merchant.routes[index].applePay = .passThrough }
                }
                try MerchantTable.save(merchant, at: now, in: session)
            }
        }
    }

    /// What a merchant of a bundle gets.
    static func response(_ merchant: String, _ amount: Int64) -> TestApplePayment.Response {
        TestApplePayment.Response(
            merchantHash: "hash-of-\(merchant)",
            amount: amount,
            cryptogram: cryptogram(of: merchant)
        )
    }

    /// A cryptogram in Base64 that only one merchant gets.
    static func cryptogram(of merchant: String) -> String {
        switch merchant {
        case "airline": "AAAAAAAAAAAAAAAAAAAAAAAAAAE="
        case "hotel": "AAAAAAAAAAAAAAAAAAAAAAAAAAI="
        default: "AAAAAAAAAAAAAAAAAAAAAAAAAAM="
        }
    }

    /// A token signed now.
    func token(_ payment: TestApplePayment, applicationData: [UInt8]? = nil) throws -> JSON {
        try device.token(payment, signedAt: api.clock.now(), applicationData: applicationData)
    }

    /// An order that one token pays.
    static func order(_ contexts: [(merchant: String, amount: Int64)], token: JSON) -> JSON {
        [
            "currency": "USD", "amount": .integer(contexts.reduce(0) { $0 + $1.amount }),
            "policy": ["type": "all_or_nothing"], "payment": ["type": "apple_pay", "token": token],
            "contexts": .array(
                contexts.map { ["external_identifier": .string($0.merchant), "amount": .integer($0.amount)] }
            ),
        ]
    }

    /// The cryptograms that the PSP was sent, each with the amount that was asked for.
    func cryptogramsSent() async throws -> [Int64: String] {
        var sent: [Int64: String] = [:]
        for call in await api.psp.calls where call.kind == .authorize {
            let body = try JSON.parse(call.body)
            guard let amount = body["amount"]?.integerValue else { continue }
            sent[amount] = body["network_token"]?["cryptogram"]?.stringValue ?? "none"
        }
        return sent
    }
}

extension WalletStage {
    /// Gives merchants an Apple merchant identifier of their own.
    func name(_ identifiers: [String: String]) async throws {
        let now = api.clock.now()
        try await api.database.write { session in
            for var merchant in try MerchantTable.find(Array(identifiers.keys), of: "travel", in: session) {
                merchant.merchantIdentifier = identifiers[merchant.externalIdentifier]
                try MerchantTable.save(merchant, at: now, in: session)
            }
        }
    }

    /// Says what a hash is, as an operator does.
    func decide(_ hash: String, _ merchant: String, _ state: MerchantHashTable.State) async throws {
        let now = api.clock.now()
        let isWritten = try await api.database.write { session in
            try MerchantHashTable.decide(hash, of: merchant, marketplace: "travel", state: state, at: now, in: session)
        }
        guard isWritten else { throw HarnessFailure.neverCame("no row for \(hash) and \(merchant)") }
    }
}
