// swift-tools-version: 6.2
import PackageDescription

// A module that is compiled as a whole costs less than its files one by one, and all of it again for each change: for
// whoever builds everything once, with TRIBUTARY_WHOLE_MODULES=1.
let isWhole = Context.environment["TRIBUTARY_WHOLE_MODULES"] != nil
let wholeModules: [SwiftSetting] =
    isWhole
    ? [.unsafeFlags(["-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))] : []

// Each feature is one that a later language mode turns on; a warning is an error everywhere.
let strict: [SwiftSetting] =
    wholeModules + [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
    ]

// Tests spend most of their time in our own code, which runs several times as fast when it is optimised. Who changes a
// lot and tests little builds faster with TRIBUTARY_PLAIN=1.
let isPlain = Context.environment["TRIBUTARY_PLAIN"] != nil
// `.ci/fuzz` has everything that is fed tell libFuzzer of its branches.
let isFuzzed = Context.environment["TRIBUTARY_LIBFUZZER"] != nil
let quick =
    isFuzzed
    ? strict + [SwiftSetting.unsafeFlags(["-sanitize=fuzzer"])]
    : isPlain ? strict : strict + [SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))]

let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdHTTP2 = Target.Dependency.product(name: "HummingbirdHTTP2", package: "hummingbird")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypes2 = Target.Dependency.product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioFiles = Target.Dependency.product(name: "_NIOFileSystem", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let memoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

func library(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    path: String? = nil,
    exclude: [String] = [],
    resources: [Resource] = []
)
    -> Target
{
    .target(
        name: name,
        dependencies: dependencies,
        path: path,
        exclude: exclude,
        resources: resources,
        swiftSettings: quick
    )
}

func system(_ name: String, _ pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, path: "Sources/System/" + name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func adapter(_ psp: String) -> Target {
    .target(
        name: psp + "Adapter",
        dependencies: ["AdapterKit", "Domain", "StrictJSON", "WireFormats"],
        path: "Adapters/" + psp,
        exclude: ["README.md"],
        swiftSettings: quick
    )
}

func tests(
    _ name: String,
    _ dependencies: [Target.Dependency],
    resources: [Resource] = [],
    settings: [SwiftSetting] = strict
)
    -> Target
{
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "tributary",
    products: [
        .executable(name: "tributary", targets: ["TributaryCommand"]),
        .library(name: "TributaryClient", targets: ["TributaryClient"]),
    ],
    // Exact, so that what is built is what was tested; `.ci/sbom` lists what comes with each.
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CProcess", path: "Sources/System/CProcess"),
        system("CPostgres", "libpq", apt: "libpq-dev"),
        system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
        system("COpenSSL", "libcrypto", apt: "libssl-dev"),
        system("CArchive", "libarchive", apt: "libarchive-dev"),
        system("CPango", "pangocairo", apt: "libpango1.0-dev"),
        system("CExpat", "expat", apt: "libexpat1-dev"),
        system("CZip", "libzip", apt: "libzip-dev"),
        system("CZlib", "zlib", apt: "zlib1g-dev"),

        .target(name: "COpenAPI", path: "Sources/System/COpenAPI"),
        library("Domain"),
        library("WireFormats"),
        library("SQL"),
        library("StrictJSON", ["Domain"]),
        library("AdapterKit", ["Domain", "WireFormats", crypto]),
        adapter("Adyen"),
        adapter("AuthorizeNet"),
        adapter("Braintree"),
        adapter("Checkout"),
        adapter("Simulator"),
        adapter("Square"),
        adapter("Stripe"),
        adapter("Worldpay"),
        library("HTTPTransport", ["CCurl"]),
        library("Telemetry", ["StrictJSON", tracing]),
        library("TributaryClient", ["HTTPTransport", "StrictJSON", "WireFormats", crypto]),
        library("OpenSSLCMS", ["COpenSSL"]),
        library("Printing", ["CPango"]),
        library("StatementFiles", ["AdapterKit", "CArchive", "CExpat", "Domain", "WireFormats", crypto]),
        library("WalletTokens", ["Domain", "OpenSSLCMS", "StrictJSON", "WireFormats", crypto, cryptoExtras]),
        library("WalletOrders", ["CZip", "Domain", "OpenSSLCMS", "StrictJSON", "WireFormats", crypto]),
        library(
            "SQLiteDatabase",
            ["SQL", .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift")]
        ),
        library("PostgresDatabase", ["SQL", "CPostgres", "WireFormats"]),
        library("Keyring", ["Domain", "WireFormats", crypto]),
        library("Storage", ["CZlib", "Domain", "SQL", "StrictJSON"]),
        library(
            "Gateway",
            [
                "Domain", "AdapterKit", "Storage", "SQL", "StrictJSON", "Telemetry", "WalletOrders", "WalletTokens",
                "WireFormats", "OpenSSLCMS", crypto, logging, tracing,
            ]
        ),
        library("Callbacks", ["AdapterKit", "Domain", "SQL", "Storage", "StrictJSON", "Telemetry", logging, tracing]),
        library(
            "HTTPAPI",
            [
                "COpenAPI", "Gateway", "AdapterKit", "Domain", "Keyring", "Printing", "Storage", "SQL", "StrictJSON",
                "Telemetry", "WireFormats",
                hummingbird,
                hummingbirdCore, httpTypes, nio, nioFiles, nioHTTP, nioHTTP2, nioHTTPTypes, nioHTTPTypes2, nioSSL,
                nioTLS, logging, tracing, yams,
            ],
            exclude: ["openapi.yaml"]
        ),
        library(
            "ExternalJoin",
            ["Domain", .product(name: "GRDBSQLite", package: "GRDB.swift")],
            exclude: ["README.md"]
        ),
        library(
            "Reconciliation",
            ["AdapterKit", "Domain", "ExternalJoin", "SQL", "StatementFiles", "Storage", "StrictJSON", crypto]
        ),
        library("Settings", ["Domain", "Reconciliation", "StatementFiles", "Storage", "StrictJSON", yams]),
        library(
            "PSPSimulator",
            [
                "HTTPTransport", "StrictJSON", "WireFormats", crypto, hummingbird, httpTypes, nio, nioFiles, logging,
                serviceLifecycle,
            ],
            path: "Sources/Tools/PSPSimulator"
        ),
        library(
            "WalletTwins",
            [
                "Domain", "HTTPTransport", "OpenSSLCMS", "StrictJSON", "WalletOrders", "WireFormats", crypto,
                hummingbird, hummingbirdHTTP2, httpTypes, logging, nio, nioSSL, serviceLifecycle,
            ],
            path: "Sources/Tools/WalletTwins"
        ),
        library(
            "Simulation",
            [
                "AdapterKit", "CProcess", "Callbacks", "Domain", "Gateway", "HTTPAPI", "HTTPTransport", "PSPSimulator",
                "Reconciliation", "SQL", "SQLiteDatabase", "StatementFiles", "Storage", "WireFormats", "Wiring",
                "AdyenAdapter", "AuthorizeNetAdapter", logging,
            ],
            path: "Sources/Tools/Simulation"
        ),
        library(
            "Checkout",
            ["Domain", "StrictJSON", "TributaryClient", hummingbird, httpTypes, logging, nio, serviceLifecycle],
            path: "Sources/Tools/Checkout",
            resources: [
                .embedInCode("Page/index.html"), .embedInCode("Page/result.html"), .embedInCode("Page/style.css"),
                .embedInCode("Page/shop.js"), .embedInCode("Page/checkout.js"), .embedInCode("Page/wallet.js"),
                .embedInCode("Page/result.js"),
            ]
        ),
        library(
            "Wiring",
            [
                "AdapterKit", "Callbacks", "HTTPTransport", "Domain", "Gateway", "Keyring", "Storage", "WireFormats",
                "AdyenAdapter",
                "AuthorizeNetAdapter",
                "BraintreeAdapter",
                "CheckoutAdapter",
                "SimulatorAdapter",
                "SquareAdapter",
                "StripeAdapter",
                "WorldpayAdapter",
            ]
        ),
        .executableTarget(
            name: "TributaryCommand",
            dependencies: [
                "ExternalJoin", "Reconciliation", "StatementFiles",
                "Checkout", "TributaryClient",
                "AdapterKit", "Callbacks", "CProcess", "Settings", "HTTPTransport", "Domain", "Gateway", "HTTPAPI",
                "Keyring",
                "PSPSimulator", "PostgresDatabase", "Printing", "SQL", "SQLiteDatabase", "Simulation",
                "SimulatorAdapter", "Storage", "StrictJSON", "StripeAdapter", "Telemetry", "WalletOrders",
                "WalletTokens", "WalletTwins", "WireFormats", "OpenSSLCMS", "Wiring",
                argumentParser,
                crypto,
                hummingbird, httpTypes, logging, nio, serviceLifecycle, unixSignals,
            ],
            swiftSettings: strict
        ),

        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: quick),
        .target(
            name: "TributaryTestKit",
            dependencies: [
                "AdapterKit", "Domain", "Gateway", "Keyring", "PSPSimulator", "PostgresDatabase", "SQL",
                "SQLiteDatabase", "SeededRandom", "SimulatorAdapter", "Storage", "StrictJSON", "HTTPTransport",
                "HTTPAPI", "OpenSSLCMS",
                "Telemetry", "WalletTokens", "Wiring", crypto, cryptoExtras, hummingbird, logging, nio, nioPosix,
                serviceLifecycle,
            ],
            path: "Tests/Support",
            swiftSettings: strict + (isFuzzed ? [.define("TRIBUTARY_LIBFUZZER")] : [])
        ),
        .executableTarget(
            name: "CrashingGateway",
            dependencies: [
                "AdapterKit", "Callbacks", "HTTPTransport", "Domain", "Gateway", "HTTPAPI", "Keyring",
                "PostgresDatabase", "SQL", "SQLiteDatabase", "Storage", "StrictJSON", "Wiring", logging,
            ],
            path: "Tests/CrashingGateway",
            swiftSettings: strict
        ),
        tests("WireFormatsTests", ["WireFormats"]),
        tests("TelemetryTests", ["StrictJSON", "Telemetry", "TributaryTestKit", tracing]),
        tests("DomainTests", ["Domain", "SeededRandom"], resources: [.copy("Fixtures")], settings: quick),
        tests("StrictJSONTests", ["StrictJSON"]),
        tests("DatabaseTests", ["SQL", "SQLiteDatabase", "PostgresDatabase", "TributaryTestKit"]),
        tests("HTTPTransportTests", ["HTTPTransport", "SeededRandom", "TributaryTestKit"]),
        tests(
            "AdapterTests",
            [
                "AdapterKit", "Domain", "SeededRandom", "StrictJSON", "WireFormats",
                "AdyenAdapter",
                "AuthorizeNetAdapter",
                "BraintreeAdapter",
                "CheckoutAdapter",
                "SimulatorAdapter",
                "SquareAdapter",
                "StripeAdapter",
                "WorldpayAdapter", "PSPSimulator", "TributaryTestKit",
            ],
            resources: [.copy("Samples")]
        ),
        tests("ReconciliationTests", ["AdapterKit", "Domain", "ExternalJoin", "Reconciliation", "SeededRandom"]),
        tests(
            "SettingsTests",
            ["Settings", "Domain", "Reconciliation", "SeededRandom", "StatementFiles", "Storage", "TributaryTestKit"]
        ),
        tests(
            "PSPSimulatorTests",
            [
                "AdapterKit", "HTTPTransport", "Domain", "PSPSimulator", "SimulatorAdapter", "StrictJSON",
                "WireFormats",
                crypto, nio,
                nioPosix, nioFiles, hummingbird, httpTypes, logging, serviceLifecycle,
            ]
        ),
        tests("StorageTests", ["Domain", "SQL", "SeededRandom", "Storage", "StrictJSON", "TributaryTestKit"]),
        tests(
            "GatewayTests",
            [
                "AdapterKit", "Callbacks", "Domain", "Gateway", "Keyring", "Reconciliation", "SQL", "SeededRandom",
                "SimulatorAdapter", "StatementFiles", "Storage", "StrictJSON", "StripeAdapter", "Telemetry",
                "TributaryTestKit", "Wiring",
                logging, memoryLogging, tracing,
            ]
        ),
        tests("SimulationTests", ["Domain", "Simulation", "TributaryCommand", "TributaryTestKit"]),
        tests(
            "CallbackTests",
            [
                "AdapterKit", "Callbacks", "HTTPTransport", "Domain", "Gateway", "Keyring", "SQL", "Storage",
                "StrictJSON", "Telemetry", "TributaryTestKit", "Wiring", logging, memoryLogging,
            ]
        ),
        tests(
            "HTTPAPITests",
            [
                "AdapterKit", "HTTPTransport", "Domain", "Gateway", "HTTPAPI", "Keyring", "OpenSSLCMS", "Printing",
                "SQL",
                "SimulatorAdapter", "StatementFiles", "Storage", "StrictJSON", "Telemetry", "TributaryTestKit",
                "WireFormats", "Wiring", hummingbird, httpTypes, logging, nio, nioPosix, nioSSL,
            ]
        ),
        tests(
            "EndToEndTests",
            [
                "AdapterKit", "AdyenAdapter", "AuthorizeNetAdapter", "Checkout", "CrashingGateway", "HTTPTransport",
                "Domain", "Gateway", "HTTPAPI", "Keyring", "OpenSSLCMS", "PSPSimulator", "SQL", "SeededRandom",
                "Simulation", "Storage", "StrictJSON", "TributaryClient", "TributaryCommand", "TributaryTestKit",
                "WalletTwins", "Wiring",
                logging,
            ]
        ),
        tests(
            "WalletTokensTests",
            [
                "WalletTokens", "OpenSSLCMS", "Domain", "SeededRandom", "StrictJSON", "TributaryTestKit", "WireFormats",
                crypto, cryptoExtras,
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "WalletOrdersTests",
            [
                "Domain", "HTTPTransport", "OpenSSLCMS", "StrictJSON", "TributaryTestKit", "WalletOrders",
                "WalletTwins", "WireFormats", crypto, logging,
            ],
            resources: [.copy("Fixtures")]
        ),
        tests(
            "TributaryClientTests",
            ["HTTPTransport", "StrictJSON", "TributaryClient", "TributaryTestKit", "WireFormats", crypto]
        ),
        tests("OpenSSLCMSTests", ["OpenSSLCMS"]),
        tests(
            "StatementFilesTests",
            ["AdapterKit", "Domain", "SeededRandom", "StatementFiles", "TributaryTestKit", crypto],
            resources: [.copy("Fixtures")]
        ),
        .executableTarget(
            name: "TokenFuzz",
            dependencies: ["Domain", "OpenSSLCMS", "SeededRandom", "StrictJSON", "TributaryTestKit", "WalletTokens"],
            path: "Tests/TokenFuzz",
            swiftSettings: strict
        ),
        tests("TidyTests", []),
    ]
)

// Who works on a part builds and runs its tests only: TRIBUTARY_TESTS=StorageTests,GatewayTests.
if let wanted = Context.environment["TRIBUTARY_TESTS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
