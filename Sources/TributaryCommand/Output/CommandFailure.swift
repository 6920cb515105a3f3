import Domain
import Gateway
import PSPSimulator
import Reconciliation
import SQL
import SQLiteDatabase
import Settings
import Storage

/// Why a command ends without having done what was asked, in a sentence for whoever typed it.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
    /// 1 if the input was fine and something was found, 2 if the input, or what it names, cannot be used, 4 if our own
    /// books are wrong.
    let exitCode: Int32
    /// The sentence, or several, one a line.
    let description: String

    /// What is shown: every line says that it is an error.
    var message: String {
        description.split(separator: "\n").map { "Error: \($0)" }.joined(separator: "\n")
    }

    /// Something was found that needs a look, or was looked for and is not there.
    static func finding(_ sentence: String) -> CommandFailure { CommandFailure(exitCode: 1, description: sentence) }

    /// What was typed, or what it names, cannot be used.
    static func unusable(_ sentence: String) -> CommandFailure { CommandFailure(exitCode: 2, description: sentence) }

    /// Our own books are wrong, which nothing that was typed can be.
    static func brokenBooks(_ sentence: String) -> CommandFailure { CommandFailure(exitCode: 4, description: sentence) }

    private init(exitCode: Int32, description: String) {
        self.exitCode = exitCode
        self.description = description
    }

    /// Says any error in words.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let refusal as SchemaRefusal: self = .unusable(Self.sentence(refusal))
        case let refusal as KeyringRefusal: self = .unusable(refusal.description)
        case let error as SQLError: self = .unusable(Self.sentence(error))
        case let error as InvalidConfiguration: self = .unusable(error.description)
        case let error as SecretRefusal: self = .unusable(error.description)
        case let error as SQLiteFileInUse: self = .unusable(error.description)
        case let error as BooksFileError: self = .unusable(error.description)
        case let refusal as DirectoryRefusal: self.init(refusal)
        case let refusal as TestClockRefusal: self.init(refusal)
        case let refusal as PayoutRefusal: self.init(refusal)
        case let refusal as InvoiceRefusal: self.init(refusal)
        case let mismatch as StatementMismatch: self = .brokenBooks(mismatch.description)
        case let refusal as BreakRefusal: self.init(refusal)
        case let refusal as ReconciliationRefusal: self = .unusable(refusal.description)
        case let failure as ReconciliationFailure: self = .unusable(failure.description)
        case is CancellationError: self = .unusable("it was interrupted")
        default: self = .unusable("\(error)")
        }
    }

    private static func sentence(_ refusal: SchemaRefusal) -> String {
        switch refusal {
        case .missing(let name):
            "the database lacks \(name == "schema_migration" ? "the schema" : "the migration \(name)"); "
                + "run `tributary migrate`, on PostgreSQL as the owner of the tables"
                + (name == "schema_migration" ? ", and give the role that serves its rights (--print-grants)" : "")
        case .changed(let name):
            "the database was migrated with another text of \(name) than this build has; use the build that did it, "
                + "or make a new database: nothing is released yet"
        case .outdated(let name):
            "the database was made with a schema that is no longer kept up (\(name)); make a new database: nothing is "
                + "released yet"
        case .unknown(let name, let needs):
            "the database has a migration that this build does not know, \(name)"
                + (needs == name ? "" : ", beside which only builds run that know \(needs)") + "; use a newer build"
        }
    }

    private static func sentence(_ error: SQLError) -> String {
        switch error {
        case .unavailable(let reason): "the database cannot be reached: \(reason)"
        case .broken(let reason): "the database cannot be used: \(reason)"
        case .uniqueViolation(let name): "another command changed the database at the same time (\(name)); try again"
        case .constraintViolation(let name): "the database refused it: \(name)"
        case .serializationFailure: "the database is too busy; try again"
        case .unexpectedValue(let column): "the database holds something in \(column) that this build cannot read"
        }
    }
}

/// What the directory refuses, for whoever typed it.
extension CommandFailure {
    /// Says what is not there, or is not what it would have to be.
    init(_ refusal: DirectoryRefusal) {
        switch refusal {
        case .noMarketplace:
            self = .unusable("there is no marketplace yet; declare one and run `tributary apply FILE`")
        case .unknownMarketplace(let name): self = .unusable("there is no marketplace \(name.harmless)")
        case .severalMarketplaces(let names):
            self = .unusable("say --marketplace: there are \(names.joined(separator: ", "))")
        case .unknownMerchant(let name): self = .finding("there is no merchant \(name.harmless)")
        case .unknownMerchantOfKey(let name, let marketplace):
            self = .unusable("\(marketplace) has no merchant \(name.harmless)")
        case .unknownAccount(let name): self = .finding("there is no PSP account \(name.harmless)")
        case .accountElsewhere(let id, let known, let declared):
            self = .unusable(
                "psp_account \(id) is an account at \(known) and has a history there; "
                    + "declare an account at \(declared) under another id"
            )
        case .modeChanged(let id, let known):
            self = .unusable(
                "marketplace \(id) was made in \(known.rawValue) mode, which never changes; declare another marketplace"
            )
        case .unknownEndpoint(let name):
            self = .finding(
                "there is no endpoint \(name.harmless); `tributary callbacks endpoints` shows those there are"
            )
        case .severalEndpoints(let name, let found):
            let names = found.map { "\($0.id) (\($0.url.harmless))" }.joined(separator: " or ")
            self = .unusable("\(name.harmless) may mean \(names); say which by its id")
        case .unknownCallback(let id): self = .finding("there is no callback \(id)")
        case .noSealingKey: self = .unusable("there is no key to encrypt a secret with")
        case .publishableKeyWithOtherScopes:
            self = .unusable("a key with the scope publishable has no other: everybody can read it")
        case .keyEndsInThePast: self = .unusable("--expires is a time that is over")
        case .scopeNotHeld(let scope): self = .unusable("the key has not the scope \(scope) itself")
        case .keyOutlivesMaker(let end): self = .unusable("the key that asks ends at \(end) itself")
        case .networkNotHeld: self = .unusable("the key that asks may come from other networks only")
        case .keyNameInUse(let name, let id):
            self = .unusable("\(id) is called \(name.harmless), and is not revoked; give another name")
        case .keyRequestReused(let id): self = .unusable("the request has made \(id), which is another key")
        case .keyLacksScope(let scope):
            self = .unusable("the key is not valid here, or lacks the scope \(scope)")
        }
    }
}
