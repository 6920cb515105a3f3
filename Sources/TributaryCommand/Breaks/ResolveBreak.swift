import ArgumentParser
import Domain
import Foundation
import Keyring
import SQL
import Settings
import Storage

/// `tributary breaks resolve`.
struct ResolveBreak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Say what became of a break, and why.",
        discussion: """
            investigating: somebody looks into it. matched: it is explained. corrected: the PSP or bank puts it right.
            written_off: the difference is accepted; forced: it is settled against the rules. These two are posted to the
            journal and need an API key with the scope adjuster, which --key names as env:NAME or file:PATH; the key's id
            is written down beside your name.

            Example:
              tributary breaks resolve brk_… --as written_off --reason "below 1 USD, agreed" --key env:BOOKS_KEY
            """
    )

    /// What an operator may say.
    enum Word: String, CaseIterable, ExpressibleByArgument {
        /// Nobody looks at it any more.
        case open
        /// Somebody looks into it.
        case investigating
        /// It is explained.
        case matched
        /// It is accepted and posted.
        case writtenOff = "written_off"
        /// It is put right by whom it is due to.
        case corrected
        /// It is settled against the rules and posted.
        case forced

        var state: BreakState {
            switch self {
            case .open: .open
            case .investigating: .investigating
            case .matched: .matched
            case .writtenOff: .writtenOff
            case .corrected: .corrected
            case .forced: .forced
            }
        }
    }

    @OptionGroup var argument: BreakArgument

    @Option(name: .customLong("as"), help: "What became of it.")
    var word: Word

    @Option(name: .long, help: "Why, in a line.")
    var reason: String

    @Option(name: .long, help: ArgumentHelp("Where the API key is: env:NAME or file:PATH.", valueName: "reference"))
    var key: String?

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    mutating func validate() throws { reason = try TextRule.freeText.checked(reason, "--reason") }

    func run() async throws {
        let settings = try database.settings()
        let secret = try key.map(Self.secret)
        if word.state.isPosted, secret == nil {
            throw CommandFailure.unusable("\(word.rawValue) needs an API key with the scope adjuster: --key env:NAME")
        }
        let hashes = try secret.map { try NewAPIKey.hashes(of: $0, under: Keyring(settings)) }
        let (changed, now) = try await DatabaseUse.looking.open(settings) { [self] database in
            let now = Timestamp(microseconds: try await database.now())
            let changed = try await database.write { [self] session in
                let owner = try marketplace.choose(in: session)
                let found = try argument.load(of: owner, in: session).difference
                let actor = try actor(hashes, of: owner, at: now, in: session)
                var ids = IdentifierSource()
                return try BreakTable.act(
                    BreakDecision(word.state, by: actor, because: reason),
                    on: found.id,
                    seenAs: found.state,
                    of: owner,
                    at: now,
                    ids: &ids,
                    in: session
                )
            }
            return (changed, now)
        }
        output.write(Table(breaks: [changed], at: now))
    }

    /// Who acts: the user, and the key if one is named, which then has to have the scope.
    private func actor(
        _ hashes: [String]?,
        of owner: String,
        at now: Timestamp,
        in session: any Session
    ) throws -> String {
        guard let hashes else { return NSUserName() }
        let scope = KeyScope.adjuster.text
        guard let known = try APIKeyTable.find(hashes: hashes, in: session), known.marketplace == owner,
            known.isValid(at: now), known.scopes.contains(scope)
        else { throw CommandFailure.unusable("the key is not valid here, or lacks the scope \(scope)") }
        return "\(NSUserName()) with \(known.id)"
    }

    private static func secret(_ text: String) throws -> Secret {
        guard let reference = SecretReference(text) else {
            throw CommandFailure.unusable(
                "--key is env:NAME or file:PATH; the key itself has no place in a command line"
            )
        }
        return try reference.resolve(in: .process)
    }
}
