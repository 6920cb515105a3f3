import Domain
import OpenSSLCMS
import Storage
import Synchronization
import WalletOrders

/// What signs a marketplace's orders in Wallet, with the picture that stands in each of them.
struct WalletOrderIdentity: Sendable {
    /// Signs packages.
    let signer: WalletOrderSigner
    /// The marketplace's logo.
    let logo: WalletOrderImage
    /// What stands beside tracking links in packages of single payments, for light and dark backgrounds, if anything.
    let trackingLogos: [WalletOrderImage]
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
            // What is mended meanwhile serves at once.
            cache.withLock { $0[marketplace.id] = nil }
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
        let logo = try picture(access.logo, named: "logo")
        let trackingLogos = try access.provider.map { provider throws(UnusableWallet) in
            [
                try picture(provider.logoLight, named: "tracking-light", isFreelySized: true),
                try picture(provider.logoDark, named: "tracking-dark", isFreelySized: true),
            ]
        }
        let authorities = try access.pushAuthorities.map { reference throws(UnusableWallet) in try read(reference) }
        do throws(WalletSignerFinding) {
            return WalletOrderIdentity(
                signer: try WalletOrderSigner(certificate: certificate, key: key, intermediates: intermediates),
                logo: logo,
                trackingLogos: trackingLogos ?? [],
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

    private func picture(
        _ reference: String,
        named name: String,
        isFreelySized: Bool = false
    ) throws(UnusableWallet) -> WalletOrderImage {
        let picture = WalletOrderImage(try read(reference), named: name)
        if let objection = picture.ownObjections(isFreelySized: isFreelySized).first {
            throw UnusableWallet("wallet_orders: \(name): \(reference): \(objection)")
        }
        return picture
    }

    private func read(_ reference: String) throws(UnusableWallet) -> [UInt8] {
        do {
            return try ports.read(reference)
        } catch {
            throw UnusableWallet("wallet_orders: \(reference): \(error)")
        }
    }
}
