import StrictJSON

/// Everything a server instance needs to know before it looks into its database.
package struct ServerSettings: Hashable, Sendable {
    /// The file that is read if no other is named.
    package static let defaultPath = "Config/tributary.yaml"

    /// The database that holds the books.
    package var database: DatabaseLocation = .sqlite(path: "tributary.sqlite")
    /// How many connections to hold to a PostgreSQL server; nil for as many as ``databaseConnections(processors:)`` says.
    package var databaseConnections: Int?
    /// How long a PostgreSQL server may take for what a serving instance asks of it.
    package var databaseTimes: DatabaseTimes = DatabaseTimes()
    /// The address to listen on.
    package var host: String = "127.0.0.1"
    /// The port to listen on; 0 lets the system choose.
    package var port: Int = 8080
    /// What it shows of itself over TLS; nil for plain http.
    package var tls: TLSSettings?
    /// Whose word on who asks is taken.
    package var proxies: ProxySettings = ProxySettings()
    /// How many requests are answered of one key and of one address.
    package var rateLimits: RateLimitSettings = RateLimitSettings()
    /// Where the outside reaches this server, for PSPs that sign the URL of their webhooks; nil takes the request's host.
    package var publicURL: PublicURL?
    /// The origins whose pages may call what publishable keys open.
    package var pageOrigins: Set<String> = []
    /// Which references to secrets a declaration that comes over HTTP may have.
    package var appliedReferences = AllowedReferences()
    /// How much to log.
    package var logLevel: LogLevel = .info
    /// How a line of the log is written.
    package var logFormat: LogFormat = .text
    /// Who reads metrics, and how often what is stored is sampled for them.
    package var metrics: MetricSettings = MetricSettings()
    /// Where traces go, and how many of them.
    package var tracing: TracingSettings = TracingSettings()
    /// Whether callbacks may go to this machine, plain http included; for development.
    package var callbacksAllowLoopback: Bool = false
    /// How long a server that is told to end says that it is not ready, and serves on, before it takes no more requests.
    package var drainMilliseconds: Int64 = 0
    /// What one request may contain.
    package var limits: RequestLimits = RequestLimits()
    /// The times the gateway works by.
    package var timings: Timings = Timings()
    /// How many requests to PSPs are on their way at once.
    package var psp: PSPConnectionLimits = PSPConnectionLimits()
    /// How the books are watched.
    package var ledger: LedgerSettings = LedgerSettings()
    /// How long what has served its purpose is kept.
    package var retention: RetentionSettings = RetentionSettings()
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
        let origins = body.strings("page_origins", .optional, count: 1...100, expecting: Self.expectedOrigin) {
            Self.isOrigin($0) ? $0 : nil
        }
        pageOrigins = Set(origins ?? [])
        appliedReferences =
            body.parsed(
                "apply_secrets",
                .optional,
                expecting: AllowedReferences.expected,
                AllowedReferences.init(below:)
            )
            ?? appliedReferences
        logLevel = body.choice("log_level", .optional) ?? logLevel
        logFormat = body.choice("log_format", .optional) ?? logFormat
        metrics = body.object("metrics", .optional) { MetricSettings($0, file: document.file) } ?? metrics
        tracing = body.object("tracing", .optional, TracingSettings.init) ?? tracing
        callbacksAllowLoopback =
            body.object("callbacks", .optional) { $0.bool("allow_loopback", .optional) } ?? callbacksAllowLoopback
        tls = body.object("tls", .optional) { TLSSettings($0, file: document.file) }
        proxies = ProxySettings(body)
        rateLimits = body.object("rate_limits", .optional, RateLimitSettings.init) ?? rateLimits
        drainMilliseconds = body.duration("drain_time", in: 0...60_000) ?? drainMilliseconds
        limits = body.object("limits", .optional, RequestLimits.init) ?? limits
        timings = body.object("timings", .optional, Timings.init) ?? timings
        psp = body.object("psp", .optional, PSPConnectionLimits.init) ?? psp
        ledger = body.object("ledger", .optional, LedgerSettings.init) ?? ledger
        retention = body.object("retention", .optional, RetentionSettings.init) ?? retention
        keyring = body.object("keyring", .optional) { KeyringSettings($0, file: document.file) }
    }

    private static let expectedOrigin = "a page's origin, https://shop.example, in lower case and without a path"

    /// Whether text is an origin as browsers write it, which is compared whole.
    private static func isOrigin(_ text: String) -> Bool {
        PublicURL(text)?.text == text && text == text.lowercased() && text.split(separator: "/").count == 2
            && !text.hasSuffix(":443")
    }

    private mutating func readDatabase(_ body: ObjectReader, _ document: ConfigurationDocument) {
        let read: (DatabaseLocation?, Int64?, DatabaseTimes)? = body.object("database", .optional) { body in
            let expected = "sqlite:PATH or postgres://…"
            let location = body.parsed("url", .optional, expecting: expected) { DatabaseLocation($0) }
            if case .file = document.place(of: "/database/url"), let text = body.value("url", .optional)?.stringValue,
                DatabaseLocation.hasPassword(text)
            {
                let sentence = "A password has no place in a file; set \(Setting.databaseURL.variable) instead."
                body.refuse("url", "literal_secret", sentence)
            }
            return (location, body.integer("connections", .optional, in: 1...500), DatabaseTimes(body))
        }
        database = read?.0 ?? database
        databaseConnections = read?.1.map { Int($0) }
        databaseTimes = read?.2 ?? databaseTimes
    }

    /// How many connections to hold to a PostgreSQL server from a machine with so many processors.
    ///
    /// One more than processors keeps them busy, 3 to 8 of them unless the settings say otherwise. Each is a thread here
    /// and a process there: where both share a machine, more of them keep even refusals waiting.
    package func databaseConnections(processors: Int) -> Int {
        databaseConnections ?? min(8, max(3, processors + 1))
    }
}

/// How much the server says, from everything to almost nothing; the names are swift-log's.
package enum LogLevel: String, Hashable, Sendable, CaseIterable {
    /// Everything.
    case trace
    /// What helps to find a fault.
    case debug
    /// What happens.
    case info
    /// What is unusual but expected.
    case notice
    /// What may become a fault.
    case warning
    /// What failed.
    case error
    /// What needs a person now.
    case critical
}

/// How a line of the log is written.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// For people: time, level, message and what belongs to it.
    case text
    /// For programs: an object of JSON with `time`, `level`, `message` and a member for each thing that belongs to it.
    case json
}

/// Who reads metrics, and how often what is stored is sampled for them.
package struct MetricSettings: Hashable, Sendable {
    /// How often what is stored is sampled, in milliseconds.
    package var sampleEveryMilliseconds: Int64 = 15_000
    /// What whoever reads metrics has to show; nil if only this machine may read them, without showing anything.
    package var key: SecretReference?

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader, file: String) {
        sampleEveryMilliseconds = body.duration("sample_every", in: 1000...600_000) ?? sampleEveryMilliseconds
        key = body.secretReference("key", .optional, relativeTo: file)
    }
}

/// The key-encrypting keys: one in use, older ones kept for what they once encrypted.
package struct KeyringSettings: Hashable, Sendable {
    /// The name of the key that encrypts from now on; one of ``keys``.
    package var current: String
    /// Where each key is kept, by its name.
    package var keys: [String: SecretReference]
    /// The names of keys that are lost for good: what is sealed with them is given up.
    package var lost: Set<String> = []

    /// Makes settings.
    package init(current: String, keys: [String: SecretReference]) {
        self.current = current
        self.keys = keys
    }

    init?(_ body: ObjectReader, file: String) {
        let current = body.slug("current")
        let keys = body.object("keys") { body in
            var keys: [String: SecretReference] = [:]
            for name in body.keys {
                keys[name] = body.secretReference(name, relativeTo: file)
                guard !Slug.isValid(name) else { continue }
                body.refuse(name, "not_allowed", "A key's name is 1 to 64 of a-z, 0-9, '.', '-' and '_'.")
            }
            if let current, !body.contains(current) {
                body.refuse(current, "missing_field", "The current key must be among the keys.")
            }
            return keys
        }
        let lost = body.strings("lost", .optional, count: 1...100, expecting: "a key's name that is not among the keys")
        {
            Slug.isValid($0) && keys?[$0] == nil ? $0 : nil
        }
        guard let current, let keys else { return nil }
        self.init(current: current, keys: keys)
        self.lost = Set(lost ?? [])
    }
}

/// How the books are watched while serving.
package struct LedgerSettings: Hashable, Sendable {
    /// How long after the books were verified that is done again, in milliseconds; 0 for never.
    package var verifyEveryMilliseconds: Int64 = 3_600_000

    /// The defaults.
    package init() {}

    init(_ body: ObjectReader) {
        verifyEveryMilliseconds = body.duration("verify_every", in: 0...30 * 86_400_000) ?? verifyEveryMilliseconds
    }
}

/// How long what has served its purpose is kept, in milliseconds.
package struct RetentionSettings: Hashable, Sendable {
    private static let day: Int64 = 86_400_000

    /// How long a request may be sent again under its idempotency key.
    package var idempotencyKeyMilliseconds: Int64 = 30 * day
    /// How long a payment request is told to have ended.
    package var paymentRequestMilliseconds: Int64 = day
    /// How long events that PSPs told are kept once they are settled.
    package var webhookMilliseconds: Int64 = 90 * day
    /// How long callbacks are kept once they were delivered or given up.
    package var callbackMilliseconds: Int64 = 90 * day
    /// How long orders are kept in Wallet once nothing of them changes any more.
    package var walletOrderMilliseconds: Int64 = 365 * day

    /// The defaults.
    package init() {}

    /// Reads the periods.
    ///
    /// An order may be undecided for a day, and its request be sent again for so long; PSPs send an event again for some
    /// days, and one that is forgotten is new.
    init(_ body: ObjectReader) {
        let (day, longest) = (Self.day, 3650 * Self.day)
        idempotencyKeyMilliseconds =
            body.duration("idempotency_keys", in: day...longest) ?? idempotencyKeyMilliseconds
        paymentRequestMilliseconds =
            body.duration("payment_requests", in: day / 24...longest) ?? paymentRequestMilliseconds
        webhookMilliseconds = body.duration("webhooks", in: 7 * day...longest) ?? webhookMilliseconds
        callbackMilliseconds = body.duration("callbacks", in: day...longest) ?? callbackMilliseconds
        walletOrderMilliseconds = body.duration("wallet_orders", in: 7 * day...longest) ?? walletOrderMilliseconds
    }
}
