import StrictJSON

/// The server settings that the environment and the command line can give, by their path in the file.
package enum Setting: String, Hashable, Sendable, CaseIterable {
    /// `TRIBUTARY_DATABASE_URL`, `--database`.
    case databaseURL = "database.url"
    /// `TRIBUTARY_DATABASE_CONNECTIONS`.
    case databaseConnections = "database.connections"
    /// `TRIBUTARY_DATABASE_STATEMENT_TIMEOUT`.
    case databaseStatementTimeout = "database.statement_timeout"
    /// `TRIBUTARY_DATABASE_LOCK_TIMEOUT`.
    case databaseLockTimeout = "database.lock_timeout"
    /// `TRIBUTARY_DRAIN_TIME`.
    case drainTime = "drain_time"
    /// `TRIBUTARY_HOST`, `--host`.
    case host
    /// `TRIBUTARY_PORT`, `--port`.
    case port
    /// `TRIBUTARY_TLS_CERTIFICATE_FILE`.
    case tlsCertificateFile = "tls.certificate_file"
    /// `TRIBUTARY_TLS_KEY_FILE`.
    case tlsKeyFile = "tls.key_file"
    /// `TRIBUTARY_PROXY_FIELD`.
    case proxyField = "proxy_field"
    /// `TRIBUTARY_RATE_LIMITS_KEY_PER_SECOND`.
    case rateKeyPerSecond = "rate_limits.key_per_second"
    /// `TRIBUTARY_RATE_LIMITS_KEY_BURST`.
    case rateKeyBurst = "rate_limits.key_burst"
    /// `TRIBUTARY_RATE_LIMITS_ADDRESS_PER_SECOND`.
    case rateAddressPerSecond = "rate_limits.address_per_second"
    /// `TRIBUTARY_RATE_LIMITS_ADDRESS_BURST`.
    case rateAddressBurst = "rate_limits.address_burst"
    /// `TRIBUTARY_RATE_LIMITS_INSTANCES`.
    case rateInstances = "rate_limits.instances"
    /// `TRIBUTARY_PUBLIC_URL`.
    case publicURL = "public_url"
    /// `TRIBUTARY_LOG_LEVEL`, `--log-level`.
    case logLevel = "log_level"
    /// `TRIBUTARY_LOG_FORMAT`, `--log-format`.
    case logFormat = "log_format"
    /// `TRIBUTARY_METRICS_SAMPLE_EVERY`.
    case metricsSampleEvery = "metrics.sample_every"
    /// `TRIBUTARY_METRICS_KEY`: a reference, as in the file.
    case metricsKey = "metrics.key"
    /// `TRIBUTARY_TRACING_ENDPOINT`.
    case tracingEndpoint = "tracing.endpoint"
    /// `TRIBUTARY_TRACING_SAMPLE_RATIO`.
    case tracingSampleRatio = "tracing.sample_ratio"
    /// `TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK`.
    case callbacksAllowLoopback = "callbacks.allow_loopback"
    /// `TRIBUTARY_LIMITS_BODY_BYTES`.
    case bodyBytes = "limits.body_bytes"
    /// `TRIBUTARY_LIMITS_JSON_DEPTH`.
    case jsonDepth = "limits.json_depth"
    /// `TRIBUTARY_LIMITS_CONTEXTS`.
    case contexts = "limits.contexts"
    /// `TRIBUTARY_LIMITS_MAX_CONNECTIONS`.
    case maxConnections = "limits.max_connections"
    /// `TRIBUTARY_LIMITS_HEAD_TIMEOUT`.
    case headTimeout = "limits.head_timeout"
    /// `TRIBUTARY_LIMITS_BODY_TIMEOUT`.
    case bodyTimeout = "limits.body_timeout"
    /// `TRIBUTARY_LIMITS_BODY_RATE`.
    case bodyRate = "limits.body_rate"
    /// `TRIBUTARY_LIMITS_ORDERS_AT_ONCE`.
    case ordersAtOnce = "limits.orders_at_once"
    /// `TRIBUTARY_LIMITS_ORDERS_WAITING`.
    case ordersWaiting = "limits.orders_waiting"
    /// `TRIBUTARY_LIMITS_ORDERS_IN_FLIGHT`.
    case ordersInFlight = "limits.orders_in_flight"
    /// `TRIBUTARY_TIMINGS_DEADLINE`.
    case deadline = "timings.deadline"
    /// `TRIBUTARY_TIMINGS_DECIDE_BY`.
    case decideBy = "timings.decide_by"
    /// `TRIBUTARY_TIMINGS_DECIDE_BY_LIMIT`.
    case decideByLimit = "timings.decide_by_limit"
    /// `TRIBUTARY_TIMINGS_PSP_TIMEOUT`.
    case pspTimeout = "timings.psp_timeout"
    /// `TRIBUTARY_TIMINGS_PSP_CONNECT_TIMEOUT`.
    case pspConnectTimeout = "timings.psp_connect_timeout"
    /// `TRIBUTARY_TIMINGS_LEASE`.
    case lease = "timings.lease"
    /// `TRIBUTARY_TIMINGS_GRACE`.
    case grace = "timings.grace"
    /// `TRIBUTARY_TIMINGS_POLL`.
    case poll = "timings.poll"
    /// `TRIBUTARY_PSP_CONNECTIONS_PER_HOST`.
    case pspConnectionsPerHost = "psp.connections_per_host"
    /// `TRIBUTARY_PSP_CONNECTIONS_PER_ACCOUNT`.
    case pspConnectionsPerAccount = "psp.connections_per_account"
    /// `TRIBUTARY_PSP_CONNECTIONS`.
    case pspConnections = "psp.connections"
    /// `TRIBUTARY_PSP_QUEUE`.
    case pspQueue = "psp.queue"
    /// `TRIBUTARY_LEDGER_VERIFY_EVERY`.
    case ledgerVerifyEvery = "ledger.verify_every"
    /// `TRIBUTARY_RETENTION_IDEMPOTENCY_KEYS`.
    case retentionIdempotencyKeys = "retention.idempotency_keys"
    /// `TRIBUTARY_RETENTION_PAYMENT_REQUESTS`.
    case retentionPaymentRequests = "retention.payment_requests"
    /// `TRIBUTARY_RETENTION_WEBHOOKS`.
    case retentionWebhooks = "retention.webhooks"
    /// `TRIBUTARY_RETENTION_CALLBACKS`.
    case retentionCallbacks = "retention.callbacks"
    /// `TRIBUTARY_RETENTION_WALLET_ORDERS`.
    case retentionWalletOrders = "retention.wallet_orders"

    /// The environment variable's name.
    package var variable: String {
        let words = rawValue.uppercased().split(separator: ".").joined(separator: "_")
        return "TRIBUTARY_\(words)"
    }

    /// The option's name with its dashes.
    package var option: String {
        guard self != .databaseURL else { return "--database" }
        return "--" + rawValue.split { $0 == "." || $0 == "_" }.joined(separator: "-")
    }

    /// The keys that lead to it in the file.
    var path: [String] { rawValue.split(separator: ".").map(String.init) }

    /// What a variable's or an option's text stands for.
    func value(_ text: String) -> JSON {
        switch self {
        case .databaseURL, .host, .publicURL, .logLevel, .logFormat, .metricsKey, .tlsCertificateFile, .tlsKeyFile,
            .proxyField, .tracingEndpoint:
            .string(text)
        case _ where YAMLComposer.plainValue(text).isNull: .string(text)
        default: YAMLComposer.plainValue(text)
        }
    }
}
