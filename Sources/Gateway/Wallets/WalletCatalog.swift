import Domain
import OpenSSLCMS
import Storage
import Synchronization
import WalletTokens

/// Makes what opens a marketplace's tokens, once for as long as what it declares stays the same.
///
/// Keys are read when they are first needed and again when the declaration changes.
final class WalletCatalog: Sendable {
    private struct Entry {
        let access: WalletAccess
        let openers: WalletOpeners
    }

    private let ports: WalletPorts
    private let clock: any GatewayClock
    private let cache = Mutex<[String: Entry]>([:])

    init(_ ports: WalletPorts, clock: any GatewayClock) {
        self.ports = ports
        self.clock = clock
    }

    /// The openers of a marketplace.
    ///
    /// - Throws: ``UnusableWallet``, which says what of the declaration cannot be used.
    func openers(for marketplace: MarketplaceTable.Marketplace) throws(UnusableWallet) -> WalletOpeners {
        let access = marketplace.wallets
        if let entry = cache.withLock({ $0[marketplace.id] }), entry.access == access { return entry.openers }
        let openers = WalletOpeners(
            apple: try access.applePay.flatMap { access throws(UnusableWallet) in try apple(access) },
            google: try access.googlePay.map { access throws(UnusableWallet) in try google(access) },
            gatewayMerchantIdentifier: access.googlePay?.gatewayMerchantID
        )
        cache.withLock { $0[marketplace.id] = Entry(access: access, openers: openers) }
        return openers
    }

    private func apple(_ access: WalletAccess.ApplePay) throws(UnusableWallet) -> ApplePayOpener? {
        guard !access.processing.isEmpty else { return nil }
        var keys: [ProcessingKey] = []
        for pair in access.processing {
            let loaded = ApplePayCertificate(
                certificate: try read(pair.certificate),
                key: try read(pair.key),
                at: clock.now()
            )
            guard let key = loaded.key else {
                let why = loaded.findings.map(\.description).joined(separator: "; ")
                throw UnusableWallet("apple_pay: \(pair.certificate): \(why)")
            }
            keys.append(key)
        }
        return ApplePayOpener(
            ring: ApplePayRing(keys),
            roots: try roots(access.root),
            windowMilliseconds: access.windowMilliseconds,
            environment: access.environment
        )
    }

    private func roots(_ reference: String?) throws(UnusableWallet) -> TrustRoots {
        let file = try reference.map { reference throws(UnusableWallet) in try read(reference) }
        do throws(OpenSSLFailure) {
            if let file { return try TrustRoots(file: file) }
            return try AppleRoot.roots()
        } catch {
            throw UnusableWallet("apple_pay: the root cannot be read: \(error)")
        }
    }

    private func google(_ access: WalletAccess.GooglePay) throws(UnusableWallet) -> GooglePayOpener {
        var keys: [Secret] = []
        for reference in access.keys { keys.append(Secret(String(decoding: try read(reference), as: UTF8.self))) }
        let roots = try read(access.roots)
        do throws(UnusableGooglePayKeys) {
            return GooglePayOpener(
                roots: try GooglePayRoots(file: roots),
                keys: try GooglePayPrivateKeys(pem: keys),
                recipientIdentifier: access.recipient
            )
        } catch {
            throw UnusableWallet("google_pay: \(error)")
        }
    }

    private func read(_ reference: String) throws(UnusableWallet) -> [UInt8] {
        do {
            return try ports.read(reference)
        } catch {
            throw UnusableWallet("\(reference): \(error)")
        }
    }
}

/// What opens a marketplace's wallet tokens.
struct WalletOpeners: Sendable {
    /// Opens Apple Pay tokens; nil if the marketplace declares no processing certificate.
    let apple: ApplePayOpener?
    /// Opens Google Pay tokens; nil if the marketplace declares no keys.
    let google: GooglePayOpener?
    /// The merchant that a Google Pay token for a gateway has to name; nil if it is not checked.
    let gatewayMerchantIdentifier: String?
}

/// What a marketplace declares for its wallets cannot be used, so no token can be opened.
package struct UnusableWallet: Error, Hashable, Sendable, CustomStringConvertible {
    /// What cannot be used, in a sentence for the operator; nothing of a key.
    package let description: String

    init(_ description: String) { self.description = description }
}
