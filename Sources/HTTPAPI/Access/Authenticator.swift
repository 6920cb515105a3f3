import Hummingbird
import Keyring
import SQL
import Storage

/// Finds out who asks by the API key that comes with a request.
struct Authenticator: Sendable {
    let database: any Database
    let keyring: Keyring

    /// What API keys' hashes are for.
    static let purpose = "api-key"

    /// Who asks.
    ///
    /// - Throws: a 401 ``Problem`` if no valid key comes with the request, or `SQLError`.
    func principal(of request: Request) async throws -> Principal {
        guard let header = request.headers[.authorization] else {
            throw Problem(
                status: .unauthorized,
                code: "missing_api_key",
                detail: "Send the API key as \"Authorization: Bearer tk_…\"."
            )
        }
        let parts = header.split(separator: " ", maxSplits: 1)
        let wrong = Problem(status: .unauthorized, code: "invalid_api_key", detail: "The API key is not valid.")
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 200 else { throw wrong }
        let hashes = keyring.hashes(of: Array(parts[1].utf8), purpose: Self.purpose)
        let found = try await database.read { session in try APIKeyTable.find(hashes: hashes, in: session) }
        guard let found else { throw wrong }
        return Principal(marketplace: found.marketplace, scopes: found.scopes)
    }
}
