import Domain
import Logging
import OpenSSLCMS
import SQL
import Storage
import StrictJSON
import Synchronization
import WalletOrders

/// What signs a marketplace's orders in Wallet, with the picture that stands in each of them.
struct WalletOrderIdentity: Sendable {
    /// Signs packages.
    let signer: WalletOrderSigner
    /// The marketplace's logo.
    let logo: WalletOrderImage
    /// What proves the order type to Apple when a device is pushed.
    let pushIdentity: MerchantIdentity
}

/// Loads what signs the orders of marketplaces, again after ten minutes, so that a certificate that was renewed in its place
/// serves without a restart.
final class WalletSigners: Sendable {
    private struct Entry {
        let access: WalletAccess.Orders
        let identity: WalletOrderIdentity
        let loadedAt: Timestamp
    }

    private static let lifeMilliseconds: Int64 = 600_000

    private let ports: WalletPorts
    private let cache = Mutex<[String: Entry]>([:])

    init(_ ports: WalletPorts) { self.ports = ports }

    /// What signs the orders of a marketplace at a moment.
    ///
    /// - Throws: ``UnusableWallet`` if nothing is declared, something of it cannot be loaded, the certificate is for another
    ///   order type, or it is not valid then.
    func identity(
        of marketplace: MarketplaceTable.Marketplace,
        at now: Timestamp
    ) throws(UnusableWallet) -> (WalletAccess.Orders, WalletOrderIdentity) {
        guard let access = marketplace.wallets.orders else {
            throw UnusableWallet("wallet_orders: the marketplace declares none")
        }
        let identity = try loaded(access, of: marketplace.id, at: now)
        for finding in identity.signer.findings(orderTypeIdentifier: access.type, at: now) where finding.isError {
            throw UnusableWallet("wallet_orders: \(access.identity.certificate): \(finding)")
        }
        return (access, identity)
    }

    private func loaded(
        _ access: WalletAccess.Orders,
        of marketplace: String,
        at now: Timestamp
    ) throws(UnusableWallet) -> WalletOrderIdentity {
        let entry = cache.withLock { $0[marketplace] }
        if let entry, entry.access == access, now.milliseconds(since: entry.loadedAt) < Self.lifeMilliseconds {
            return entry.identity
        }
        let identity = try load(access)
        cache.withLock { $0[marketplace] = Entry(access: access, identity: identity, loadedAt: now) }
        return identity
    }

    private func load(_ access: WalletAccess.Orders) throws(UnusableWallet) -> WalletOrderIdentity {
        let certificate = try read(access.identity.certificate)
        let key = try read(access.identity.key)
        var intermediates: [[UInt8]] = []
        for reference in access.intermediates { intermediates.append(try read(reference)) }
        let logo = WalletOrderImage(logo: try read(access.logo))
        if let problem = logo.problems().first {
            throw UnusableWallet("wallet_orders: logo: \(access.logo): \(problem.detail)")
        }
        let authorities = try access.pushAuthorities.map { reference throws(UnusableWallet) in try read(reference) }
        do throws(WalletSignerFinding) {
            return WalletOrderIdentity(
                signer: try WalletOrderSigner(certificate: certificate, key: key, intermediates: intermediates),
                logo: logo,
                // The transport takes PEM, and what signs may be in DER.
                pushIdentity: MerchantIdentity(
                    certificate: (try? Certificate(certificate).pem()) ?? certificate,
                    key: (try? PrivateKey(key).pem()) ?? key,
                    authorities: authorities
                )
            )
        } catch {
            throw UnusableWallet("wallet_orders: \(access.identity.certificate): \(error)")
        }
    }

    private func read(_ reference: String) throws(UnusableWallet) -> [UInt8] {
        do {
            return try ports.read(reference)
        } catch {
            throw UnusableWallet("wallet_orders: \(reference): \(error)")
        }
    }
}

extension WalletOrderImage {
    /// A logo, named after what its first bytes say that it is.
    package init(logo bytes: [UInt8]) {
        self.init(name: bytes.first == 0xFF ? "logo.jpg" : "logo.png", bytes: bytes)
    }
}

/// Keeps a marketplace's operators told of what keeps its orders from being followed: in the log, and stored until it is over.
final class WalletAttention: Sendable {
    private static let pauseMilliseconds: Int64 = 60_000

    private let database: any Database
    private let clock: any GatewayClock
    private let logger: Logger
    /// What was last written down of each marketplace; empty for none.
    private let noted = Mutex<[String: (reason: String, at: Timestamp)]>([:])

    init(database: any Database, clock: any GatewayClock, logger: Logger) {
        self.database = database
        self.clock = clock
        self.logger = logger
    }

    /// Takes note of a problem; the same one once a minute.
    func raise(_ reason: String, of marketplace: String) async {
        let now = clock.now()
        let isNews = noted.withLock { noted in
            if let last = noted[marketplace], last.reason == reason,
                now.milliseconds(since: last.at) < Self.pauseMilliseconds
            {
                return false
            }
            noted[marketplace] = (reason, now)
            return true
        }
        guard isNews else { return }
        logger.error(
            "orders cannot be followed in Wallet",
            metadata: ["marketplace": "\(marketplace)", "reason": "\(reason)"]
        )
        try? await database.write { session in
            try WalletProblemTable.note(reason, of: marketplace, at: now, in: session)
        }
    }

    /// Says that there is none, any more.
    func clear(_ marketplace: String) async {
        let isNews = noted.withLock { noted in
            if let last = noted[marketplace], last.reason.isEmpty { return false }
            noted[marketplace] = ("", clock.now())
            return true
        }
        guard isNews else { return }
        try? await database.write { session in try WalletProblemTable.clear(marketplace, in: session) }
    }
}
