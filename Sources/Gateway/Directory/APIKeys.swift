package import Domain
package import SQL
package import Storage
import Synchronization

/// What an API key may do.
package enum KeyScope: Hashable, Sendable {
    /// Place and read orders.
    case checkout
    /// See everything of the marketplace, and change nothing.
    case support
    /// See and change everything of the marketplace.
    case `operator`
    /// Write off and force what files and books differ by.
    case adjuster
    /// Declare the marketplace, its PSP accounts and its merchants.
    case admin
    /// Make Apple Pay sessions and payment requests, and nothing else: for a page, where everybody can read it.
    case publishable
    /// See the payments of the merchant with that external identifier or id.
    case merchant(String)

    private static let merchantPrefix = "merchant:"

    /// Reads `checkout`, `support`, `operator`, `adjuster`, `admin`, `publishable` or
    /// `merchant:<external identifier or id>`; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "checkout": self = .checkout
        case "support": self = .support
        case "operator": self = .operator
        case "adjuster": self = .adjuster
        case "admin": self = .admin
        case "publishable": self = .publishable
        default:
            // Scopes are stored separated by commas.
            guard text.hasPrefix(Self.merchantPrefix), !text.contains(",") else { return nil }
            let name = String(text.dropFirst(Self.merchantPrefix.count))
            guard !name.isEmpty, TextRule.identifier.allows(name) else { return nil }
            self = .merchant(name)
        }
    }

    /// The scope as it is typed; a merchant's is stored with its id.
    package var text: String {
        switch self {
        case .checkout: "checkout"
        case .support: "support"
        case .operator: "operator"
        case .adjuster: "adjuster"
        case .admin: "admin"
        case .publishable: "publishable"
        case .merchant(let name): Self.merchantPrefix + name
        }
    }

    /// The scope as it is stored and shown: bound to the merchant's id, for an external identifier may come to mean
    /// another.
    func stored(for marketplace: String, in session: any Session) throws -> String {
        guard case .merchant(let name) = self else { return text }
        do {
            return Self.merchantPrefix + (try Merchants.find(name, of: marketplace, in: session).id.text)
        } catch DirectoryRefusal.unknownMerchant(let name) {
            throw DirectoryRefusal.unknownMerchantOfKey(name, marketplace: marketplace)
        }
    }
}

/// An API key at the only moment when its text is known.
package struct NewAPIKey: Sendable {
    /// Its identifier, which may be shown.
    package let id: KeyID
    /// Its text: random digits behind the prefix.
    package let text: Secret
    /// What it may do, as it is stored.
    package let scopes: Set<String>
    /// When it ends by itself.
    package let expiresAt: Timestamp?
}

/// Making, revoking and recognizing API keys, of which only hashes are stored.
package struct APIKeys: Sendable {
    /// What every secret key begins with, so that one that leaked is recognized.
    private static let prefix = "tk_"
    /// What a key for pages begins with, so that nobody takes it for a secret.
    private static let publishablePrefix = "pk_"

    /// The hash that a key is stored under.
    package typealias Hashing = @Sendable (_ key: [UInt8]) -> String

    let database: any Database
    private let hash: Hashing
    private let uses = KeyUses()

    /// The keys in a database.
    package init(_ database: any Database, hash: @escaping Hashing) {
        self.database = database
        self.hash = hash
    }

    /// Makes a key and stores its hash.
    ///
    /// - Parameters:
    ///   - choice: the marketplace that it opens.
    ///   - scopes: what it may do.
    ///   - end: when it ends by itself; nil for never.
    ///   - version: the version of the API that it is answered in unless a request asks for another; nil for the newest.
    ///   - idempotencyKey: that of the request which asks for it; nil if none does.
    ///   - random: 256 random bits in hexadecimal.
    ///   - now: the database's time.
    /// - Returns: the key, whose text is not stored.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func create(
        for choice: MarketplaceChoice,
        _ scopes: [KeyScope],
        until end: Timestamp? = nil,
        pinnedTo version: String? = nil,
        under idempotencyKey: String? = nil,
        random: Secret,
        at now: Timestamp
    ) async throws -> NewAPIKey {
        guard end.map({ now < $0 }) ?? true else { throw DirectoryRefusal.keyEndsInThePast }
        let isPublishable = scopes.contains(.publishable)
        guard !isPublishable || Set(scopes).count == 1 else { throw DirectoryRefusal.publishableKeyWithOtherScopes }
        let text = (isPublishable ? Self.publishablePrefix : Self.prefix) + random.reveal()
        return try await database.write { session in
            let owner = try choice.marketplace(in: session)
            let stored = try Set(scopes.map { scope in try scope.stored(for: owner, in: session) })
            var ids = IdentifierSource()
            let made = NewAPIKey(id: ids.make(at: now), text: Secret(text), scopes: stored, expiresAt: end)
            let key = APIKeyTable.Key(
                id: made.id,
                marketplace: owner,
                scopes: stored,
                createdAt: now,
                expiresAt: end,
                apiVersion: version,
                idempotencyKey: idempotencyKey
            )
            try APIKeyTable.insert(key, hash: hash(Array(text.utf8)), in: session)
            return made
        }
    }

    /// Revokes a key, at once and for good; false if there is none that is not revoked.
    ///
    /// - Throws: `SQLError`.
    package static func revoke(_ key: KeyID, at now: Timestamp, in database: any Database) async throws -> Bool {
        try await database.write { session in try APIKeyTable.revoke(key, at: now, in: session) }
    }

    /// The key that somebody shows, whether it is valid or not; nil for none of ours.
    ///
    /// - Throws: `SQLError`.
    package func find(_ text: [UInt8]) async throws -> APIKeyTable.Key? {
        let known = self.hash(text)
        return try await database.read { session in try APIKeyTable.find(hash: known, in: session) }
    }

    /// Writes down that a valid key is used, once an hour.
    ///
    /// It is not vital: nothing is refused because the trail of its key cannot be written.
    package func recordUse(of key: APIKeyTable.Key, at now: Timestamp) async {
        guard uses.isDue(key, at: now) else { return }
        try? await database.write { session in
            let since = now.adding(milliseconds: -KeyUses.pauseMilliseconds)
            try APIKeyTable.recordUse(of: key.id, at: now, since: since, in: session)
        }
    }

    /// The key of a marketplace that has a scope at a moment.
    ///
    /// - Throws: ``DirectoryRefusal/keyLacksScope(_:)``, or `SQLError`.
    package static func require(
        _ scope: KeyScope,
        hash: String,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws -> APIKeyTable.Key {
        guard let known = try APIKeyTable.find(hash: hash, in: session), known.marketplace == marketplace,
            known.isValid(at: now), known.scopes.contains(scope.text)
        else { throw DirectoryRefusal.keyLacksScope(scope.text) }
        return known
    }
}

/// When each key's use was last written down, so that it is once an hour and no row is written by every request.
private final class KeyUses: Sendable {
    /// What passes before a use is written down again.
    static let pauseMilliseconds: Int64 = 3_600_000

    private let noted = Mutex<[KeyID: Timestamp]>([:])

    /// Whether the use of a key is to be written down, which the caller then does.
    func isDue(_ key: APIKeyTable.Key, at now: Timestamp) -> Bool {
        let since = now.adding(milliseconds: -Self.pauseMilliseconds)
        if let last = key.lastUsedAt, last >= since { return false }
        return noted.withLock { noted in
            if let last = noted[key.id], last >= since { return false }
            noted[key.id] = now
            return true
        }
    }
}
