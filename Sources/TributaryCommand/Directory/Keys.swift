import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import Keyring
import SQL
import Settings
import Storage
import StrictJSON

/// `tributary keys`.
struct Keys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create, list and revoke API keys.",
        subcommands: [CreateKey.self, ListKeys.self, RevokeKey.self]
    )
}

/// `tributary keys create`.
struct CreateKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an API key and show it once.",
        discussion: """
            Scopes: checkout places and reads orders, support sees everything of the marketplace and changes nothing,
            operator sees and changes everything of the marketplace, adjuster writes off and forces breaks, admin applies
            declarations, merchant:<external identifier or id> sees one merchant's own and looks after its endpoint.
            publishable makes Apple Pay sessions and payment requests and nothing else: such a key may be in a page,
            begins with pk_ and has no other scope. A merchant's key is bound to its id, whatever its external identifier
            becomes. Only a hash of the key is stored.

            Examples:
              tributary keys create --scope checkout --scope operator --format json
              tributary keys create --scope operator --name "night shift" --network 192.0.2.0/24
              tributary keys create --scope merchant:hotel-7 --expires 2027-01-01T00:00:00Z
            """
    )

    @Option(name: .long, help: ArgumentHelp("What the key may do; may be repeated.", valueName: "scope"))
    var scope: [KeyScope]

    @Option(
        name: .long,
        help: ArgumentHelp("When it ends by itself, as 2027-01-01T00:00:00Z; never unless said.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var expires: Timestamp?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The version of the API that it is answered in unless a request asks for another; the newest unless said.",
            valueName: "day"
        )
    )
    var apiVersion: APIVersion?

    @Option(
        name: .long,
        help: ArgumentHelp("What to call it in lists and in the audit trail; its id unless said.", valueName: "name")
    )
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where requests with it may come from, as 192.0.2.0/24; may be repeated; anywhere unless said.",
            valueName: "network"
        ),
        transform: { text in
            guard let network = NetworkRange(text) else {
                throw ValidationError("\(text.harmless) is no range of addresses; write 192.0.2.0/24 or 2001:db8::/32")
            }
            return network
        }
    )
    var network: [NetworkRange] = []

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws {
        name = try name.map { try TextRule.freeText.checked($0, "--name") }
        guard name.map({ (1...KeyDraft.nameLimit).contains($0.unicodeScalars.count) }) ?? true else {
            throw ValidationError("--name is 1 to \(KeyDraft.nameLimit) characters")
        }
        guard network.count <= KeyDraft.networkLimit else {
            throw ValidationError("a key names at most \(KeyDraft.networkLimit) networks")
        }
        let merchants = Set(scope).filter { if case .merchant = $0 { true } else { false } }
        guard merchants.count < 2 else {
            throw ValidationError("a key is for one merchant: make one for each")
        }
    }

    func run() async throws {
        let settings = try database.settings()
        let draft = KeyDraft(named: name, scope, from: network, until: expires, pinnedTo: apiVersion?.text)
        let made = try await DatabaseUse.looking.open(settings) { [marketplace] database in
            let now = Timestamp(microseconds: try await database.now())
            return try await APIKeys(hashedIn: database)
                .create(
                    draft,
                    for: marketplace.choice,
                    by: .commandLine,
                    random: Keyring.makeKey(),
                    at: now
                )
        }
        let scopes = made.scopes.sorted()
        var table = Table("id", "key", "scopes", "expires_at", "name", "networks")
        table.add(
            .text(made.id.text),
            .text(made.text.reveal()),
            .text(scopes.joined(separator: " ")),
            .moment(made.expiresAt),
            .text(made.name),
            .text(made.networks.map(\.description).joined(separator: " "))
        )
        output.write(
            table,
            json: .object(omittingAbsent: [
                "id": .string(made.id.text), "key": .string(made.text.reveal()), "name": .string(made.name),
                "scopes": .strings(scopes), "networks": .strings(made.networks.map(\.description)),
                "expires_at": made.expiresAt.map { .string($0.description) },
                "api_version": apiVersion.map { .string($0.text) },
            ])
        )
        Console.note("keep the key: it is not shown again")
    }
}

extension APIVersion: ExpressibleByArgument {
    /// A version that is typed; nil for one that there is not.
    public init?(argument: String) { self.init(argument) }
}

extension APIKeys {
    /// The keys in a database.
    init(hashedIn database: any Database) {
        self.init(database) { key in APIKeyHash.of(key) }
    }
}

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
        var table = Table(
            "id",
            "marketplace",
            "scopes",
            "created_at",
            "expires_at",
            "revoked_at",
            "last_used_at",
            "api_version",
            "name",
            "networks"
        )
        for key in keys {
            table.add(
                .text(key.id.text),
                .text(key.marketplace),
                .text(key.scopes.sorted().joined(separator: " ")),
                .moment(key.createdAt),
                .moment(key.expiresAt),
                .moment(key.revokedAt),
                .moment(key.lastUsedAt),
                .text(key.apiVersion ?? ""),
                .text(key.name),
                .text(key.networks.map(\.description).joined(separator: " "))
            )
        }
        output.write(table, json: .array(keys.map(Self.json)))
    }

    private static func json(_ key: APIKeyTable.Key) -> JSON {
        [
            "id": .string(key.id.text), "livemode": .bool(key.mode == .live),
            "marketplace": .string(key.marketplace),
            "name": .string(key.name), "scopes": .strings(key.scopes.sorted()),
            "networks": .strings(key.networks.map(\.description)), "created_at": .string(key.createdAt.description),
            "expires_at": .optional(key.expiresAt?.description),
            "revoked_at": .optional(key.revokedAt?.description),
            "last_used_at": .optional(key.lastUsedAt?.description), "api_version": .optional(key.apiVersion),
        ]
    }
}

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
            return try await APIKeys.revoke(key, by: .commandLine, at: now, in: database)
        }
        guard isRevoked else { throw CommandFailure.finding("there is no key \(id) that is not revoked") }
        Console.note("revoked \(id)")
    }
}

extension KeyScope: ExpressibleByArgument {
    /// Reads a scope as it is typed; nil for anything else.
    package init?(argument: String) { self.init(argument) }

    /// What may be typed.
    package static let allValueStrings = [
        "checkout", "support", "operator", "adjuster", "admin", "publishable",
        "merchant:<external identifier>",
    ]
}
