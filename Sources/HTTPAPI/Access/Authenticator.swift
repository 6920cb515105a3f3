import Domain
import Gateway
import Hummingbird
import Keyring
import SQL
import Storage
import Synchronization

/// Finds out who asks by the API key that comes with a request.
struct Authenticator: Sendable {
    let database: any Database
    let keyring: Keyring
    let clock: any GatewayClock
    private let uses = KeyUses()

    /// What API keys' hashes are for.
    static let purpose = "api-key"

    init(database: any Database, keyring: Keyring, clock: any GatewayClock) {
        self.database = database
        self.keyring = keyring
        self.clock = clock
    }

    /// Who asks.
    ///
    /// - Throws: a 401 ``Problem`` if no valid key comes with the request, or `SQLError`.
    func principal(of request: Request, _ context: APIContext) async throws -> Principal {
        guard let header = request.headers[.authorization] else {
            throw Problem(
                status: .unauthorized,
                code: "missing_api_key",
                detail: "Send the API key as \"Authorization: Bearer tk_…\"."
            )
        }
        var wrong = Problem(status: .unauthorized, code: "invalid_api_key", detail: "The API key is not valid.")
        guard let parts = header.boundedASCII?.split(separator: " ", maxSplits: 1), parts.count == 2,
            parts[0].lowercased() == "bearer", parts[1].utf8.count <= 200
        else { throw wrong }
        let hashes = keyring.hashes(of: Array(parts[1].utf8), purpose: Self.purpose)
        let found = try await database.read { session in try APIKeyTable.find(hashes: hashes, in: session) }
        guard let found else { throw wrong }
        let now = clock.now()
        guard found.isValid(at: now) else {
            wrong.key = found.id
            throw wrong
        }
        if uses.isDue(found, at: now) {
            // Not vital: a request is not refused because the trail of its key cannot be written.
            try? await database.write { session in
                let since = now.adding(milliseconds: -KeyUses.pauseMilliseconds)
                try APIKeyTable.recordUse(of: found.id, at: now, since: since, in: session)
            }
        }
        return Principal(
            marketplace: found.marketplace,
            key: found.id,
            scopes: found.scopes,
            peer: context.peer,
            requestID: context.requestID
        )
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
