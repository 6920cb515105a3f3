package import Domain
package import SQL
package import Storage

/// Makes sure that a ring is the one that a database was used with, before anything depends on it.
///
/// For each key that ever served, the database has a known text sealed with it. A key that does not open it is another
/// key, whatever its name; and a ring that lacks a key which something stored still needs would lose that.
package struct KeyringCheck: Sendable {
    /// What the known text is.
    private static let text = Array("tributary".utf8)

    private let database: any Database
    private let ring: RingKeys
    private let lost: Set<String>

    /// Checks a ring.
    ///
    /// - Parameters:
    ///   - database: what it is to fit to.
    ///   - ring: the ring.
    ///   - lost: keys that are lost for good, with all that is sealed with them.
    package init(_ database: any Database, _ ring: RingKeys, acceptingLost lost: Set<String> = []) {
        self.database = database
        self.ring = ring
        self.lost = lost
    }

    /// Refuses a ring that is not the database's or lacks what something stored needs, and writes nothing.
    ///
    /// - Throws: ``KeyringRefusal``, or `SQLError`.
    package func verify(at now: Timestamp) async throws { _ = try await examine(at: now) }

    /// Refuses a ring that is not the database's; reads a row for each key and no more, for whoever asks again and again.
    ///
    /// - Throws: ``KeyringRefusal``, or `SQLError`.
    package func verifyKeys() async throws {
        try refuseOthers(than: try await database.read { session in try KeyringCheckTable.all(in: session) })
    }

    /// Refuses a ring that is not the database's, writes down what shows the next time that it is, and answers the key
    /// that bodies of requests are hashed with, which is drawn the first time.
    ///
    /// Several may do so at once: what the first one writes counts.
    ///
    /// - Throws: ``KeyringRefusal``, `SQLError`, or what opening throws.
    package func begin(at now: Timestamp) async throws -> Secret {
        let before = try await examine(at: now)
        // In one order for all, so that no two wait for each other.
        let missing = ring.names.sorted().filter { before.checks[$0] == nil }
        let isUsable = before.hashing.map { !lost.contains($0.keyID) } ?? false
        guard !missing.isEmpty || !isUsable else { return try open(before.hashing) }
        let checks = try missing.map { try ring.seal(Self.text, $0, Self.context($0)) }
        let key = try ring.seal(Array(ring.makeKey().reveal().utf8), ring.current, HashingKeyTable.context)
        try await database.write { session in
            for check in checks { try KeyringCheckTable.insert(check, at: now, in: session) }
            if let gone = before.hashing, !isUsable {
                _ = try HashingKeyTable.replace(gone, by: key, in: session)
            } else {
                try HashingKeyTable.insert(key, at: now, in: session)
            }
        }
        // Another instance may have been first, with another key under the same name.
        return try open(try await examine(at: now).hashing)
    }

    private struct Stored: Sendable {
        let checks: [String: CredentialTable.Sealed]
        let hashing: CredentialTable.Sealed?
        let needs: [KeyringNeed]
    }

    private func examine(at now: Timestamp) async throws -> Stored {
        let stored = try await database.read { session in
            Stored(
                checks: try KeyringCheckTable.all(in: session),
                hashing: try HashingKeyTable.find(in: session),
                needs: try SealedValues.needs(at: now, in: session)
            )
        }
        try refuseOthers(than: stored.checks)
        let missing = stored.needs.filter { !ring.names.contains($0.key) && !lost.contains($0.key) }
        guard missing.isEmpty else { throw KeyringRefusal.lacks(missing) }
        return stored
    }

    /// Refuses a ring of which a key is another than the database knows by its name, or none is known to it.
    private func refuseOthers(than checks: [String: CredentialTable.Sealed]) throws {
        for name in ring.names {
            guard let check = checks[name] else { continue }
            guard (try? ring.open(check, Self.context(name))) == Self.text else { throw KeyringRefusal.wrongKey(name) }
        }
        let known = checks.keys.filter { !lost.contains($0) }.sorted()
        guard known.isEmpty || known.contains(where: ring.names.contains) else {
            throw KeyringRefusal.strangeRing(ring.names, known: known)
        }
    }

    private func open(_ hashing: CredentialTable.Sealed?) throws -> Secret {
        guard let hashing else { throw KeyringRefusal.noHashingKey }
        return Secret(String(decoding: try ring.open(hashing, HashingKeyTable.context), as: UTF8.self))
    }

    private static func context(_ name: String) -> String { "keyring-check/" + name }
}

/// Why a ring does not do for a database.
package enum KeyringRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The database knows another key by that name.
    case wrongKey(String)
    /// The database was used with none of the ring's keys.
    case strangeRing(_ names: [String], known: [String])
    /// The ring lacks keys that something stored is sealed with.
    case lacks([KeyringNeed])
    /// Somebody takes the key of hashes away while it is read.
    case noHashingKey

    /// What is wrong and what to do about it, without any key.
    package var description: String {
        switch self {
        case .wrongKey(let name):
            "the key \(name) of the keyring is not the one that this database was used with under that name; put the right "
                + "key there, and give a new key a new name"
        case .strangeRing(let names, let known):
            "this database was used with \(known.joined(separator: ", ")), of which the keyring has none "
                + "(it has \(names.joined(separator: ", "))); put that key back beside the others"
        case .lacks(let needs):
            "the keyring lacks a key that is still needed: "
                + needs.map { "\($0.key) for \($0.count) \($0.kind.words)" }.joined(separator: ", ")
                + "; put it back beside the others, and run `tributary keyring rotate` before you take it away"
        case .noHashingKey: "the key of hashes is gone; start again"
        }
    }
}

extension SealedKind {
    /// What such values are called.
    package var words: String { rawValue.split(separator: "_").joined(separator: " ") }
}
