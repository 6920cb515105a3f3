import Domain
import Gateway
import Logging
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

/// Agreements of the travel agency's airline that begin with merchant tokens, over instances of a harness and a twin of Apple's
/// API.
struct MerchantTokenStage {
    /// The merchant identifier of the agency, by which Apple knows the airline.
    static let identifier = "merchant.agency"
    /// A token of the vectors.
    static let token = "9bf7e4b0c1d24a5f8e6a3c2b1d0e9f88"

    let harness: GatewayHarness
    let twin: MerchantTokenTwin
    let desk: AgreementDesk
    let airline: MerchantID
    /// A buyer's device, whose tokens the marketplace opens.
    let device: TestWallet

    /// Lends a stage on a fresh database.
    static func with(
        _ engine: DatabaseEngine,
        _ body: (MerchantTokenStage) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(engine) { harness in try await with(harness, body) }
    }

    /// Lends a stage on a harness.
    static func with(_ harness: GatewayHarness, _ body: (MerchantTokenStage) async throws -> Void) async throws {
        let twin = try MerchantTokenTwin()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(MerchantTokenStage(harness, twin)))
        } catch {
            result = .failure(error)
        }
        await twin.stop()
        try result.get()
    }

    private init(_ harness: GatewayHarness, _ twin: MerchantTokenTwin) async throws {
        (self.harness, self.twin, desk) = (harness, twin, AgreementDesk(harness: harness))
        device = try TestWallet(merchantIdentifier: Self.identifier)
        let now = harness.clock.now()
        airline = try await harness.database.write { session in
            for var merchant in try MerchantTable.find(["agency"], of: "travel", in: session) {
                merchant.merchantIdentifier = Self.identifier
                try MerchantTable.save(merchant, at: now, in: session)
            }
            return try #require(try MerchantTable.find(["airline"], of: "travel", in: session).first?.id)
        }
        try await declare(.merchant)
    }

    /// Declares what the marketplace shows to Apple.
    func declare(_ identity: MerchantTokenTwin.Identity, of marketplace: String = "travel") async throws {
        var access = twin.access(showing: identity)
        access.processing = [WalletAccess.KeyPair(certificate: "test:certificate", key: "test:key")]
        access.root = "test:root"
        let wallets = WalletAccess(applePay: access)
        let now = harness.clock.now()
        try await harness.database.write { session in
            try MarketplaceTable.save(
                .init(id: marketplace, name: marketplace, wallets: wallets),
                at: now,
                in: session
            )
        }
    }

    /// An instance that has the twin for Apple, and unless said otherwise the keys that tokens are encrypted for.
    func instance(
        _ name: String,
        endingAt death: InstanceLife.Death? = nil,
        showing identity: MerchantTokenTwin.Identity = .merchant,
        hasKeys: Bool = true,
        logger: Logger = Logger(label: "gateway") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> GatewayInstance {
        var files: [String: [UInt8]] = ["test:root": try device.rootPEM()]
        if hasKeys {
            files["test:certificate"] = try device.certificatePEM()
            files["test:key"] = try device.keyPEM()
        }
        return harness.instance(name, endingAt: death, logger: logger) { life in
            twin.ports(showing: identity, life: life, files: files)
        }
    }

    /// The draft of a first payment with a merchant token.
    static func first(of id: AgreementID, _ token: String = token) throws -> OrderDraft {
        var draft = try AgreementDesk.first(of: id)
        draft.contexts[0].payment?.merchantToken = token
        return draft
    }

    /// Makes an agreement, and has the buyer pay under it with a merchant token.
    func begun(on instance: GatewayInstance, _ token: String = token) async throws -> AgreementID {
        let id = try await desk.make()
        let answer = try await instance.gateway.place(Self.first(of: id, token), under: TestCheckout.use("first \(id)"))
        _ = try await harness.orderAtRest(answer.order)
        return id
    }

    /// Announces an event as Apple does, after Apple has it.
    @discardableResult
    func announce(
        _ event: String,
        _ body: JSON?,
        on instance: GatewayInstance,
        to merchant: MerchantID? = nil
    ) async throws -> MerchantTokenInbox.Receipt {
        if let body { twin.book.put(event, body) }
        return try await instance.gateway.merchantTokens.take(event, to: merchant ?? airline)
    }

    /// Where an event stands.
    func state(of event: String) async throws -> MerchantTokenNotice.State? {
        try await notice(event)?.state
    }

    /// An event as it is stored.
    func notice(_ event: String) async throws -> MerchantTokenNotice? {
        try await harness.database.read { [airline] session in
            try MerchantTokenNoticeTable.find(event, to: airline, in: session)
        }
    }

    /// The reasons of what waits for a person, about tokens.
    func problems() async throws -> [WalletProblem] {
        try await harness.database.read { session in try WalletProblemTable.all(of: "travel", in: session) }
    }

    /// Fetches what is due on an instance until nothing is.
    func pull(on instance: GatewayInstance) async { while await instance.gateway.pullMerchantTokens() > 0 {} }

    // MARK: Events

    static func unlink(_ token: String = token, by reason: String = "USER") -> JSON {
        ["eventType": "UNLINK", "merchantTokenIdentifier": .string(token), "reason": .string(reason)]
    }

    static func card(_ last4: String, _ expiry: String, _ token: String = token) -> JSON {
        [
            "eventType": "UPDATED_METADATA", "merchantTokenIdentifier": .string(token), "reason": "ISSUER",
            "merchantTokenMetadata": [
                "cardMetadata": [
                    "fpanSuffix": .string(last4), "expirationDate": .string(expiry), "cardCountry": "US",
                    "shortDescription": "Visa", "longDescription": "Visa Signature",
                ]
            ],
        ]
    }

    static func art(_ token: String = token) -> JSON {
        [
            "eventType": "UPDATED_CARD_ART", "merchantTokenIdentifier": .string(token), "reason": "ISSUER",
            "merchantTokenMetadata": [
                "cardArt": [
                    ["name": "Bank Visa", "type": "background", "url": "https://cards.example/art.png"]
                ]
            ],
        ]
    }

    static func key(_ token: String = token) -> JSON {
        [
            "eventType": "UPDATED_MERCHANT_TOKEN_PUBLIC_KEY", "merchantTokenIdentifier": .string(token),
            "reason": "USER",
        ]
    }
}
