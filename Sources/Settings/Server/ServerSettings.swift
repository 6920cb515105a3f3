import StrictJSON

/// Everything a server instance needs to know before it looks into its database.
package struct ServerSettings: Hashable, Sendable {
    /// The file that is read if no other is named.
    package static let defaultPath = "Config/tributary.yaml"

    /// The database that holds the books.
    package var database: DatabaseLocation = .sqlite(path: "tributary.sqlite")
    /// How many connections to hold to a PostgreSQL server.
    package var databaseConnections: Int = 8
    /// The address to listen on.
    package var host: String = "127.0.0.1"
    /// The port to listen on; 0 lets the system choose.
    package var port: Int = 8080
    /// Where the outside reaches this server, for PSPs that sign the URL of their webhooks; nil takes the request's host.
    package var publicURL: PublicURL?
    /// How much to log.
    package var logLevel: LogLevel = .info
    /// Whether callbacks may go to this machine, plain http included; for development.
    package var callbacksAllowLoopback: Bool = false
    /// What one request may contain.
    package var limits: RequestLimits = RequestLimits()
    /// The times the gateway works by.
    package var timings: Timings = Timings()
    /// How many requests to PSPs are on their way at once.
    package var psp: PSPConnectionLimits = PSPConnectionLimits()
    /// How the books are watched.
    package var ledger: LedgerSettings = LedgerSettings()
    /// The key-encrypting keys; nil if none is configured, for there is no default.
    package var keyring: KeyringSettings?

    /// The defaults.
    package init() {}

    /// Reads the settings: options over environment over file over defaults; an empty variable counts as unset.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - isRequired: whether a missing file is a problem; the default file may be missing, a named one may not.
    ///   - options: what the user typed, as text.
    ///   - surroundings: the environment and the files.
    /// - Returns: the settings.
    /// - Throws: ``InvalidConfiguration`` with everything that is wrong.
    package static func load(
        path: String = defaultPath,
        isRequired: Bool = false,
        options: [Setting: String] = [:],
        surroundings: Surroundings
    ) throws(InvalidConfiguration) -> ServerSettings {
        let isThere = isRequired || surroundings.readFile(path) != nil
        let text = isThere ? try surroundings.text(of: path) : ""
        var document = try ConfigurationDocument(yaml: text, file: path)
        for setting in Setting.allCases {
            if let text = options[setting] {
                document.set(setting.value(text), at: setting.path, from: .option(setting.option))
            } else if let text = surroundings.environment[setting.variable], !text.isEmpty {
                document.set(setting.value(text), at: setting.path, from: .variable(setting.variable))
            }
        }
        return try document.read { body in ServerSettings(body, document) }
    }

    private init(_ body: ObjectReader, _ document: ConfigurationDocument) {
        readDatabase(body, document)
        host = body.string("host", .optional, length: 1...255) ?? host
        port = body.integer("port", .optional, in: 0...65_535).map { Int($0) } ?? port
        publicURL = body.parsed("public_url", .optional, expecting: PublicURL.expected, PublicURL.init)
        logLevel = body.choice("log_level", .optional) ?? logLevel
        callbacksAllowLoopback =
            body.object("callbacks", .optional) { $0.bool("allow_loopback", .optional) } ?? callbacksAllowLoopback
        limits = body.object("limits", .optional, RequestLimits.init) ?? limits
        timings = body.object("timings", .optional, Timings.init) ?? timings
        psp = body.object("psp", .optional, PSPConnectionLimits.init) ?? psp
        ledger = body.object("ledger", .optional, LedgerSettings.init) ?? ledger
        keyring = body.object("keyring", .optional) { KeyringSettings($0, file: document.file) }
    }

    private mutating func readDatabase(_ body: ObjectReader, _ document: ConfigurationDocument) {
        let read: (DatabaseLocation?, Int64?)? = body.object("database", .optional) { body in
            let expected = "sqlite:PATH or postgres://…"
            let location = body.parsed("url", .optional, expecting: expected) { DatabaseLocation($0) }
            if case .file = document.place(of: "/database/url"), let text = body.value("url", .optional)?.stringValue,
                DatabaseLocation.hasPassword(text)
            {
                let sentence = "A password has no place in a file; set \(Setting.databaseURL.variable) instead."
                body.refuse("url", "literal_secret", sentence)
            }
            return (location, body.integer("connections", .optional, in: 1...500))
        }
        database = read?.0 ?? database
        databaseConnections = read?.1.map { Int($0) } ?? databaseConnections
    }
}
