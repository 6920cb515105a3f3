import ArgumentParser
import Domain
import SQL
import Storage
import StrictJSON

/// `tributary keys list`.
struct ListKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List API keys, the revoked ones too; never their text, which is not stored."
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let keys = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return try APIKeyTable.all(in: session).filter { owner == nil || $0.marketplace == owner }
            }
        }
        var table = Table("id", "marketplace", "scopes", "created_at", "expires_at", "revoked_at", "last_used_at")
        for key in keys {
            table.add(
                .text(key.id.text),
                .text(key.marketplace),
                .text(key.scopes.sorted().joined(separator: " ")),
                .moment(key.createdAt),
                .moment(key.expiresAt),
                .moment(key.revokedAt),
                .moment(key.lastUsedAt)
            )
        }
        output.write(table, json: .array(keys.map(Self.json)))
    }

    private static func json(_ key: APIKeyTable.Key) -> JSON {
        [
            "id": .string(key.id.text), "marketplace": .string(key.marketplace),
            "scopes": .strings(key.scopes.sorted()), "created_at": .string(key.createdAt.description),
            "expires_at": .optional(key.expiresAt?.description),
            "revoked_at": .optional(key.revokedAt?.description),
            "last_used_at": .optional(key.lastUsedAt?.description),
        ]
    }
}
