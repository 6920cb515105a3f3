import ArgumentParser
import Domain
import HTTPAPI
import Keyring
import SQL
import Settings
import StrictJSON

/// `tributary check-config`.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say what is wrong with the settings before a payment does.",
        discussion: """
            Reads the settings with every option and variable over them, the keys they refer to, the certificate that the
            API is served with, and, if named, a declaration with its secrets, its PSP accounts, its wallet certificates and keys, and its endpoints of
            callbacks with their client certificates. Warns of certificates that expire within 30 days, and of currencies
            that a merchant may be sold in without the fixed part of commission that it has in others. Exits 1 if
            something it refers to is missing or does not work, 2 if a file cannot be read or breaks a rule.

            Example:
              tributary check-config marketplace.yaml
            """
    )

    @Argument(help: ArgumentHelp("A declaration to check as well.", valueName: "file"))
    var file: String?

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        let declaration = try file.map { try Declaration.load(path: $0, surroundings: .process) }
        var findings: [String] = []
        do throws(CommandFailure) { _ = try Keyring(settings) } catch { findings.append(error.description) }
        do throws(CommandFailure) { _ = try MetricsAccess(settings.metrics, surroundings: .process) } catch {
            findings.append(error.description)
        }
        if let tls = settings.tls {
            do throws(CommandFailure) {
                let found = try ServerCertificate(tls, surroundings: .process).findings(at: .wallClock)
                findings += found.problems
                for warning in found.warnings { Console.note("warning: \(warning)") }
            } catch {
                findings.append(error.description)
            }
        }
        if let declaration {
            let check = DeclarationCheck(
                declaration,
                allowsLoopback: settings.callbacksAllowLoopback,
                surroundings: .process
            )
            findings += check.problems + check.absences
            for warning in check.warnings { Console.note("warning: \(warning)") }
        }
        var table = Table("finding")
        for finding in findings { table.add(.text(finding)) }
        output.write(table, json: ["database": .string(settings.database.description), "findings": .strings(findings)])
        guard findings.isEmpty else { throw ExitCode(1) }
        Console.note("nothing wrong was found; the database is \(settings.database)")
    }
}
