import ArgumentParser
import Callbacks
import Domain
import Keyring
import SQL
import Settings
import Storage
import StrictJSON
import Wiring

/// `tributary secrets rotate`.
struct RotateSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give an endpoint a new secret; the one before signs beside it for a while.",
        discussion: """
            Makes a secret, keeps it encrypted and shows it once; with --to it is kept where the reference says. During
            the overlap every callback carries a signature under each, so that the receiver can change over when it
            likes. Where the declaration names a secret, let it name the new one or none, or the next `apply` changes
            back.

            Example:
              tributary secrets rotate hotel-7 --overlap 48h
            """
    )

    /// 30 days.
    private static let longestOverlap: Int64 = 30 * 86_400_000

    @OptionGroup var endpoint: EndpointArgument

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How long the secret before goes on signing: 0s to 720h; 24h unless said.",
            valueName: "duration"
        )
    )
    var overlap = "24h"

    @Option(
        name: .long,
        help: ArgumentHelp("Where the new secret is kept: env:NAME or file:PATH.", valueName: "reference")
    )
    var to: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        guard let pause = DurationText.milliseconds(overlap), pause <= Self.longestOverlap else {
            throw CommandFailure.unusable("--overlap must be from 0s to 720h, for example 24h")
        }
        let settings = try database.settings()
        let secrets = SecretStore(try Keyring(settings), surroundings: .process)
        let made: (secret: Secret, isShown: Bool) =
            try to.map { (try Self.read($0), false) } ?? (SigningSecret.make(), true)
        let reference = try to.map { try SecretReference.absolute($0).description }
        let (id, until) = try await DatabaseUse.looking.open(settings) { [endpoint] database in
            let now = Timestamp(microseconds: try await database.now())
            let until = now.adding(milliseconds: pause)
            let id = try await database.write { session in
                let found = try endpoint.load(in: session)
                guard var locked = try CallbackEndpointTable.lock(found.id, in: session) else {
                    throw CommandFailure.finding("there is no endpoint \(found.id)")
                }
                let kept = try reference.map(CallbackSecrets.Kept.reference) ?? secrets.seal(made.secret, found.id)
                locked.secrets.rotate(to: kept, until: until, at: now)
                try CallbackEndpointTable.save(locked, in: session)
                return found.id
            }
            return (id, until)
        }
        var table = Table("endpoint", "secret", "previous_until")
        table.add(.text(id.text), .text(made.isShown ? made.secret.reveal() : reference ?? ""), .moment(until))
        output.write(table)
        if made.isShown { Console.note("keep the secret: it is not shown again") }
    }

    /// The secret behind a reference, which must be there and sound before anything is signed with it.
    private static func read(_ text: String) throws -> Secret {
        let secret = try SecretReference.absolute(text).resolve(in: .process)
        if let problem = SigningSecret.problem(with: secret) {
            throw CommandFailure.unusable("the secret at \(text.harmless) will not do: \(problem)")
        }
        return secret
    }
}
