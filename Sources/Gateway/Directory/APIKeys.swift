package import Domain
package import SQL
package import Storage
import StrictJSON
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
    /// What it is called.
    package let name: String
    /// What it may do, as it is stored.
    package let scopes: Set<String>
    /// Where requests with it may come from; from anywhere if it is empty.
    package let networks: [NetworkRange]
    /// When it ends by itself.
    package let expiresAt: Timestamp?
}

/// What a key is to be.
package struct KeyDraft: Hashable, Sendable {
    /// The most characters of a name.
    package static let nameLimit = 100
    /// The most networks that a key names.
    package static let networkLimit = 50

    /// What it is called; its identifier if nil.
    package let name: String?
    /// What it is to do.
    package let scopes: [KeyScope]
    /// Where requests with it may come from; from anywhere if it is empty.
    package let networks: [NetworkRange]
    /// When it ends by itself; nil for never.
    package let end: Timestamp?
    /// The version of the API that it is answered in unless a request asks for another; nil for the newest.
    package let version: String?

    /// Describes a key.
    package init(
        named name: String? = nil,
        _ scopes: [KeyScope],
        from networks: [NetworkRange] = [],
        until end: Timestamp? = nil,
        pinnedTo version: String? = nil
    ) {
        self.name = name
        self.scopes = scopes
        self.networks = networks
        self.end = end
        self.version = version
    }
}

/// Making, revoking and recognizing API keys, of which only hashes are stored.
package struct APIKeys: Sendable {
    /// What a key begins with, so that people see what it opens, and one that leaked is recognized: `tk_test_` or
    /// `tk_live_`, and `pk_test_` or `pk_live_` for pages, so that nobody takes it for a secret.
    ///
    /// It is hashed with the rest, so that no key is found under another beginning.
    private static func prefix(_ mode: MarketplaceMode, isPublishable: Bool) -> String {
        (isPublishable ? "pk_" : "tk_") + mode.rawValue + "_"
    }

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
    ///   - draft: what it is to be.
    ///   - choice: the marketplace that it opens.
    ///   - idempotencyKey: that of the request which asks for it; nil if none does.
    ///   - actor: who makes it.
    ///   - random: 256 random bits in hexadecimal.
    ///   - now: the database's time.
    /// - Returns: the key, whose text is not stored.
    /// - Throws: ``DirectoryRefusal``, or `SQLError`.
    package func create(
        _ draft: KeyDraft,
        for choice: MarketplaceChoice,
        under idempotencyKey: String? = nil,
        by actor: AuditActor,
        random: Secret,
        at now: Timestamp
    ) async throws -> NewAPIKey {
        guard draft.end.map({ now < $0 }) ?? true else { throw DirectoryRefusal.keyEndsInThePast }
        let isPublishable = draft.scopes.contains(.publishable)
        guard !isPublishable || Set(draft.scopes).count == 1 else {
            throw DirectoryRefusal.publishableKeyWithOtherScopes
        }
        return try await database.write { session in
            let owner = try choice.marketplace(in: session)
            guard let mode = try TestClockTable.clock(of: owner, in: session)?.mode else {
                throw DirectoryRefusal.unknownMarketplace(owner)
            }
            let text = Self.prefix(mode, isPublishable: isPublishable) + random.reveal()
            if let name = draft.name, let known = try APIKeyTable.find(named: name, of: owner, in: session),
                idempotencyKey == nil || known.idempotencyKey != idempotencyKey
            {
                throw DirectoryRefusal.keyNameInUse(name, known.id)
            }
            let stored = try Set(draft.scopes.map { scope in try scope.stored(for: owner, in: session) })
            var ids = IdentifierSource()
            let key = APIKeyTable.Key(
                id: ids.make(at: now),
                marketplace: owner,
                name: draft.name,
                scopes: stored,
                networks: draft.networks,
                createdAt: now,
                expiresAt: draft.end,
                apiVersion: draft.version,
                idempotencyKey: idempotencyKey
            )
            try APIKeyTable.insert(key, hash: hash(Array(text.utf8)), in: session)
            try Self.record(.createKey, key, by: actor, at: now, in: session)
            return NewAPIKey(
                id: key.id,
                text: Secret(text),
                name: key.name,
                scopes: stored,
                networks: draft.networks,
                expiresAt: draft.end
            )
        }
    }

    /// Revokes a key, at once and for good; false if there is none that is not revoked.
    ///
    /// - Throws: `SQLError`.
    package static func revoke(
        _ id: KeyID,
        by actor: AuditActor,
        at now: Timestamp,
        in database: any Database
    ) async throws -> Bool {
        try await database.write { session in
            guard let key = try APIKeyTable.find(id, in: session),
                try APIKeyTable.revoke(id, at: now, in: session)
            else { return false }
            try record(.revokeKey, key, by: actor, at: now, in: session)
            return true
        }
    }

    private static func record(
        _ act: AuditAct,
        _ key: APIKeyTable.Key,
        by actor: AuditActor,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try AuditTrailTable.record(
            act,
            by: actor,
            on: AuditSubject(.key, key.id.text),
            of: key.marketplace,
            at: now,
            ["name": .string(key.name), "scopes": .strings(key.scopes.sorted())],
            in: session
        )
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
