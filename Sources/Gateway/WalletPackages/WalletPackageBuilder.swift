import Crypto
package import Domain
import Storage
import Synchronization
import WalletOrders
import WireFormats

/// A package as a device gets it.
package struct WalletPackage: Hashable, Sendable {
    /// What it is over HTTP.
    package static let contentType = WalletOrderPackage.contentType

    /// The archive.
    package let bytes: [UInt8]
    /// When this version was made, in whole seconds.
    package let updatedAt: Timestamp
    /// What names these bytes: `"` and a hash of them.
    package let entityTag: String

    init(_ bytes: [UInt8], updatedAt: Timestamp) {
        self.bytes = bytes
        self.updatedAt = updatedAt
        entityTag = "\"\(Hexadecimal.encode(SHA256.hash(data: bytes).prefix(16)))\""
    }
}

/// Makes packages of orders, and keeps those that were made lately: the same version is signed once.
///
/// It is signed as of when the version was made, so that every instance makes the same bytes with the same certificate.
final class WalletPackageBuilder: Sendable {
    /// What a package is made of, besides what signs it.
    struct Subject {
        /// The order.
        let order: Order
        /// The payment that alone it shows.
        var payment: PaymentID?
        /// What the buyer reads besides.
        var details: WalletOrderDetails
        /// Receipts and labels that were told since.
        var papers: [WalletOrderFile] = []
        /// What the marketplace is called.
        let marketplace: String
    }

    private struct Key: Hashable {
        let id: String
        let version: Int64
        let access: WalletAccess.Orders
    }

    private struct Cache {
        var packages: [Key: WalletPackage] = [:]
        /// From the oldest on.
        var order: [Key] = []
        var bytes = 0
    }

    /// The most bytes of packages that are kept.
    private static let cacheBytes = 32_000_000

    /// What signs.
    let signers: WalletSigners
    private let ports: WalletPorts
    private let cache = Mutex(Cache())

    init(_ ports: WalletPorts) {
        self.ports = ports
        signers = WalletSigners(ports)
    }

    /// The token of an order in Wallet; nil where there is no key for it.
    func token(_ id: String, of type: String) -> String? { ports.authenticate?("token/\(type)/\(id)") }

    /// What proves a link to a package until a moment; nil where there is no key for it.
    func linkProof(_ id: String, of type: String, until second: Int64) -> String? {
        ports.authenticate?("link/\(type)/\(id)/\(second)")
    }

    /// What a version is issued with.
    func issue(_ id: String, _ type: String, updatedAt: Timestamp) -> WalletOrderInput.Issue {
        WalletOrderInput.Issue(
            orderIdentifier: id,
            authenticationToken: Secret(token(id, of: type) ?? ""),
            updatedAt: updatedAt
        )
    }

    /// The files of a package, not signed.
    ///
    /// - Parameters:
    ///   - subject: what it is made of.
    ///   - issue: what its version is issued with.
    ///   - access: what the marketplace declares.
    ///   - identity: what signs it and the pictures that the marketplace shows; nil if they cannot be had, to check the rest.
    /// - Returns: the files.
    /// - Throws: what is wrong with it.
    func files(
        of subject: Subject,
        issue: WalletOrderInput.Issue,
        _ access: WalletAccess.Orders,
        _ identity: WalletOrderIdentity?
    ) throws(WalletOrderProblems) -> WalletOrderPackage {
        let part = subject.order.payments.first { $0.id == subject.payment }
        let name = part.map { subject.details.merchantNames[$0.id] ?? $0.externalIdentifier }
        let input = WalletOrderInput(
            order: subject.order,
            of: subject.payment,
            merchantNames: subject.details.merchantNames,
            content: subject.details.content,
            issue: issue,
            texts: WalletOrderTexts(
                displayName: name ?? subject.marketplace,
                orderManagementURL: access.managementURL(of: subject.order),
                webServiceURL: subject.order.walletOrder?.webServiceURL ?? access.webServiceURL,
                orderTypeIdentifier: access.type,
                merchantIdentifier: access.merchantIdentifier,
                logo: identity?.logo.name,
                localisations: subject.details.localisations,
                // The whole checkout is the marketplace's own.
                orderProvider: part == nil ? nil : identity.flatMap { access.provider?.texts(of: $0) }
            )
        )
        let document = try WalletOrderDocument(input)
        let images = (identity.map { [$0.logo] + $0.trackingLogos } ?? []) + subject.details.pictures
        return try WalletOrderPackage(
            document,
            images: document.named(among: images),
            papers: document.named(among: subject.papers)
        )
    }

    /// The package of a version, made now unless it is at hand.
    ///
    /// - Throws: `WalletOrderProblems` or `WalletPackageFailure`.
    func package(
        _ entry: WalletOrderTable.Entry,
        _ access: WalletAccess.Orders,
        _ identity: WalletOrderIdentity,
        of subject: () throws -> Subject
    ) throws -> WalletPackage {
        let key = Key(id: entry.id, version: entry.version, access: access)
        if let known = cache.withLock({ $0.packages[key] }) { return known }
        let files = try files(
            of: try subject(),
            issue: issue(entry.id, entry.type, updatedAt: entry.updatedAt),
            access,
            identity
        )
        let signedAt = max(entry.updatedAt, identity.signer.notBefore)
        let package = WalletPackage(
            try files.archive(signedBy: identity.signer, at: signedAt),
            updatedAt: entry.updatedAt
        )
        cache.withLock { cache in
            guard cache.packages.updateValue(package, forKey: key) == nil else { return }
            cache.order.append(key)
            cache.bytes += package.bytes.count
            while cache.bytes > Self.cacheBytes, let oldest = cache.order.first {
                cache.order.removeFirst()
                cache.bytes -= cache.packages.removeValue(forKey: oldest)?.bytes.count ?? 0
            }
        }
        return package
    }
}

extension WalletAccess.Orders {
    /// Where the buyer manages an order.
    fileprivate func managementURL(of order: Order) -> String {
        let reference = PercentEncoding.encode(order.reference ?? order.id.text)
        return managementURL.split(separator: "{reference}", omittingEmptySubsequences: false)
            .joined(separator: reference).split(separator: "{order}", omittingEmptySubsequences: false)
            .joined(separator: order.id.text)
    }
}

extension WalletAccess.Orders.Provider {
    /// The provider with the names of its pictures; nil if they were not loaded.
    fileprivate func texts(of identity: WalletOrderIdentity) -> WalletOrderTexts.Provider? {
        guard let light = identity.trackingLogos.first, let dark = identity.trackingLogos.last else { return nil }
        return WalletOrderTexts.Provider(
            displayName: displayName,
            url: url,
            trackingLogoLight: light.name,
            trackingLogoDark: dark.name
        )
    }
}
