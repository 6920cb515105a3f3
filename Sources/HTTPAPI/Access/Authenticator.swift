import Domain
import Gateway
import Hummingbird
import Keyring
import SQL
import Storage

/// Finds out who asks by the API key that comes with a request.
struct Authenticator: Sendable {
    private let keys: APIKeys
    private let clock: any GatewayClock
    private let limiter: RateLimiter

    init(database: any Database, clock: any GatewayClock, limiter: RateLimiter) {
        keys = APIKeys(database) { key in APIKeyHash.of(key) }
        self.clock = clock
        self.limiter = limiter
    }

    /// That a key's time is over, which only whoever has its text is told.
    private static func expired(_ key: KeyID, at end: Timestamp) -> Problem {
        Problem(
            status: .unauthorized,
            code: "expired_api_key",
            detail: "The time of the API key was over at \(end).",
            key: key
        )
    }

    /// Who asks; the request counts for the key, or for the address if the key is a publishable one.
    ///
    /// - Throws: a 401 ``Problem`` if no valid key comes with the request, a 403 one if it comes from where the key may not
    ///   be shown, a 429 one if too many came with it, or `SQLError`.
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
        guard let found = try await keys.find(Array(parts[1].utf8)) else { throw wrong }
        let now = clock.now()
        guard found.isValid(at: now) else {
            if found.revokedAt == nil, let end = found.expiresAt { throw Self.expired(found.id, at: end) }
            wrong.key = found.id
            throw wrong
        }
        guard found.mayComeFrom(context.peer) else {
            throw Problem(
                status: .forbidden,
                code: "network_not_allowed",
                detail: "The key may not be used from this address.",
                key: found.id
            )
        }
        context.shownKey.note(found.id, pinnedTo: found.apiVersion)
        let principal = Principal(
            marketplace: found.marketplace,
            key: found.id,
            keyName: found.name,
            scopes: found.scopes,
            peer: context.peer,
            requestID: context.requestID,
            mode: found.mode
        )
        // Everybody has a publishable key: who sends too much with it must not shut out the others.
        if principal.isPublishable {
            try limiter.countAddress(context)
        } else {
            try limiter.count(found.id, context)
        }
        await keys.recordUse(of: found, at: now)
        return principal
    }
}
