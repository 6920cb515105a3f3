/// Which modules a target may import; what is not listed is refused.
enum ImportTable {
    /// What the system's C library, its locks and its queues are called.
    private static let system: Set<String> = ["Glibc", "Synchronization", "Dispatch"]
    /// What reports on a running program, from `Gateway` upwards.
    private static let telemetry: Set<String> = ["Logging", "Metrics", "Telemetry", "Tracing"]
    /// What serves HTTP.
    private static let server: Set<String> = [
        "Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOFileSystem", "NIOHTTP1", "NIOHTTP2",
        "NIOHTTPTypes", "NIOHTTPTypesHTTP2", "NIOPosix", "NIOSSL", "NIOTLS", "ServiceLifecycle",
    ]
    private static let adapter: Set<String> = ["AdapterKit", "Domain", "StrictJSON", "WireFormats"]

    /// The table; nil stands for every module.
    static let allowed: [String: Set<String>?] = [
        "System": [],
        // The standard library by name, for its NFC.
        "Domain": ["Swift"],
        "WireFormats": [],
        "SQL": [],
        // The rule about runs of combining marks stands in Domain alone.
        "StrictJSON": ["Domain"],
        "AdapterKit": ["Domain", "Crypto", "WireFormats"],
        "HTTPTransport": system.union(["CCurl"]),
        "OpenSSLCMS": system.union(["COpenSSL"]),
        "Printing": ["CPango"],
        "StatementFiles": system.union(["AdapterKit", "CArchive", "CExpat", "Crypto", "Domain", "WireFormats"]),
        "SQLiteDatabase": system.union(["SQL", "GRDB", "GRDBSQLite"]),
        "PostgresDatabase": system.union(["SQL", "CPostgres", "WireFormats"]),
        "Keyring": ["Domain", "Crypto", "WireFormats"],
        "Settings": ["Domain", "Reconciliation", "StatementFiles", "Storage", "StrictJSON", "Yams"],
        "WalletTokens": [
            "Domain", "OpenSSLCMS", "Crypto", "CryptoExtras", "StrictJSON", "Synchronization", "WireFormats",
        ],
        "WalletOrders": ["Crypto", "CZip", "Domain", "Glibc", "OpenSSLCMS", "StrictJSON", "WireFormats"],
        "Storage": ["CZlib", "Domain", "SQL", "StrictJSON"],
        "Telemetry": ["StrictJSON", "Synchronization", "Tracing"],
        "Gateway": telemetry.union([
            "AdapterKit", "Crypto", "DequeModule", "Domain", "SQL", "Storage", "StrictJSON", "Synchronization",
            "WalletOrders", "WalletTokens", "WireFormats", "OpenSSLCMS",
        ]),
        "Callbacks": telemetry.union(["AdapterKit", "Domain", "SQL", "Storage", "StrictJSON", "Synchronization"]),
        "ExternalJoin": ["Domain", "GRDBSQLite", "Glibc"],
        "Reconciliation": [
            "AdapterKit", "Crypto", "Domain", "ExternalJoin", "SQL", "StatementFiles", "Storage", "StrictJSON",
        ],
        "HTTPAPI": telemetry.union(server).union([
            "AdapterKit", "COpenAPI", "Callbacks", "Domain", "Gateway", "Keyring", "Printing", "Reconciliation", "SQL",
            "Storage",
            "StrictJSON", "Synchronization", "WireFormats", "Yams",
        ]),
        "PSPSimulator": telemetry.union(server).union(system).union([
            "Crypto", "HTTPTransport", "StrictJSON", "WireFormats",
        ]),
        "WalletTwins": telemetry.union(server).union(system).union([
            "Crypto", "Domain", "HTTPTransport", "HummingbirdHTTP2", "OpenSSLCMS", "StrictJSON", "WalletOrders",
            "WireFormats",
        ]),
        "Simulation": system.union([
            "AdapterKit", "AdyenAdapter", "AuthorizeNetAdapter", "CProcess", "Callbacks", "Domain", "Gateway",
            "HTTPAPI",
            "HTTPTransport",
            "Logging", "PSPSimulator", "Reconciliation", "SQL", "SQLiteDatabase", "StatementFiles", "Storage",
            "WireFormats", "Wiring",
        ]),
        // The machine's clock is Foundation's.
        "TributaryClient": ["Crypto", "FoundationEssentials", "HTTPTransport", "StrictJSON", "WireFormats"],
        "Checkout": telemetry.union(server).union(["Domain", "StrictJSON", "Synchronization", "TributaryClient"]),
        "Wiring": [
            "AdapterKit", "Callbacks", "HTTPTransport", "Domain", "Gateway", "Keyring", "Storage", "WireFormats",
            "AdyenAdapter",
            "AuthorizeNetAdapter",
            "BraintreeAdapter",
            "CheckoutAdapter",
            "SimulatorAdapter",
            "SquareAdapter",
            "StripeAdapter",
            "WorldpayAdapter",
        ],
        "TributaryCommand": nil,
    ]

    /// The modules that a target may import; nil if it may import every one, empty for an unknown target.
    static func modules(of target: String) -> Set<String>? {
        if let entry = allowed[target] { return entry }
        return target.hasSuffix("Adapter") ? adapter : []
    }

    /// A finding for each import that the table does not have.
    static func violations(in source: SwiftSource) -> [Finding] {
        guard let target = source.target, let allowed = modules(of: target) else { return [] }
        return source.code.enumerated().compactMap { index, line in
            guard let module = importedModule(line), !allowed.contains(module) else { return nil }
            return Finding(path: source.path, line: index + 1, problem: "\(target) imports \(module)")
        }
    }

    /// The module of an import declaration: `public import struct GRDB.Row` imports `GRDB`.
    static func importedModule(_ line: String) -> String? {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        var words = line.split(separator: " ")[...]
        while let first = words.first,
            first.hasPrefix("@") || ["public", "package", "internal", "private"].contains(first)
        {
            words = words.dropFirst()
        }
        guard words.first == "import" else { return nil }
        words = words.dropFirst().drop { kinds.contains($0) }
        return words.first?.split(separator: ".").first.map(String.init)
    }
}
