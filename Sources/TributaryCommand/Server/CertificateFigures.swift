import Domain
import Gateway
import OpenSSLCMS
import SQL
import ServiceLifecycle
import Settings
import Storage
import Synchronization

/// When the certificates run out that stored declarations refer to (Apple Pay's, and those that endpoints of callbacks are
/// shown), and the one that the API is served with.
final class CertificateFigures: MetricSource {
    /// What a certificate is for.
    private enum Kind: String {
        /// Opens Apple Pay tokens.
        case applePayProcessing = "apple_pay_processing"
        /// Proves the merchant to Apple.
        case applePayIdentity = "apple_pay_identity"
        /// Signs orders in Wallet.
        case walletOrders = "wallet_orders"
        /// Is shown to an endpoint of callbacks.
        case callbackClient = "callback_client"
        /// Is shown to whoever calls the API; of no marketplace.
        case server
    }

    private struct Place: Hashable {
        let marketplace: String
        let kind: Kind
    }

    private static let metric = Metric(
        .gauge,
        "tributary_certificate_expiry_timestamp_seconds",
        labels: ["marketplace", "kind"],
        "When the first certificate of a kind of a marketplace runs out, in seconds since 1970."
    )

    private let expiries = Mutex<[Place: Int64]>([:])
    private let serverExpiry = Mutex<Int64?>(nil)
    private let surroundings: Surroundings

    init(surroundings: Surroundings) { self.surroundings = surroundings }

    var metrics: [Metric] { [Self.metric] }

    func write(to text: inout MetricText) {
        var expiries = expiries.withLock { $0 }
        expiries[Place(marketplace: "", kind: .server)] = serverExpiry.withLock { $0 }
        text.write(Self.metric, expiries.map { MetricSample([$0.key.marketplace, $0.key.kind.rawValue], $0.value) })
    }

    /// Takes note of when the certificate runs out that the API is served with, in seconds since 1970.
    func note(server end: Int64) { serverExpiry.withLock { $0 = end } }

    /// Reads what is declared, and loads the certificates; what cannot be loaded is left out, for `doctor` to tell.
    ///
    /// - Throws: `SQLError`; then what was known stays.
    func refresh(from database: any Database) async throws {
        let (marketplaces, endpoints) = try await database.read { session in
            (try MarketplaceTable.all(in: session), try CallbackEndpointTable.all(of: nil, in: session))
        }
        var references: [Place: Set<String>] = [:]
        for marketplace in marketplaces {
            if let orders = marketplace.wallets.orders {
                references[Place(marketplace: marketplace.id, kind: .walletOrders)] = [orders.identity.certificate]
            }
            guard let apple = marketplace.wallets.applePay else { continue }
            let processing = Place(marketplace: marketplace.id, kind: .applePayProcessing)
            references[processing, default: []].formUnion(apple.processing.map(\.certificate))
            guard let identity = apple.identity else { continue }
            references[Place(marketplace: marketplace.id, kind: .applePayIdentity)] = [identity.certificate]
        }
        for endpoint in endpoints {
            guard let identity = endpoint.identity else { continue }
            references[Place(marketplace: endpoint.marketplace, kind: .callbackClient), default: []]
                .insert(identity.certificate)
        }
        let found = references.compactMapValues { $0.compactMap(expiry).min() }
        expiries.withLock { $0 = found }
    }

    private func expiry(_ text: String) -> Int64? {
        guard let bytes = try? SecretReference(text)?.bytes(in: surroundings) else { return nil }
        return (try? Certificate(bytes))?.notAfter
    }
}

/// Keeps what is known of certificates fresh, as a service of the process.
struct CertificateService: Service {
    private static let (pause, pauseAfterFailure) = (Duration.seconds(600), Duration.seconds(15))

    let figures: CertificateFigures
    let database: any Database

    /// Looks at once, and again and again until it is shut down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let isFresh = (try? await figures.refresh(from: database)) != nil
                try? await Task.sleep(for: isFresh ? Self.pause : Self.pauseAfterFailure)
            }
        }
    }
}
