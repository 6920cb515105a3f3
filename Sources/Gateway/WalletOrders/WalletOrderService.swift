import AdapterKit
package import Domain
import SQL
package import Storage
import StrictJSON
import WalletOrders
import WireFormats

/// What devices ask of orders in Wallet: Apple's web service (developer.apple.com/documentation/walletorders).
///
/// A device is known by the token of the order that it asks about, and by its own identifier where it lists its orders. What is
/// asked with a wrong token costs no look into the database, and tells nothing.
package struct WalletOrderService: Sendable {
    /// What a device is answered that asks for a package.
    package enum Answer: Hashable, Sendable {
        /// It has changed.
        case package(WalletPackage)
        /// It is what the device has.
        case notModified
    }

    /// The orders of a device that have changed.
    package struct Changes: Hashable, Sendable {
        /// Their identifiers.
        package let identifiers: [String]
        /// What the device sends the next time.
        package let tag: String
    }

    /// A link to a package that whoever has it can load for some minutes.
    package struct Link: Hashable, Sendable {
        /// Its address.
        package let url: String
        /// Until when it can be loaded.
        package let expiresAt: Timestamp
    }

    /// For how long a link can be loaded, in milliseconds.
    package static let linkMilliseconds: Int64 = 600_000

    let database: any Database
    let clock: any GatewayClock
    let builder: WalletPackageBuilder
    let attention: WalletAttention
    let vault: Vault
    let log: OrderLog

    /// The token of an order in Wallet, for whoever answers its checkout; nil where tokens cannot be made.
    package func token(_ id: String, of type: String) -> String? { builder.token(id, of: type) }

    /// Whether the package of an order is still kept, and not forgotten by retention.
    ///
    /// - Throws: `SQLError`.
    package func isKept(_ id: OrderID) async throws -> Bool {
        try await database.read { session in try WalletOrderTable.find(id.text, in: session) != nil }
    }

    /// Whether a token is that of an order; takes as long for a wrong one.
    package func isToken(_ token: String, of id: String, type: String) -> Bool {
        builder.token(id, of: type).map { isSame($0, token[...]) } ?? false
    }

    /// Whether two proofs are the same, in a time that does not depend on how much of them is.
    func isSame(_ own: String, _ shown: Substring) -> Bool {
        ConstantTime.areEqual(Array(own.utf8), Array(shown.utf8))
    }

    /// The package of an order, for whoever has shown its token.
    ///
    /// - Parameters:
    ///   - id: the identifier within the type.
    ///   - type: the order type.
    ///   - known: what the device has: when it was made, and its entity tags, which come first.
    ///   - isFetched: whether it is fetched, and not only looked at.
    /// - Returns: nil if there is no such order.
    /// - Throws: ``WalletPackageUnavailable``, or `SQLError`.
    package func package(
        _ id: String,
        of type: String,
        knowing known: (updatedAt: Timestamp?, entityTags: [String]),
        noting isFetched: Bool = true
    ) async throws -> Answer? {
        // One snapshot: what the order shows is what its version says.
        let found = try await database.read { session -> Reading? in
            guard let entry = try WalletOrderTable.find(id, in: session), entry.type == type,
                let marketplace = try MarketplaceTable.read(
                    session.rows(MarketplaceTable.named(entry.marketplace))
                ).first
            else { return nil }
            if known.entityTags.isEmpty, let time = known.updatedAt, time >= entry.updatedAt {
                return Reading(entry: entry, marketplace: marketplace)
            }
            let (details, told) = try WalletDetailsTable.find(entry.order, in: session)
            // What retention has forgotten of the order is nothing to make a package from.
            guard let details, let order = try OrderReader.load(entry.order, in: session) else { return nil }
            return Reading(
                entry: entry,
                marketplace: marketplace,
                order: order,
                details: details,
                told: told
            )
        }
        guard let found else { return nil }
        guard let order = found.order, let details = found.details else { return .notModified }
        let package = try await made(found, order, details)
        let entry = found.entry
        if isFetched, entry.fetchedVersion < entry.version {
            try await database.write { session in
                try WalletOrderTable.noteFetched(entry.id, version: entry.version, in: session)
            }
        }
        return known.entityTags.contains { $0 == package.entityTag || $0 == "*" } ? .notModified : .package(package)
    }

    /// What is stored of a package; without the order where the device has it already.
    private struct Reading {
        let entry: WalletOrderTable.Entry
        let marketplace: MarketplaceTable.Marketplace
        var order: Order?
        var details: CredentialTable.Sealed?
        var told: [WalletDetailsTable.Told] = []
    }

    /// Whether a package can be made now; also if there is none of that identifier any more.
    ///
    /// - Throws: `SQLError`.
    func canBeMade(_ id: String) async throws -> Bool {
        let entry = try await database.read { session in try WalletOrderTable.find(id, in: session) }
        guard let entry else { return true }
        do {
            _ = try await package(id, of: entry.type, knowing: (nil, []), noting: false)
            return true
        } catch is WalletPackageUnavailable {
            return false
        }
    }

    private func made(
        _ found: Reading,
        _ order: Order,
        _ details: CredentialTable.Sealed
    ) async throws(WalletPackageUnavailable) -> WalletPackage {
        let (marketplace, entry) = (found.marketplace, found.entry)
        let access: WalletAccess.Orders
        let identity: WalletOrderIdentity
        do throws(UnusableWallet) {
            (access, identity) = try builder.signers.identity(of: marketplace, at: clock.now())
        } catch {
            await attention.raise(.unsigned, error.description, of: marketplace.id)
            throw WalletPackageUnavailable()
        }
        await attention.end(.unsigned, of: marketplace.id)
        do {
            guard access.type == entry.type else {
                throw UnusableWallet("wallet_orders: the order type \(entry.type) is not declared any more")
            }
            let package = try builder.package(entry, access, identity) {
                try subject(order, details, found.told, payment: entry.payment, of: marketplace.name)
            }
            await attention.end(.package, of: marketplace.id, about: entry.id)
            return package
        } catch {
            await attention.raise(.package, "\(entry.id): \(error)", of: marketplace.id, about: entry.id)
            throw WalletPackageUnavailable()
        }
    }

    /// What a package is made of, opened.
    func subject(
        _ order: Order,
        _ details: CredentialTable.Sealed,
        _ told: [WalletDetailsTable.Told],
        payment: PaymentID? = nil,
        of marketplace: String
    ) throws -> WalletPackageBuilder.Subject {
        let opened = try vault.open(details, WalletDetailsTable.context(order.id))
        guard let document = WalletOrderDetails(document: opened) else {
            throw SQLError.unexpectedValue(column: "wallet_details")
        }
        var subject = WalletPackageBuilder.Subject(
            order: order,
            payment: payment,
            details: document,
            marketplace: marketplace
        )
        for stored in told {
            let json = try JSON.parse(vault.open(stored.sealed, WalletDetailsTable.context(told: stored.id)))
            let name = ToldName(id: stored.id, of: stored.payment)
            try name.kind.document(json).add(to: &subject, as: name)
        }
        return subject
    }
}

/// A package cannot be made, for a reason that its marketplace's operators are told.
package struct WalletPackageUnavailable: Error, Hashable, Sendable {}

extension WalletOrderService {
    /// Registers a device for an order whose token it has shown.
    ///
    /// - Throws: `SQLError`.
    package func register(
        _ device: String,
        pushToken: String,
        for id: String,
        of type: String
    ) async throws -> WalletDeviceTable.Registration {
        let now = clock.now()
        return try await database.write { session in
            try WalletDeviceTable.register(device, pushToken: pushToken, for: id, of: type, at: now, in: session)
        }
    }

    /// Ends a registration; nothing if it is none.
    ///
    /// - Returns: whether there is such an order.
    /// - Throws: `SQLError`.
    package func unregister(_ device: String, from id: String, of type: String) async throws -> Bool {
        try await database.write { session in
            guard let entry = try WalletOrderTable.find(id, in: session), entry.type == type else { return false }
            try WalletDeviceTable.unregister(device, from: id, of: type, in: session)
            return true
        }
    }

    /// The orders of a device that have changed since it was last told; nil if none has.
    ///
    /// - Throws: `SQLError`.
    package func changes(for device: String, type: String, since tag: String?) async throws -> Changes? {
        let orders = try await database.read { session in
            try WalletDeviceTable.orders(of: device, type: type, in: session)
        }
        let told = tag.flatMap { ModificationTag($0) }
        let changed = told.map { told in orders.filter { !told.covers($0) } } ?? orders
        guard !changed.isEmpty else { return nil }
        return Changes(identifiers: changed.map(\.id), tag: ModificationTag(orders).text)
    }

    /// Whether any marketplace declares an order type.
    ///
    /// - Throws: `SQLError`.
    package func isKnown(type: String) async throws -> Bool {
        try await database.read { session in
            try MarketplaceTable.all(in: session).contains { $0.wallets.orders?.type == type }
        }
    }
}

/// What a device was told, so that nothing is told twice and nothing is left out: the moment of the latest change, and for
/// those within ten minutes before it which versions they were.
///
/// A transaction that commits later than another may have an earlier moment. Its order is not among those that were told, and
/// is told the next time.
struct ModificationTag: Hashable, Sendable {
    /// Longer than any transaction takes.
    private static let marginMicroseconds: Int64 = 600_000_000
    /// So many are remembered; the rest is told once more.
    private static let limit = 64

    private let latest: Int64
    private let told: Set<UInt64>

    /// The tag of all that a device follows.
    init(_ orders: [(id: String, version: Int64, at: Timestamp)]) {
        let latest = orders.map(\.at.microseconds).max() ?? 0
        self.latest = latest
        let recent = orders.filter { $0.at.microseconds > latest - Self.marginMicroseconds }
        told = Set(recent.sorted { $0.at > $1.at }.prefix(Self.limit).map { Self.hash($0.id, $0.version) })
    }

    /// Reads a tag back; nil for what ``text`` does not write.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(Substring.init)
        guard text.utf8.count <= 2000, let latest = parts.first.flatMap({ Int64($0, radix: 36) }), latest >= 0 else {
            return nil
        }
        var told: Set<UInt64> = []
        for part in parts.dropFirst() {
            guard let hash = UInt64(part, radix: 36) else { return nil }
            told.insert(hash)
        }
        self.latest = latest
        self.told = told
    }

    /// The tag as a device sends it back.
    var text: String {
        ([String(latest, radix: 36)] + told.sorted().map { String($0, radix: 36) }).joined(separator: "-")
    }

    /// Whether a device that sends the tag was told of a version.
    func covers(_ order: (id: String, version: Int64, at: Timestamp)) -> Bool {
        order.at.microseconds <= latest - Self.marginMicroseconds || told.contains(Self.hash(order.id, order.version))
    }

    /// FNV-1a of 64 bits: it tells versions apart, and keeps no secret.
    private static func hash(_ id: String, _ version: Int64) -> UInt64 {
        "\(id) \(version)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    }
}
