package import Domain
package import SQL

/// A known text for each key of the ring, sealed with it.
package enum KeyringCheckTable {
    /// What is stored, by the keys' ids.
    package static func all(in session: any Session) throws(SQLError) -> [String: CredentialTable.Sealed] {
        var checks: [String: CredentialTable.Sealed] = [:]
        for row in try session.rows("SELECT key_id, sealed FROM keyring_check") {
            let id = try row.text("key_id")
            checks[id] = CredentialTable.Sealed(keyID: id, bytes: try row.bytes("sealed"))
        }
        return checks
    }

    /// Stores the text of a key, unless there is one.
    package static func insert(
        _ sealed: CredentialTable.Sealed,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO keyring_check (key_id, sealed, created_at) VALUES (\(sealed.keyID), \(sealed.bytes), \(now))
            ON CONFLICT (key_id) DO NOTHING
            """
        )
    }
}

/// The key that bodies of requests are hashed with, sealed.
package enum HashingKeyTable {
    /// What it is for; there is one.
    package static let purpose = "idempotency"
    /// What it is bound to when it is sealed.
    package static let context = "hashing-key/idempotency"

    /// The key, if there is one.
    package static func find(in session: any Session) throws(SQLError) -> CredentialTable.Sealed? {
        let rows = try session.rows("SELECT key_id, sealed FROM hashing_key WHERE purpose = \(purpose)")
        return try rows.first.map { row throws(SQLError) in
            CredentialTable.Sealed(keyID: try row.text("key_id"), bytes: try row.bytes("sealed"))
        }
    }

    /// Stores the key, unless there is one.
    package static func insert(
        _ sealed: CredentialTable.Sealed,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        try session.run(
            """
            INSERT INTO hashing_key (purpose, key_id, sealed, created_at)
            VALUES (\(purpose), \(sealed.keyID), \(sealed.bytes), \(now)) ON CONFLICT (purpose) DO NOTHING
            """
        )
    }

    /// Puts a key in the place of another, if that is still there.
    package static func replace(
        _ old: CredentialTable.Sealed,
        by new: CredentialTable.Sealed,
        in session: any Session
    ) throws(SQLError) -> Bool {
        try session.change(
            """
            UPDATE hashing_key SET key_id = \(new.keyID), sealed = \(new.bytes)
            WHERE purpose = \(purpose) AND key_id = \(old.keyID) AND sealed = \(old.bytes)
            """
        ) == 1
    }
}
