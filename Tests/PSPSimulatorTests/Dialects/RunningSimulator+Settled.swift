import PSPSimulator
import Testing

extension RunningSimulator {
    /// The account's authorizations as they will be a minute from now, when all that is worked on is done.
    func settled(_ account: String) async -> [Authorization] {
        await read { books, now in books.authorizations(of: account, at: now + 60_000) }
    }

    /// The account's only authorization as it will be a minute from now.
    func settledOnly(_ account: String) async throws -> Authorization {
        let found = await settled(account)
        try #require(found.count == 1)
        return found[0]
    }
}
