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
            merchant:<external identifier> sees one merchant's payments, adjuster writes off and forces breaks. Only a keyed hash of the key is stored.

            Example:
              tributary keys create --scope checkout --scope operator --format json
            """
    )

    @Option(name: .long, help: ArgumentHelp("What the key may do; may be repeated.", valueName: "scope"))
    var scope: [KeyScope]

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let keyring = try Keyring(settings)
        let made = try await DatabaseUse.looking.open(settings) { [marketplace, scope] database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.write { session in
                let owner = try marketplace.choose(in: session)
                for case .merchant(let name) in scope
                where try MerchantTable.find([name], of: owner, in: session).isEmpty {
                    throw CommandFailure.unusable("\(owner) has no merchant \(name.harmless)")
                }
                return try NewAPIKey.make(for: owner, scope, under: keyring, at: now, in: session)
            }
        }
        let scopes = made.scopes.sorted()
        var table = Table("id", "key", "scopes")
        table.add(.text(made.id.text), .text(made.text.reveal()), .text(scopes.joined(separator: " ")))
        output.write(
            table,
            json: ["id": .string(made.id.text), "key": .string(made.text.reveal()), "scopes": .strings(scopes)]
        )
        Console.note("keep the key: it is not shown again")
    }
}
