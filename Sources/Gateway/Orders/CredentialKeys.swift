import AdapterKit
import Domain
import Logging
import SQL
import Storage
import Synchronization

/// Seals credentials, so that nothing opens them once they are erased.
///
/// A database cannot be made to forget a row: the log, freed pages and archives keep copies. So a credential is sealed
/// with a key that an instance draws at random and takes for a minute, and that key, sealed with the ring's, stands
/// where it can be destroyed for good (``CredentialKeyTable``). After five minutes it is: what is still needed then is
/// sealed anew with a younger key, and what was erased can be opened by nobody, whatever copies of it there are.
final class CredentialKeys: Sendable {
    /// How long a key seals.
    static let sealingMilliseconds: Int64 = 60_000
    /// The age at which a key is destroyed, long after the last transaction that sealed with it has ended.
    static let lifeMilliseconds: Int64 = 300_000

    /// A key of this instance.
    private struct Own {
        let row: CredentialKeyTable.Key
        let vault: Vault
        var isStored = false
    }

    private struct State {
        var own: [Own] = []
        /// Whether keys may have been destroyed whose copies are still in the engine's log.
        var needsScrub = true
    }

    /// Credentials ready to be stored.
    struct Sealed: Sendable {
        let rows: [(AttemptID, CredentialTable.Sealed)]
        /// Their key, if it has to be stored with them.
        let key: CredentialKeyTable.Key?
    }

    /// The key of a credential is destroyed.
    struct Destroyed: Error {}

    private let database: any Database
    private let vault: Vault
    private let clock: any GatewayClock
    private let logger: Logger
    private let random: RandomSource
    private let state = Mutex(State())

    /// Keys that stand in `database`, sealed by `vault`.
    init(
        database: any Database,
        vault: Vault,
        clock: any GatewayClock,
        logger: Logger,
        random: RandomSource = .system
    ) {
        self.random = random
        self.database = database
        self.vault = vault
        self.clock = clock
        self.logger = logger
    }

    /// Seals credentials with what belongs to them, each for its attempt, with the key of the minute.
    ///
    /// - Throws: what the vault throws.
    func seal(_ details: [AttemptID: AuthorizationDetails]) throws -> Sealed {
        guard !details.isEmpty else { return Sealed(rows: [], key: nil) }
        let key = try current()
        return Sealed(
            rows: try details.map { ($0.key, try key.vault.seal($0.value.document, $0.key.text)) },
            key: key.isStored ? nil : key.row
        )
    }

    /// A key is stored now, with the transaction that is committed.
    func confirm(_ key: CredentialKeyTable.Key?) {
        guard let key else { return }
        state.withLock { state in
            for index in state.own.indices where state.own[index].row.id == key.id { state.own[index].isStored = true }
        }
    }

    /// The credential of an attempt with what belongs to it; nil if it is erased.
    ///
    /// - Throws: `SQLError`, ``Destroyed``, or what the vault throws.
    func details(of attempt: AttemptID) async throws -> AuthorizationDetails? {
        // A snapshot from before the keys' table was emptied into a new file sees nothing in it, once.
        for isLast in [false, true] {
            let found = try await database.read { session in
                let sealed = try CredentialTable.find(attempt, in: session)
                let id = sealed.flatMap { CredentialKeyID($0.keyID) }
                return (sealed, id, try id.flatMap { try CredentialKeyTable.find($0, in: session) })
            }
            guard let sealed = found.0 else { return nil }
            let context = (sealed.sealedFor ?? attempt).text
            guard let id = found.1 else {
                // Stored by a build that sealed with the ring itself.
                return AuthorizationDetails(document: try vault.open(sealed, context))
            }
            if let key = try vault(of: id, found.2) {
                return AuthorizationDetails(document: try key.open(sealed, context))
            }
            if isLast { throw Destroyed() }
        }
        return nil
    }

    /// The vault of a key that is this instance's own or stored; nil for a key that is neither.
    private func vault(of id: CredentialKeyID, _ stored: CredentialKeyTable.Key?) throws -> Vault? {
        if let own = state.withLock({ state in state.own.first { $0.row.id == id } }) { return own.vault }
        guard let stored else { return nil }
        let key = try vault.open(stored.sealed, stored.id.text)
        return try vault.single(Secret(String(decoding: key, as: UTF8.self)), id.text)
    }

    private func current() throws -> Own {
        let now = clock.now()
        return try state.withLock { state in
            if let last = state.own.last, now < last.row.createdAt.adding(milliseconds: Self.sealingMilliseconds) {
                return last
            }
            var ids = IdentifierSource(random: random)
            let (id, key): (CredentialKeyID, Secret) = (ids.make(at: now), vault.makeKey())
            let sealed = try vault.seal(Array(key.reveal().utf8), id.text)
            let own = Own(
                row: CredentialKeyTable.Key(id: id, sealed: sealed, createdAt: now),
                vault: try vault.single(key, id.text)
            )
            state.own.append(own)
            return own
        }
    }
}

extension CredentialKeys {
    /// Credentials that are sealed anew in one transaction.
    private static let pageLimit = 100

    /// Destroys the keys whose time is over, whichever instance made them.
    ///
    /// - Throws: `SQLError`; what could not be done is done the next time.
    func sweep() async throws {
        let end = clock.now().adding(milliseconds: -Self.lifeMilliseconds)
        let stored = try await database.read { session in try CredentialKeyTable.all(in: session) }
        try await restore(missingFrom: Set(stored.map(\.id)), youngerThan: end)
        let old = stored.filter { $0.createdAt < end }
        for key in old { try await sealAnew(whatIsSealedWith: key) }
        if !old.isEmpty {
            let isAny = try await database.write { session in
                try CredentialKeyTable.destroy(madeBefore: end, in: session)
            }
            if isAny { state.withLock { $0.needsScrub = true } }
        }
        guard state.withLock({ $0.needsScrub }) else { return }
        do {
            try await database.scrub()
            state.withLock { $0.needsScrub = false }
        } catch {
            logger.info("destroyed keys are still in the database's log", metadata: ["error": "\(error)"])
        }
    }

    /// Stores this instance's keys again that a crash of the database has taken, and forgets the others that are over.
    ///
    /// One that is over and missing was destroyed, unless a credential is sealed with it.
    private func restore(missingFrom ids: Set<CredentialKeyID>, youngerThan end: Timestamp) async throws {
        let missing = state.withLock { state in
            state.own.filter { $0.isStored && !ids.contains($0.row.id) }.map(\.row)
        }
        let used = missing.isEmpty ? [] : try await database.read { try CredentialTable.keysInUse(in: $0) }
        let lost = missing.filter { $0.createdAt >= end || used.contains($0.id.text) }
        state.withLock { state in
            state.own.removeAll { own in own.row.createdAt < end && !lost.contains { $0.id == own.row.id } }
        }
        guard !lost.isEmpty else { return }
        try await database.write { session in try CredentialKeyTable.insert(lost, in: session) }
    }

    private func sealAnew(whatIsSealedWith key: CredentialKeyTable.Key) async throws {
        let old: Vault
        do {
            guard let vault = try vault(of: key.id, key) else { return }
            old = vault
        } catch {
            return logger.error("a credential key cannot be opened", metadata: ["key": "\(key.id)"])
        }
        var last: AttemptID?
        while true {
            let page = try await database.read { [last] session in
                try CredentialTable.list(sealedWith: key.id, after: last, limit: Self.pageLimit, in: session)
            }
            guard let end = page.last else { return }
            last = end.attempt
            let young = try current()
            let anew = page.compactMap { attempt, sealed -> (AttemptID, CredentialTable.Sealed)? in
                let context = (sealed.sealedFor ?? attempt).text
                guard let bytes = try? old.open(sealed, context), let again = try? young.vault.seal(bytes, context)
                else { return nil }
                return (attempt, again)
            }
            try await database.write { session in
                // First, so that nobody waits for credentials while this waits for the keys' table.
                try CredentialKeyTable.insert([young.row], in: session)
                for (attempt, sealed) in anew {
                    try CredentialTable.replace(attempt, sealedWith: key.id, by: sealed, in: session)
                }
            }
            confirm(young.row)
        }
    }
}

extension CredentialKeys {
    /// The keys of an instance.
    convenience init(_ ports: Gateway.Ports) {
        self.init(
            database: ports.database,
            vault: ports.vault,
            clock: ports.clock,
            logger: ports.logger,
            random: ports.random
        )
    }
}
