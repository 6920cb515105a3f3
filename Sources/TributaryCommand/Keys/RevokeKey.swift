import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary keys revoke`.
struct RevokeKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an API key, at once and for good.",
        discussion: "Exits 1 if there is no such key, or if it was revoked before."
    )

    @Argument(help: ArgumentHelp("The key's id, as `keys list` shows it.", valueName: "key_…"))
    var id: String

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        guard let key = KeyID(id) else {
            throw CommandFailure.unusable("\(id.harmless) is no key's id; `tributary keys list` shows them")
        }
        let isRevoked = try await DatabaseUse.looking.open(database.settings()) { database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.write { session in try APIKeyTable.revoke(key, at: now, in: session) }
        }
        guard isRevoked else { throw CommandFailure.finding("there is no key \(id) that is not revoked") }
        Console.note("revoked \(id)")
    }
}
