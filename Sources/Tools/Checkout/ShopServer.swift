import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
package import TributaryClient

/// The server of a shop that is paid through Tributary: it keeps the secret key, serves the checkout page, and places the
/// orders of its carts.
package struct ShopServer: Sendable {
    private let settings: ShopSettings
    private let host: String
    private let port: Int
    private let client: TributaryClient
    private let origin: ShopOrigin
    private let logger: Logger

    /// Describes a shop; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - settings: what it sells.
    ///   - client: how it reaches Tributary; whoever made it closes it.
    ///   - host: the address to listen on.
    ///   - port: the port to listen on; 0 for any free one.
    ///   - logger: where it logs.
    package init(
        _ settings: ShopSettings,
        client: TributaryClient,
        host: String = "127.0.0.1",
        port: Int = 0,
        logger: Logger
    ) {
        self.settings = settings
        self.client = client
        self.host = host
        self.port = port
        self.logger = logger
        origin = ShopOrigin(settings.publicURL)
    }

    /// Starts the shop in a task of its own and returns once it accepts connections.
    ///
    /// - Throws: the error with which the address could not be bound.
    package func start() async throws -> RunningShop {
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let service = ServingShop {
            defer { announcement.finish() }
            try await serve { port in announcement.yield(port) }
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: logger))
        let serving = Task { try await group.run() }
        for await _ in ports { return RunningShop(url: origin.url, group: group, serving: serving) }
        try await serving.value
        throw CancellationError()
    }

    private func serve(onListening: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let checkout = ShopCheckout(settings: settings, client: client, carts: Carts()) { [origin] in
            origin.url + "/result"
        }
        let gateway = settings.wallet?.publishableKey == nil ? nil : settings.gatewayURL
        let router = Router(context: BasicRequestContext.self)
        PageRoutes(pageCallsTo: gateway).add(to: router)
        CartRoutes(checkout: checkout, isSecure: settings.publicURL?.hasPrefix("https://") ?? false).add(to: router)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { [host, origin] channel in
                let port = channel.localAddress?.port ?? port
                origin.setDefault("http://\(host):\(port)")
                await onListening(port)
            },
            logger: logger
        )
        try await application.run()
    }
}

/// A shop that accepts connections.
package struct RunningShop: Sendable {
    /// How long what was just accepted has to reach its handler.
    private static let settlingTime = Duration.milliseconds(50)

    /// Where buyers reach it.
    package let url: String
    private let group: ServiceGroup
    private let serving: Task<Void, any Error>

    init(url: String, group: ServiceGroup, serving: Task<Void, any Error>) {
        self.url = url
        self.group = group
        self.serving = serving
    }

    /// Stops listening and cuts every connection.
    ///
    /// It stops listening first: NIO takes a connection that is dropped before it has a handler for a mistake.
    package func stop() async {
        await group.triggerGracefulShutdown()
        try? await Task.sleep(for: Self.settlingTime)
        serving.cancel()
        _ = await serving.result
    }
}

/// A shop's serving, as something that can be told to take no more connections.
private struct ServingShop: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}

/// Where buyers reach a shop, which it knows for certain once it listens.
private final class ShopOrigin: Sendable {
    private let text: Mutex<String?>

    init(_ url: String?) { text = Mutex(url) }

    /// The URL without a slash at the end.
    var url: String { text.withLock(\.self) ?? "" }

    /// Says where it is, if it was not said before.
    func setDefault(_ url: String) { text.withLock { $0 = $0 ?? url } }
}
