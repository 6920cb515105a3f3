import ArgumentParser
import Domain
import Keyring
import SQL
import Settings
import Storage
import StrictJSON

/// `tributary keys create`.
struct CreateKey: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an API key and show it once.",
        discussion: """
            Scopes: checkout places and reads orders, operator sees and changes everything of the marketplace,
            merchant:<external identifier or id> sees one merchant's payments and statement, adjuster writes off and
            forces breaks. A merchant's key is bound to its id, whatever its external identifier becomes. Only a keyed
            hash of the key is stored.

            Examples:
              tributary keys create --scope checkout --scope operator --format json
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

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func validate() throws {
        let merchants = Set(scope).filter { if case .merchant = $0 { true } else { false } }
        guard merchants.count < 2 else {
            throw ValidationError("a key is for one merchant: make one for each")
        }
    }

    func run() async throws {
        let settings = try database.settings()
        let keyring = try Keyring(settings)
        let made = try await DatabaseUse.looking.open(settings) { [marketplace, scope, expires] database in
            let now = Timestamp(microseconds: try await database.now())
            guard expires.map({ now < $0 }) ?? true else {
                throw CommandFailure.unusable("--expires is a time that is over")
            }
            return try await database.write { session in
                let owner = try marketplace.choose(in: session)
                return try NewAPIKey.make(for: owner, scope, until: expires, under: keyring, at: now, in: session)
            }
        }
        let scopes = made.scopes.sorted()
        var table = Table("id", "key", "scopes", "expires_at")
        table.add(
            .text(made.id.text),
            .text(made.text.reveal()),
            .text(scopes.joined(separator: " ")),
            .moment(made.expiresAt)
        )
        output.write(
            table,
            json: .object(omittingAbsent: [
                "id": .string(made.id.text), "key": .string(made.text.reveal()), "scopes": .strings(scopes),
                "expires_at": made.expiresAt.map { .string($0.description) },
            ])
        )
        Console.note("keep the key: it is not shown again")
    }
}
