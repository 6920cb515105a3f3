import Domain
import Settings
import Testing

@Suite("Server settings")
struct ServerSettingsTests {
    private func load(
        _ yaml: String,
        environment: [String: String] = [:],
        options: [Setting: String] = [:]
    ) throws(InvalidConfiguration) -> ServerSettings {
        try ServerSettings.load(
            path: "conf/t.yaml",
            isRequired: true,
            options: options,
            surroundings: .literal(environment: environment, files: ["conf/t.yaml": yaml])
        )
    }

    private func problems(_ yaml: String, environment: [String: String] = [:]) -> [String] {
        do throws(InvalidConfiguration) {
            _ = try load(yaml, environment: environment)
            return []
        } catch {
            return error.summary
        }
    }

    @Test(
        "an empty file, an empty section and a missing default file give the defaults",
        arguments: [
            "", "# nothing\n", "{}", "limits:\ntimings: {}\n", "---\n",
        ]
    )
    func defaults(yaml: String) throws {
        #expect(try load(yaml) == ServerSettings())
        #expect(try ServerSettings.load(surroundings: .literal()) == ServerSettings())
    }

    @Test(
        "connections to the database and orders in hand follow the processors, unless they are set",
        arguments: [(1, 3, 8), (2, 3, 16), (4, 5, 32), (64, 8, 512)]
    )
    func perProcessor(processors: Int, connections: Int, orders: Int) throws {
        let settings = try load("port: 1")
        #expect(settings.databaseConnections(processors: processors) == connections)
        #expect(settings.limits.ordersAtOnce(processors: processors) == orders)
        let set = try load("database: { connections: 50 }\nlimits: { orders_at_once: 9 }")
        #expect(set.databaseConnections(processors: processors) == 50)
        #expect(set.limits.ordersAtOnce(processors: processors) == 9)
    }

    @Test("a file that was named must be there")
    func missingFile() throws {
        let error = try #require(throws: InvalidConfiguration.self) {
            try ServerSettings.load(path: "conf/other.yaml", isRequired: true, surroundings: .literal())
        }
        #expect(error.description == "conf/other.yaml:1:1: There is no such file, or it may not be read.")
    }

    @Test(
        "takes no origin of pages that a browser would write otherwise",
        arguments: ["*", "https://shop.example/", "https://Shop.example", "https://shop.example:443", "shop.example"]
    )
    func origins(_ origin: String) throws {
        let error = try #require(throws: InvalidConfiguration.self) {
            try load("page_origins: [\"\(origin)\"]")
        }
        #expect(error.description.contains("origin"))
    }

    @Test("reads every section")
    func reads() throws {
        let settings = try load(
            """
            host: 0.0.0.0
            port: 0
            public_url: https://pay.example:8443/tributary/
            page_origins: ["https://shop.example", "http://127.0.0.1:8081"]
            log_level: debug
            database: { url: sqlite:/var/lib/books.sqlite, connections: 3 }
            limits:
              body_bytes: 1024
              json_depth: 8
              contexts: 10
              max_connections: 9
              head_timeout: 1s
              body_timeout: 2s
              body_rate: 3
              orders_at_once: 4
              orders_waiting: 0
              orders_in_flight: 5
            timings:
              deadline: 5s
              decide_by: 10m
              decide_by_limit: 1h
              psp_timeout: 10s
              psp_connect_timeout: 500ms
              lease: 41s
              grace: 0s
              unknown_schedule: [1s, 2m]
              poll: 50ms
            psp: { connections_per_account: 1, connections_per_host: 2, connections: 4, queue: 8 }
            callbacks: { allow_loopback: true }
            ledger: { verify_every: 0s }
            keyring: { current: k2, keys: { k1: "file:old.key", k2: "env:TRIBUTARY_KEY" }, lost: [k0] }
            """
        )
        #expect((settings.host, settings.port) == ("0.0.0.0", 0))
        #expect(settings.publicURL?.text == "https://pay.example:8443/tributary")
        #expect(settings.pageOrigins == ["https://shop.example", "http://127.0.0.1:8081"])
        #expect(settings.logLevel == .debug)
        #expect(settings.database == .sqlite(path: "/var/lib/books.sqlite"))
        #expect(settings.databaseConnections == 3)
        #expect(settings.limits.bodyBytes == 1024)
        #expect(settings.limits.jsonDepth == 8)
        #expect(settings.limits.contexts == 10)
        #expect(settings.limits.maxConnections == 9)
        #expect(settings.limits.headTimeoutMilliseconds == 1000)
        #expect(settings.limits.bodyTimeoutMilliseconds == 2000)
        #expect(settings.limits.bodyBytesPerSecond == 3)
        let limits = settings.limits
        #expect((limits.ordersAtOnce, limits.ordersWaiting, limits.ordersInFlight) == (4, 0, 5))
        #expect(settings.timings.deadlineMilliseconds == 5000)
        #expect(settings.timings.decideByMilliseconds == 600_000)
        #expect(settings.timings.decideByLimitMilliseconds == 3_600_000)
        #expect(settings.timings.pspTimeoutMilliseconds == 10_000)
        #expect(settings.timings.pspConnectTimeoutMilliseconds == 500)
        #expect(settings.timings.orderTimings.leaseMilliseconds == 41_000)
        #expect(settings.timings.orderTimings.graceMilliseconds == 0)
        #expect(settings.timings.orderTimings.unknownScheduleMilliseconds == [1000, 120_000])
        #expect(settings.timings.pollMilliseconds == 50)
        #expect(settings.psp.connectionsPerAccount == 1)
        #expect(settings.psp.connectionsPerHost == 2)
        #expect(settings.psp.connections == 4)
        #expect(settings.psp.queue == 8)
        #expect(settings.callbacksAllowLoopback)
        #expect(settings.ledger.verifyEveryMilliseconds == 0)
        #expect(settings.keyring?.current == "k2")
        #expect(settings.keyring?.keys == ["k1": .file("conf/old.key"), "k2": .variable("TRIBUTARY_KEY")])
        #expect(settings.keyring?.lost == ["k0"])
    }

    @Test("what the user types wins over the environment, that over the file, that over the default")
    func precedence() throws {
        let yaml = "host: file\nport: 1\nlimits: { contexts: 2 }\n"
        let environment = [
            "TRIBUTARY_HOST": "variable", "TRIBUTARY_PORT": "3", "TRIBUTARY_LOG_LEVEL": "error",
            "TRIBUTARY_TIMINGS_POLL": "20ms", "TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK": "true",
            "TRIBUTARY_DATABASE_URL": "postgres://u:secret@db/books",
        ]
        let settings = try load(yaml, environment: environment, options: [.host: "typed"])
        #expect(settings.host == "typed")
        #expect(settings.port == 3)
        #expect(settings.limits.contexts == 2)
        #expect(settings.limits.jsonDepth == 32)
        #expect(settings.logLevel == .error)
        #expect(settings.timings.pollMilliseconds == 20)
        #expect(settings.callbacksAllowLoopback)
        #expect(settings.database == .postgres(url: Secret("postgres://u:secret@db/books")))
    }

    @Test("an empty variable counts as unset; an option or a word that means nothing is refused")
    func emptyValues() throws {
        #expect(try load("port: 1", environment: ["TRIBUTARY_PORT": "", "TRIBUTARY_HOST": ""]).port == 1)
        #expect(problems("port: 1", environment: ["TRIBUTARY_PORT": "null"]) == ["TRIBUTARY_PORT wrong_type port"])
        let error = try #require(throws: InvalidConfiguration.self) { try load("port: 1", options: [.port: ""]) }
        #expect(error.summary == ["--port wrong_type port"])
    }

    @Test(
        "traces go to a collector over TLS, or in plain http to this machine",
        arguments: [
            ("https://collector.internal/v1/traces", true), ("https://collector.internal:4318", true),
            ("http://127.0.0.1:4318/v1/traces", true), ("http://localhost/v1/traces", true),
            ("http://[::1]:4318/v1/traces", true), ("http://collector.internal:4318/v1/traces", false),
            ("http://localhost.evil.example/", false), ("http://127.0.0.1@evil.example/v1/traces", false),
            ("https://user@collector/v1/traces", false), ("https://collector/v1/traces?key=1", false),
            ("collector:4318", false), ("https://collector/v1/traces/", false), ("", false),
        ]
    )
    func tracing(_ endpoint: String, isTaken: Bool) throws {
        let yaml = "tracing: { endpoint: \"\(endpoint)\", sample_ratio: 0.25 }"
        guard isTaken else {
            #expect(problems(yaml) == ["conf/t.yaml:1:22 not_allowed tracing.endpoint"])
            return
        }
        let settings = try load(yaml)
        #expect(settings.tracing.endpoint == endpoint && settings.tracing.sampleRatio == 0.25)
        #expect(try load("").tracing.endpoint == nil)
    }

    @Test("the share of traces is a number from 0 to 1", arguments: ["1.01", "-0.1", "2", "a", "[1]", "true", "1e400"])
    func sampleRatio(_ text: String) throws {
        #expect(problems("tracing: { sample_ratio: \(text) }") == ["conf/t.yaml:1:26 not_allowed tracing.sample_ratio"])
        for (text, ratio) in [("0", 0.0), ("1", 1), ("0.5", 0.5), ("1.0", 1)] {
            #expect(try load("", environment: ["TRIBUTARY_TRACING_SAMPLE_RATIO": text]).tracing.sampleRatio == ratio)
        }
    }

    @Test("every setting can be given by a variable, and a wrong one is named by it", arguments: Setting.allCases)
    func variables(setting: Setting) throws {
        let wrong = String(repeating: "x", count: 300)
        let variable = "TRIBUTARY_" + setting.rawValue.uppercased().split(separator: ".").joined(separator: "_")
        let error = try #require(throws: InvalidConfiguration.self) {
            try load("", environment: [variable: wrong])
        }
        #expect(error.problems.map(\.place) == [.variable(variable)])
        #expect(error.problems.map(\.path) == [setting.rawValue])
        let typed = try #require(throws: InvalidConfiguration.self) { try load("", options: [setting: wrong]) }
        #expect(typed.problems.map(\.place) == [.option(setting.option)])
    }

    @Test("reports every wrong or unknown key at once, with its line and column")
    func reportsAll() {
        let yaml = """
            host: [a]
            prot: 80
            limits:
              contexts: 0
              depth: 3
            timings: { poll: 250, lease: 3s }
            log_level: loud
            callbacks: yes
            keyring: { current: k9, keys: { K1: "env:1X", k2: "c2VjcmV0" } }
            """
        #expect(
            problems(yaml, environment: ["TRIBUTARY_PORT": "70000"]) == [
                "TRIBUTARY_PORT out_of_range port",
                "conf/t.yaml:1:7 wrong_type host",
                "conf/t.yaml:2:1 unknown_field prot",
                "conf/t.yaml:4:13 out_of_range limits.contexts",
                "conf/t.yaml:5:3 unknown_field limits.depth",
                "conf/t.yaml:6:18 wrong_type timings.poll",
                "conf/t.yaml:6:30 out_of_range timings.lease",
                "conf/t.yaml:7:12 not_allowed log_level",
                "conf/t.yaml:8:12 wrong_type callbacks",
                "conf/t.yaml:9:25 missing_field keyring.keys.k9",
                "conf/t.yaml:9:37 literal_secret keyring.keys.K1",
                "conf/t.yaml:9:37 not_allowed keyring.keys.K1",
                "conf/t.yaml:9:51 literal_secret keyring.keys.k2",
            ]
        )
    }

    @Test("keeps what has served as long as is usual, and refuses to keep it for too short or too long a time")
    func retention() throws {
        let settings = try load("retention: { webhooks: 8d }").retention
        #expect(settings.idempotencyKeyMilliseconds == 30 * 86_400_000)
        #expect(settings.paymentRequestMilliseconds == 86_400_000)
        #expect(settings.webhookMilliseconds == 8 * 86_400_000)
        #expect(settings.callbackMilliseconds == 90 * 86_400_000)
        #expect(settings.walletOrderMilliseconds == 365 * 86_400_000)
        let extremes = try load(
            "retention: { idempotency_keys: 24h, payment_requests: 1h, webhooks: 7d, callbacks: 3650d }"
        ).retention
        #expect(extremes.idempotencyKeyMilliseconds == 86_400_000)
        #expect(extremes.paymentRequestMilliseconds == 3_600_000)
        #expect(extremes.webhookMilliseconds == 7 * 86_400_000)
        #expect(extremes.callbackMilliseconds == 3650 * 86_400_000)
        let refusals: [(text: String, sentence: String)] = [
            ("idempotency_keys: 23h", "Must be from 24h to 3650d."),
            ("payment_requests: 59m", "Must be from 1h to 3650d."),
            ("webhooks: 6d", "Must be from 7d to 3650d."), ("callbacks: 3651d", "Must be from 24h to 3650d."),
        ]
        for (text, sentence) in refusals {
            let error = try #require(throws: InvalidConfiguration.self) { try load("retention: { \(text) }") }
            let name = text.prefix { $0 != ":" }
            let column = "retention: { \(name): ".count + 1
            #expect(error.summary == ["conf/t.yaml:1:\(column) out_of_range retention.\(name)"])
            #expect(error.description.contains(sentence), "\(error)")
        }
    }

    @Test("reads who reads metrics, how often they are sampled, and how the log is written")
    func metrics() throws {
        let settings = try load("log_format: json\nmetrics: { sample_every: 5s, key: \"file:scraper.key\" }")
        #expect(settings.logFormat == .json)
        #expect(settings.metrics.sampleEveryMilliseconds == 5000)
        #expect(settings.metrics.key == .file("conf/scraper.key"))
        #expect(problems("metrics: { key: s3cret }") == ["conf/t.yaml:1:17 literal_secret metrics.key"])
        #expect(problems("metrics: { sample_every: 10ms }") == ["conf/t.yaml:1:26 out_of_range metrics.sample_every"])
        #expect(problems("log_format: xml") == ["conf/t.yaml:1:13 not_allowed log_format"])
    }

    @Test("refuses times and limits that contradict each other")
    func contradictions() {
        #expect(problems("timings: { psp_timeout: 90s }") == ["conf/t.yaml:1:10 contradiction timings.lease"])
        #expect(problems("timings: { psp_timeout: 89s }").isEmpty)
        #expect(problems("timings: { decide_by: 2h, decide_by_limit: 1h }").count == 1)
        #expect(problems("timings: { psp_timeout: 1s, psp_connect_timeout: 2s }").count == 1)
        #expect(problems("psp: { connections: 10 }") == ["conf/t.yaml:1:6 contradiction psp.connections_per_host"])
    }

    @Test(
        "a database password is refused in a file and never shown",
        arguments: [
            "postgres://u:hunter2@db/books", "postgresql://db/books?user=u&password=hunter2",
        ]
    )
    func databasePassword(url: String) throws {
        let error = try #require(throws: InvalidConfiguration.self) { try load("database: { url: \"\(url)\" }") }
        #expect(error.summary == ["conf/t.yaml:1:18 literal_secret database.url"])
        #expect(!error.description.contains("hunter2"))
        let settings = try load("", environment: ["TRIBUTARY_DATABASE_URL": url])
        #expect(!"\(settings)".contains("hunter2"))
        #expect(try load("database: { url: \"postgres://u@db/books\" }").database.description == "postgres://•••")
    }
}
