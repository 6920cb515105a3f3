import ArgumentParser
import Domain
import Gateway
import Keyring
import SQL
import Settings
import Storage
import StrictJSON
import Wiring

/// `tributary doctor`.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check what is stored and everything it refers to, as this shell sees it.",
        discussion: """
            Opens the database, reads every marketplace, its PSP accounts and its wallet keys, and loads what they refer
            to: secrets, certificates, keys. Warns of certificates that expire within 30 days. Run it where the server
            runs, with the server's environment.

            Exits 1 if something does not work; warnings alone exit 0.
            """
    )

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        var table = Table("severity", "subject", "finding")
        var hasKeyring = true
        do throws(CommandFailure) { _ = try Keyring(settings) } catch {
            hasKeyring = false
            table.add(.text("error"), .text("keyring"), .text(error.description))
        }
        let found = try await DatabaseUse.looking.open(settings) { database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.read { session in try Self.findings(at: now, in: session) }
        }
        for finding in found {
            table.add(.text(finding.isError ? "error" : "warning"), .text(finding.subject), .text(finding.sentence))
        }
        output.write(table)
        guard hasKeyring, !found.contains(where: \.isError) else { throw ExitCode(1) }
        guard found.isEmpty else { return }
        Console.note("nothing wrong was found; the database is \(settings.database)")
    }

    fileprivate struct Finding {
        let isError: Bool
        let subject: String
        let sentence: String
    }

    private static func findings(at now: Timestamp, in session: any Session) throws -> [Finding] {
        try MarketplaceTable.all(in: session).flatMap { marketplace in
            let seller = try PaymentRequestTable.seller(of: marketplace.id, in: session)
            let wallets = WalletCheck(
                marketplace.wallets,
                merchantIdentifier: seller?.merchantIdentifier,
                merchantIdentifiers: try MerchantTable.merchantIdentifiers(of: marketplace.id, in: session),
                at: now,
                surroundings: .process
            )
            let accounts = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.id)))
            let check = AccountCheck(accounts, surroundings: .process)
            let errors = wallets.problems + check.problems + wallets.absences + check.absences
            return errors.map { Finding(isError: true, subject: marketplace.id, sentence: $0) }
                + wallets.warnings.map { Finding(isError: false, subject: marketplace.id, sentence: $0) }
        }
    }
}
