import ArgumentParser
import Domain
import Gateway
import HTTPAPI
import Keyring
import SQL
import Settings
import Storage
import StrictJSON
import TributaryClient

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
            becomes. Only a hash of the key is stored. The first key of a database is made on it directly; later ones over
            HTTP by a key with the scope admin, or with --direct.

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

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The key of an earlier command that got no answer from the server: under it no second API key is made.",
            valueName: "key"
        )
    )
    var idempotencyKey: String?

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws {
        if acting.direct, idempotencyKey != nil {
            throw ValidationError("--idempotency-key is for acts over HTTP, and does not go with --direct")
        }
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
        let made = try await acting.act(in: marketplace, asFirst: true) { settings in
            try await create(settings)
        } remotely: { server in
            try await create(server)
        }
        var table = Table("id", "key", "scopes", "expires_at", "name", "networks")
        table.add(
            .text(of: made["id"]),
            .text(of: made["key"]),
            .text(made.list("scopes").compactMap(\.stringValue).joined(separator: " ")),
            .moment(of: made["expires_at"]),
            .text(of: made["name"]),
            .text(made.list("networks").compactMap(\.stringValue).joined(separator: " "))
        )
        output.write(table, json: made)
        guard made["key"] != nil else {
            throw CommandFailure.finding(
                "\(made.text("id")) was made by an earlier command, and is not shown again; if nobody has its text, revoke it"
            )
        }
        Console.note("keep the key: it is not shown again")
    }

    private func create(_ settings: ServerSettings) async throws -> JSON {
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
        return .object(omittingAbsent: [
            "id": .string(made.id.text), "key": .string(made.text.reveal()), "name": .string(made.name),
            "scopes": .strings(made.scopes.sorted()), "networks": .strings(made.networks.map(\.description)),
            "expires_at": made.expiresAt.map { .string($0.description) },
            "api_version": apiVersion.map { .string($0.text) },
        ])
    }

    private func create(_ server: RemoteServer) async throws(CommandFailure) -> JSON {
        let body = JSON.object(omittingAbsent: [
            "name": name.map(JSON.string), "scopes": .strings(scope.map(\.text)),
            "networks": network.isEmpty ? .none : .strings(network.map(\.description)),
            "expires_at": expires.map { .string($0.description) },
            "api_version": apiVersion.map { .string($0.text) },
        ])
        let key = idempotencyKey ?? TributaryClient.makeIdempotencyKey()
        let made = try await server.post("/v1/keys", body, under: key) { problem in
            switch problem.code {
            case "key_ends_in_the_past": CommandFailure(DirectoryRefusal.keyEndsInThePast)
            case "publishable_with_others": CommandFailure(DirectoryRefusal.publishableKeyWithOtherScopes)
            case "key_name_in_use":
                problem.detail.split(separator: " ").first.flatMap { KeyID(String($0)) }
                    .map { CommandFailure(DirectoryRefusal.keyNameInUse(name ?? "", $0)) }
            default: nil
            }
        }
        return made.json.choosing("id", "key", "name", "scopes", "networks", "expires_at", "api_version")
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
        abstract: "List API keys, the revoked ones too; never their text, which is not stored.",
        discussion:
            "A key is active, expired once its time is over, or revoked. When it was last used is known to the hour."
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let (keys, now) = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            let now = Timestamp(microseconds: try await database.now())
            let keys = try await database.read { session in
                let owner = try marketplace.filter(in: session)
                return try APIKeyTable.all(in: session).filter { owner == nil || $0.marketplace == owner }
            }
            return (keys, now)
        }
        var table = Table(
            "id",
            "marketplace",
            "state",
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
                .text(Self.state(of: key, at: now)),
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
        output.write(table, json: .array(keys.map { Self.json($0, at: now) }))
    }

    /// What has become of a key: `active`, `expired` or `revoked`.
    private static func state(of key: APIKeyTable.Key, at now: Timestamp) -> String {
        if key.revokedAt != nil { return "revoked" }
        return key.isValid(at: now) ? "active" : "expired"
    }

    private static func json(_ key: APIKeyTable.Key, at now: Timestamp) -> JSON {
        [
            "id": .string(key.id.text), "livemode": .bool(key.mode == .live),
            "marketplace": .string(key.marketplace), "state": .string(state(of: key, at: now)),
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

    @OptionGroup var acting: ActingOptions

    func run() async throws {
        guard let key = KeyID(id) else {
            throw CommandFailure.unusable("\(id.harmless) is no key's id; `tributary keys list` shows them")
        }
        let isRevoked = try await acting.act { settings in
            try await DatabaseUse.looking.open(settings) { database in
                let now = Timestamp(microseconds: try await database.now())
                return try await APIKeys.revoke(key, by: .commandLine, at: now, in: database)
            }
        } remotely: { server in
            let known = try await server.list("/v1/keys").first { $0["id"] == .string(key.text) }
            guard let known, known["revoked_at"]?.isNull != false else { return false }
            try await server.post("/v1/keys/\(key)/revoke")
            return true
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
