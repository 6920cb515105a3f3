import ArgumentParser
import Callbacks
import Domain
import Gateway
import HTTPTransport
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
            Opens the database, reads every marketplace, its PSP accounts, its wallet keys and its endpoints of
            callbacks, and loads what they refer to: secrets, certificates, keys. Names the routes of merchants on which
            the PSP pays somebody else than the books say, and the accounts whose credentials their PSP has refused since it
            last took a call. Warns of certificates that expire within 30 days, and of API keys whose time is over within 14.
            Connects to every endpoint that is delivered to, shakes hands and sends nothing
            (`tributary callbacks test` sends an event); says which are disabled, fail, lag or have dead letters. Says
            whether the keyring is the database's, and what the role or the file lets be done that need not. Run it
            where the server runs, with the server's environment.

            Exits 1 if something does not work; warnings alone exit 0.
            """
    )

    /// How long an endpoint may take to be connected to, in milliseconds.
    private static let connectMilliseconds = 10_000

    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let settings = try database.settings()
        var findings: [DoctorFinding] = []
        var keyring: Keyring?
        do throws(CommandFailure) { keyring = try Keyring(settings) } catch {
            findings.append(.error("keyring", error.description))
        }
        if let tls = settings.tls {
            do throws(CommandFailure) {
                let found = try ServerCertificate(tls, surroundings: .process).findings(at: .wallClock)
                findings += found.problems.map { .error("tls", $0) }
                findings += found.warnings.map { .warning("tls", $0) }
            } catch {
                findings.append(.error("tls", error.description))
            }
        }
        let (found, endpoints, now) = try await DatabaseUse.looking.open(settings) { [keyring] database in
            let now = Timestamp(microseconds: try await database.now())
            findings += try await RightsCheck(settings.database).findings(database)
            if let keyring {
                do {
                    try await KeyringCheck(database, RingKeys(keyring), acceptingLost: settings.keyring?.lost ?? [])
                        .verify(at: now)
                } catch let refusal as KeyringRefusal {
                    findings.append(.error("keyring", refusal.description))
                }
            }
            return try await database.read { session in
                let marketplaces = try MarketplaceTable.all(in: session)
                return (
                    try marketplaces.flatMap { try Self.findings(about: $0, at: now, in: session) },
                    try marketplaces.flatMap { try StoredEndpoint.all(of: $0.id, in: session) }, now
                )
            }
        }
        findings += found
        findings += await Self.findings(about: endpoints, settings, keyring, at: now)
        var table = Table("severity", "subject", "finding")
        for finding in findings {
            table.add(.text(finding.isError ? "error" : "warning"), .text(finding.subject), .text(finding.sentence))
        }
        output.write(table)
        guard !findings.contains(where: \.isError) else { throw ExitCode(1) }
        guard findings.isEmpty else { return }
        Console.note("nothing wrong was found; the database is \(settings.database)")
    }

    private static func findings(
        about marketplace: MarketplaceTable.Marketplace,
        at now: Timestamp,
        in session: any Session
    ) throws -> [DoctorFinding] {
        let seller = try PaymentRequestTable.seller(of: marketplace.id, in: session)
        let wallets = WalletCheck(
            marketplace.wallets,
            merchantIdentifier: seller?.merchantIdentifier,
            merchantIdentifiers: try MerchantTable.merchantIdentifiers(of: marketplace.id, in: session),
            at: now,
            surroundings: .process
        )
        let accounts = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: marketplace.id)))
        var check = AccountCheck(accounts, surroundings: .process)
        check.checkPayees(of: try Merchants.all(of: marketplace.id, in: session), among: accounts)
        let followed = try WalletProblemTable.all(of: marketplace.id, in: session).map { problem in
            let times = "since \(problem.since.wholeSeconds), last seen \(problem.seenAt.wholeSeconds)"
            return "\(problem.kind.rawValue): \(problem.finding) (\(times)) \(problem.advice)"
        }
        let refusals = try CredentialRefusalTable.all(of: marketplace.id, in: session).map { refusal in
            "\(refusal.finding) Since \(refusal.since), last at \(refusal.refusedAt). \(refusal.advice)"
        }
        let errors = refusals + wallets.problems + check.problems + wallets.absences + check.absences
        let keys = try APIKeyCheck(of: marketplace.id, at: now, in: session)
        let warnings = followed + wallets.warnings + keys.warnings
        return errors.map { .error(marketplace.id, $0) } + warnings.map { .warning(marketplace.id, $0) }
    }

    private static func findings(
        about endpoints: [StoredEndpoint],
        _ settings: ServerSettings,
        _ keyring: Keyring?,
        at now: Timestamp
    ) async -> [DoctorFinding] {
        guard !endpoints.isEmpty else { return [] }
        let transport = HTTPTransport()
        let check = EndpointCheck(
            sender: CurlCallbackSender(
                transport,
                allowsLoopback: settings.callbacksAllowLoopback,
                timeoutMilliseconds: connectMilliseconds
            ),
            secrets: keyring.map { SecretStore($0, surroundings: .process) },
            now: now,
            surroundings: .process
        )
        let findings = await check.findings(endpoints)
        await transport.stop()
        return findings
    }
}

/// Something that `tributary doctor` has to say.
struct DoctorFinding: Hashable, Sendable {
    /// Whether it does not work; otherwise it needs a look soon.
    let isError: Bool
    /// What it is about: a marketplace, or the key ring.
    let subject: String
    /// What is wrong and what to do about it.
    let sentence: String

    /// Something that does not work.
    static func error(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(isError: true, subject: subject, sentence: sentence)
    }

    /// Something that needs a look soon.
    static func warning(_ subject: String, _ sentence: String) -> DoctorFinding {
        DoctorFinding(isError: false, subject: subject, sentence: sentence)
    }
}

/// An endpoint as it is stored, with what waits there.
struct StoredEndpoint: Hashable, Sendable {
    /// The endpoint.
    let endpoint: CallbackEndpoint
    /// What people call its owner: the marketplace's id, or a merchant's external identifier.
    let name: String
    /// How many callbacks wait.
    let waiting: Int64
    /// How many dead letters there are.
    let dead: Int64
    /// When the oldest of those that wait was written down.
    let oldestWaiting: Timestamp?

    /// Those of a marketplace.
    ///
    /// - Throws: `SQLError`.
    static func all(of marketplace: String, in session: any Session) throws -> [StoredEndpoint] {
        let endpoints = try CallbackEndpointTable.all(of: marketplace, in: session)
        guard !endpoints.isEmpty else { return [] }
        let names = try Endpoints.merchantNames(of: endpoints, in: session)
        let counts = try CallbackStatistics.counts(of: marketplace, in: session)
        let oldest = try CallbackStatistics.oldestWaiting(of: marketplace, in: session)
        return endpoints.map { endpoint in
            StoredEndpoint(
                endpoint: endpoint,
                name: endpoint.merchant.map { names[$0] ?? $0.text } ?? marketplace,
                waiting: counts[endpoint.id]?.waiting ?? 0,
                dead: counts[endpoint.id]?.dead ?? 0,
                oldestWaiting: oldest[endpoint.id]
            )
        }
    }
}
