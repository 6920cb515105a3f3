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

/// The endpoint a command is about.
struct EndpointArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The endpoint's id (cbe_…), the marketplace's id for its own, or a merchant's external identifier.",
            valueName: "endpoint"
        )
    )
    var endpoint: String

    @OptionGroup var marketplace: MarketplaceOption

    /// The endpoint as it was named.
    var name: EndpointName { EndpointName(endpoint) }

    /// Asks a server for the endpoint.
    ///
    /// - Throws: ``CommandFailure`` if there is none or more than one of that name.
    func load(from server: RemoteServer) async throws -> JSON { try await Self.load(endpoint, from: server) }

    /// Asks a server for the endpoint of a name.
    ///
    /// - Throws: ``CommandFailure`` if there is none or more than one of that name.
    static func load(_ endpoint: String, from server: RemoteServer) async throws -> JSON {
        let all = try await server.list("/v1/callback-endpoints")
        if let found = all.first(where: { $0["id"] == .string(endpoint) }) { return found }
        let isOwn = try await server.marketplace() == endpoint
        let found = all.filter { one in
            one["external_identifier"] == .string(endpoint) || isOwn && one["merchant"]?.isNull != false
        }
        guard let only = found.first else { throw CommandFailure(DirectoryRefusal.unknownEndpoint(endpoint)) }
        let named = found.compactMap { one in
            EndpointID(one.text("id")).map { DirectoryRefusal.CallbackEndpointName(id: $0, url: one.text("url")) }
        }
        guard found.count == 1 else {
            throw CommandFailure(DirectoryRefusal.severalEndpoints(endpoint, named))
        }
        return only
    }

    /// Reads the endpoint.
    ///
    /// - Throws: `DirectoryRefusal` if there is none or more than one of that name, or `SQLError`.
    func load(in session: any Session) throws -> CallbackEndpoint {
        try name.find(of: marketplace.filter(in: session), in: session)
    }
}

/// `tributary callbacks endpoints`.
struct ListEndpoints: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoints",
        abstract: "List endpoints, how deliveries go there and what waits, without their secrets.",
        discussion: """
            An endpoint without a merchant is the marketplace's own. One that fails is tried again after 5s, then every
            5m; one that is disabled (`gone`: it answered 410; `undeclared`: `apply --prune`) is not tried until
            `callbacks enable`, and keeps what waits for it for 30 days.
            """
    )

    @OptionGroup var marketplace: MarketplaceOption
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let table = try await DatabaseUse.looking.open(database.settings()) { [marketplace] database in
            try await database.read { session in
                let owner = try marketplace.filter(in: session)
                let endpoints = try CallbackEndpointTable.all(of: owner, in: session)
                return Table(
                    endpoints: endpoints,
                    names: try Endpoints.merchantNames(of: endpoints, in: session),
                    counts: try CallbackStatistics.counts(of: owner, in: session)
                )
            }
        }
        output.write(table)
    }
}

/// `tributary callbacks enable`.
struct EnableEndpoint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Deliver to an endpoint again, at once and as if nothing had failed there.",
        discussion: """
            For one that is disabled, or that fails and should not be waited for any longer. What waits is delivered;
            dead letters stay dead until `callbacks replay`.

            Example:
              tributary callbacks enable hotel-7
            """
    )

    @OptionGroup var endpoint: EndpointArgument
    @OptionGroup var acting: ActingOptions

    func run() async throws {
        let before = try await acting.act(in: endpoint.marketplace) { settings in
            try await DatabaseUse.looking.open(settings) { [endpoint] database in
                let before = try await Endpoints(database, by: .commandLine).enable(
                    endpoint.name,
                    of: endpoint.marketplace.choice,
                    at: Timestamp(microseconds: try await database.now())
                )
                return (id: before.id.text, reason: before.reason?.rawValue, failures: before.health.failures)
            }
        } remotely: { server in
            let before = try await endpoint.load(from: server)
            try await server.post("/v1/callback-endpoints/\(before.text("id"))/enable")
            return (
                id: before.text("id"), reason: before["reason"]?.stringValue,
                failures: before["failures"]?.integerValue ?? 0
            )
        }
        let was = before.reason.map { "was disabled (\($0))" } ?? "was enabled, \(before.failures) failures"
        Console.note("\(before.id) \(was) and is delivered to again")
    }
}

/// `tributary callbacks test`.
struct TestEndpoint: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send an endpoint a signed event of type endpoint.test, and say what it answers.",
        discussion: """
            Nothing is stored, and a disabled endpoint stays so. The server sends it; with --direct it is sent from here:
            run that where the server runs, with the server's environment. Exits 1 unless the answer is 2xx.

            Example:
              tributary callbacks test travel
            """
    )

    @OptionGroup var endpoint: EndpointArgument
    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        let told = try await acting.act(in: endpoint.marketplace) { settings in
            try await test(settings)
        } remotely: { server in
            let found = try await endpoint.load(from: server)
            let answer = try await server.post("/v1/callback-endpoints/\(found.text("id"))/test").json
            let status = answer["status"]?.integerValue
            return Told(
                endpoint: found.text("id"),
                url: found.text("url"),
                callback: answer.text("callback"),
                status: status.map { Int($0) },
                silence: answer["error"]?.stringValue
            )
        }
        var table = Table("endpoint", "url", "callback", "result", "status")
        table.add(
            .text(told.endpoint),
            .text(told.url),
            .text(told.callback),
            .text(told.result),
            told.status.map { .integer(Int64($0)) } ?? .absent
        )
        output.write(table)
        guard told.isTaken else { throw ExitCode(1) }
    }

    /// What an endpoint answered.
    private struct Told {
        let endpoint: String
        let url: String
        let callback: String
        /// The status; nil if there was no answer.
        let status: Int?
        /// Why there was none.
        let silence: String?

        var isTaken: Bool { status.map { (200..<300).contains($0) } ?? false }
        var result: String {
            guard status != nil else { return silence ?? "interrupted" }
            return isTaken ? "taken" : "not taken: only 2xx counts"
        }
    }

    private func test(_ settings: ServerSettings) async throws -> Told {
        let secrets = SecretStore(try Keyring(settings), surroundings: .process)
        let (found, now) = try await DatabaseUse.looking.open(settings) { [endpoint] database in
            let now = Timestamp(microseconds: try await database.now())
            return (try await database.read { session in try endpoint.load(in: session) }, now)
        }
        let transport = HTTPTransport()
        let sender = CurlCallbackSender(transport, allowsLoopback: settings.callbacksAllowLoopback)
        let (id, reply) = await TestDelivery(sender, secrets: secrets).send(to: found, at: now)
        await transport.stop()
        let (status, silence): (Int?, String?) =
            switch reply {
            case .status(let status, _): (status, nil)
            case .silence(let reason): (nil, reason)
            case .interrupted: (nil, nil)
            }
        return Told(endpoint: found.id.text, url: found.url, callback: id.text, status: status, silence: silence)
    }
}

/// `tributary secrets`.
struct SecretCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Replace what callbacks are signed with.",
        subcommands: [RotateSecret.self]
    )
}

/// `tributary secrets rotate`.
struct RotateSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give an endpoint a new secret; the one before signs beside it for a while.",
        discussion: """
            Makes a secret, keeps it encrypted and shows it once; with --direct --to it is kept where the reference says. During
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

    @OptionGroup var acting: ActingOptions
    @OptionGroup var output: FormatOption

    func run() async throws {
        guard let pause = DurationText.milliseconds(overlap), pause <= Self.longestOverlap else {
            throw CommandFailure.unusable("--overlap must be from 0s to 720h, for example 24h")
        }
        let (table, isShown) = try await acting.act(in: endpoint.marketplace) { settings in
            try await rotate(settings, pause)
        } remotely: { server in
            guard to == nil else {
                throw CommandFailure.unusable("--to is for --direct: it names a place on the server's machine")
            }
            guard pause.isMultiple(of: 1000) else {
                throw CommandFailure.unusable("--overlap is in whole seconds over HTTP")
            }
            let found = try await endpoint.load(from: server)
            let body: JSON = ["overlap_seconds": .integer(pause / 1000)]
            let made = try await server.post("/v1/callback-endpoints/\(found.text("id"))/rotate", body).json
            return (
                Self.table(made.text("endpoint"), made.text("secret"), until: .moment(of: made["previous_until"])), true
            )
        }
        output.write(table)
        if isShown { Console.note("keep the secret: it is not shown again") }
    }

    private static func table(_ endpoint: String, _ secret: String, until end: Table.Cell) -> Table {
        var table = Table("endpoint", "secret", "previous_until")
        table.add(.text(endpoint), .text(secret), end)
        return table
    }

    private func rotate(_ settings: ServerSettings, _ pause: Int64) async throws -> (Table, Bool) {
        let keyring = try Keyring(settings)
        let secrets = SecretStore(keyring, surroundings: .process)
        let made: (secret: Secret, isShown: Bool) =
            try to.map { (try Self.read($0), false) } ?? (SigningSecret.make(), true)
        let reference = try to.map { try SecretReference.absolute($0).description }
        let (id, until) = try await DatabaseUse.looking.open(settings) { [endpoint] database in
            try await keyring.begin(on: database, settings)
            let now = Timestamp(microseconds: try await database.now())
            let until = now.adding(milliseconds: pause)
            let id = try await Endpoints(database, by: .commandLine).rotateSecret(
                of: endpoint.name,
                of: endpoint.marketplace.choice,
                until: until,
                at: now
            ) { id in try reference.map(CallbackSecrets.Kept.reference) ?? secrets.seal(made.secret, id) }
            return (id, until)
        }
        let shown = made.isShown ? made.secret.reveal() : reference ?? ""
        return (Self.table(id.text, shown, until: .moment(until)), made.isShown)
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
