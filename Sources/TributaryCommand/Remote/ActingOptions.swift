import ArgumentParser
import Domain
import Foundation
import HTTPTransport
import SQL
import Settings
import Storage
import TributaryClient

/// How a command acts: over HTTP with an API key, or with `--direct` on the database itself.
///
/// Has the database's options as its own, for a group in a group is checked again for each check of the outer one, which
/// takes the parser of a debug build a good part of a second.
struct ActingOptions: ParsableArguments, DatabaseChoice {
    /// The variable that has the API key, or says where it is: `env:NAME` or `file:PATH`.
    static let keyVariable = "TRIBUTARY_API_KEY"
    /// The variable that says where the server is.
    static let urlVariable = "TRIBUTARY_URL"

    @Flag(
        name: .long,
        help: "Act on the database directly, which the audit trail records with your name, and not over HTTP."
    )
    var direct = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The server that acts with the key of TRIBUTARY_API_KEY (also TRIBUTARY_URL); the settings' host and port "
                + "unless said.",
            valueName: "url"
        )
    )
    var url: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The certificate authorities to trust instead of the system's.", valueName: "file")
    )
    var caFile: String?

    @Option(name: .long, help: configHelp)
    var config: String?

    @Option(name: .long, help: databaseHelp)
    var database: String?

    /// Acts on the way that was chosen.
    ///
    /// - Parameters:
    ///   - marketplace: the marketplace that was typed; over HTTP it has to be the key's.
    ///   - isFirst: whether the act may set up a database that no API key opens yet, which needs no `--direct`.
    ///   - directly: acts on the database of the settings.
    ///   - remotely: acts over HTTP.
    /// - Returns: what either came to.
    /// - Throws: ``CommandFailure`` if no way was chosen, and what either throws.
    func act<Value>(
        in marketplace: MarketplaceOption? = nil,
        asFirst isFirst: Bool = false,
        directly: (ServerSettings) async throws -> Value,
        remotely: (RemoteServer) async throws -> Value
    ) async throws -> Value {
        guard let key = try key() else {
            guard direct else {
                let settings = try settings()
                guard isFirst, try await Self.isWithoutKeys(settings) else {
                    throw Self.refusal(RemoteAddress.local(settings))
                }
                return try await directly(settings)
            }
            return try await directly(try settings())
        }
        guard database == nil else {
            throw CommandFailure.unusable("--database is for --direct: with \(Self.keyVariable) the server acts")
        }
        let typed = url ?? Surroundings.process.environment[Self.urlVariable].flatMap { $0.isEmpty ? nil : $0 }
        let server = RemoteServer(
            url: try RemoteAddress.checked(typed ?? RemoteAddress.local(settings())),
            key: key,
            trusting: caFile.map { .file($0) }
        )
        let result = await Result {
            if let wanted = marketplace?.marketplace { try await server.check(marketplace: wanted) }
            return try await remotely(server)
        }
        await server.close()
        return try result.get()
    }

    func validate() throws {
        if direct, url != nil || caFile != nil { throw ValidationError("--url and --ca-file are for acts over HTTP") }
        if let caFile, !FileManager.default.isReadableFile(atPath: caFile) {
            throw ValidationError("--ca-file \(caFile.harmless) cannot be read")
        }
    }

    /// The key to act with; nil if the database is acted on directly, or there is none.
    private func key() throws -> Secret? {
        guard !direct, let text = Surroundings.process.environment[Self.keyVariable], !text.isEmpty else { return nil }
        guard let reference = SecretReference(text) else { return Secret(text) }
        return try reference.resolve(in: .process)
    }

    /// Whether a database has no API key that opens anything.
    private static func isWithoutKeys(_ settings: ServerSettings) async throws -> Bool {
        try await DatabaseUse.looking.open(settings) { database in
            let now = Timestamp(microseconds: try await database.now())
            return try await database.read { session in
                try APIKeyTable.all(in: session).allSatisfy { !$0.isValid(at: now) }
            }
        }
    }

    private static func refusal(_ url: String) -> CommandFailure {
        .unusable(
            "say how to act: set \(keyVariable) to an API key, and the server at \(url) acts (--url names another); "
                + "or add --direct to act on the database itself, which the audit trail records with your name"
        )
    }
}

/// How an address is written where a person may copy it.
enum Address {
    /// `http://127.0.0.1:8080`, with brackets where IPv6 wants them.
    static func url(host: String, port: Int, isEncrypted: Bool = false) -> String {
        let scheme = isEncrypted ? "https" : "http"
        return host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}

/// Where a server is.
enum RemoteAddress {
    /// Where the server of settings is for this machine.
    static func local(_ settings: ServerSettings) -> String {
        let host =
            switch settings.host {
            case "0.0.0.0", "": "127.0.0.1"
            case "::": "::1"
            default: settings.host
            }
        return Address.url(host: host, port: settings.port, isEncrypted: settings.tls != nil)
    }

    /// The address as it was typed, if a key may be sent there.
    ///
    /// - Throws: ``CommandFailure`` for what is no address of a server, and for `http` beyond this machine, where everybody
    ///   on the way could read the key.
    static func checked(_ text: String) throws(CommandFailure) -> String {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host,
            !host.isEmpty, ["http", "https"].contains(scheme), parts.user == nil, parts.query == nil,
            parts.fragment == nil
        else {
            throw .unusable("\(text.harmless) is no address of a server; write https://HOST or http://127.0.0.1:PORT")
        }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard scheme == "https" || bare == "localhost" || NetworkAddress(bare)?.isLoopback == true else {
            throw .unusable(
                "\(text.harmless) would send the API key in the clear to another machine: write https://, or act on "
                    + "the server's own machine"
            )
        }
        return text
    }
}
