import Domain
import Keyring
import SQL
import Storage

/// An API key at the only moment when its text is known.
struct NewAPIKey {
    /// What every key begins with, so that one that leaked is recognized.
    private static let prefix = "tk_"
    /// What the API's hashes of keys are for.
    private static let purpose = "api-key"

    /// Its identifier, which may be shown.
    let id: KeyID
    /// Its text: 256 random bits in hexadecimal behind the prefix.
    let text: Secret
    /// What it may do.
    let scopes: Set<String>
    /// When it ends by itself.
    let expiresAt: Timestamp?

    /// The hashes that a key may be stored under, one for each key of the ring.
    static func hashes(of key: Secret, under keyring: Keyring) -> [String] {
        keyring.hashes(of: Array(key.reveal().utf8), purpose: purpose)
    }

    /// Makes a key and stores its hash.
    ///
    /// - Throws: ``CommandFailure`` if the key ring has no current key or the marketplace no such merchant, or `SQLError`.
    static func make(
        for marketplace: String,
        _ scopes: [KeyScope],
        until end: Timestamp? = nil,
        under keyring: Keyring,
        at now: Timestamp,
        in session: any Session
    ) throws -> NewAPIKey {
        var ids = IdentifierSource()
        let text = prefix + Keyring.makeKey().reveal()
        guard let hash = hashes(of: Secret(text), under: keyring).first else {
            throw CommandFailure.unusable("the key ring has no current key")
        }
        let stored = try Set(scopes.map { scope in try scope.stored(for: marketplace, in: session) })
        let made = NewAPIKey(id: ids.make(at: now), text: Secret(text), scopes: stored, expiresAt: end)
        try APIKeyTable.insert(
            APIKeyTable.Key(
                id: made.id,
                marketplace: marketplace,
                scopes: made.scopes,
                createdAt: now,
                expiresAt: end
            ),
            hash: hash,
            in: session
        )
        return made
    }
}
