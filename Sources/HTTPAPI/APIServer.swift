package import Gateway
import Hummingbird
import HummingbirdCore
package import Keyring
package import Logging
import NIOCore

/// The HTTP API.
package struct APIServer: Sendable {
    private let gateway: Gateway
    private let fingerprints: Fingerprints
    private let limits: APILimits
    private let publicURL: String?
    private let ports: OperatorPorts
    private let pageOrigins: Set<String>
    private let logger: Logger
    private let refused = RefusedAttempts()
    private let metricsAccess: MetricsAccess
    private let requests: RequestLog
    private let pages: PageRequests
    private let tls: ServerTLS?
    private let proxies: TrustedProxies
    private let limiter: RateLimiter

    /// Makes a server for one gateway instance.
    ///
    /// - Parameters:
    ///   - gateway: what it serves.
    ///   - fingerprints: hashes bodies.
    ///   - limits: what one request may contain.
    ///   - publicURL: where the outside reaches it, without a slash at the end; nil takes each request's host.
    ///   - ports: what operators' acts need of the outside.
    ///   - pageOrigins: the origins whose pages may call what publishable keys open.
    ///   - metricsAccess: who may read metrics.
    ///   - tls: what it shows of itself over TLS; nil for plain http.
    ///   - proxies: whose word on who asks is taken.
    ///   - rates: how many requests it answers of each key and each address.
    ///   - logger: told of each request, and what goes wrong.
    package init(
        gateway: Gateway,
        fingerprints: Fingerprints,
        limits: APILimits,
        publicURL: String? = nil,
        ports: OperatorPorts = .none,
        pageOrigins: Set<String> = [],
        metricsAccess: MetricsAccess = MetricsAccess(),
        tls: ServerTLS? = nil,
        proxies: TrustedProxies = .none,
        rates: RateLimits = .none,
        logger: Logger
    ) {
        self.gateway = gateway
        self.fingerprints = fingerprints
        self.limits = limits
        self.publicURL = publicURL
        self.ports = ports
        self.pageOrigins = pageOrigins
        pages = PageRequests(origins: pageOrigins, limit: limits.requestsPerPublishableKey)
        self.metricsAccess = metricsAccess
        self.tls = tls
        self.proxies = proxies
        limiter = RateLimiter(rates)
        self.logger = logger
        requests = RequestLog(metrics: HTTPMetrics(), logger: logger, traces: gateway.traces)
        gateway.metrics.registry.add(requests.metrics.sources + [refused.counts, limiter.refusals])
    }

    /// How many requests are not answered yet.
    package var requestsUnderWay: Int64 { requests.metrics.underWay.value }

    /// Serves until the task is canceled or the process is asked to stop.
    ///
    /// - Parameters:
    ///   - host: the address to bind to.
    ///   - port: the port to bind to; 0 for a free one.
    ///   - onRunning: told the port once connections are taken.
    /// - Throws: if the address cannot be bound.
    package func run(
        host: String,
        port: Int,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void
    ) async throws {
        let application = Application(
            responder: TargetGuard(
                router().buildResponder(),
                proxies: proxies,
                fields: SecurityHeaders.fields(isEncrypted: tls != nil),
                isDraining: { [readiness = gateway.readiness] in readiness.isDraining }
            ) { [requests] request, context, status in
                requests.record(request, context, status: status, since: .now)
            } onUnnamedProxy: { [notice = UnnamedProxyNotice(logger)] in
                notice.give()
            },
            server: HTTPServerBuilder { [limits, tls] responder in
                let register = ConnectionRegister(limit: limits.connections.connections)
                return GuardedChannel(responder, limits.connections, register, tls)
            },
            configuration: .init(
                address: .hostname(host, port: port),
                serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    limits.connections.openConnections,
                    logger: logger
                )
            ),
            onServerRunning: { channel in
                let added = channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
                }
                try? await added.get()
                await onRunning(channel.localAddress?.port ?? port)
            },
            logger: logger
        )
        try await application.run()
    }

    /// Every route of the API.
    func router() -> Router<APIContext> {
        let paths = Router(context: APIContext.self)
        addRoutes(to: paths)
        let router = Router(context: APIContext.self, options: .autoGenerateHeadEndpoints)
        let methods = MethodTable(paths.routes)
        router.add(middleware: RequestLogMiddleware(log: requests))
        router.add(middleware: CrossOriginMiddleware(origins: pageOrigins))
        router.add(middleware: ProblemMiddleware(logger: logger, methods: methods, refused: refused))
        router.add(middleware: RateLimitMiddleware(limiter: limiter))
        addRoutes(to: router)
        return router
    }

    private func addRoutes(to router: Router<APIContext>) {
        let authenticator = Authenticator(database: gateway.database, clock: gateway.clock, limiter: limiter)
        let body = RequestBody(limits: limits)
        OrderRoutes(
            gateway: gateway,
            queries: OrderQueries(gateway.database),
            fingerprints: fingerprints,
            authenticator: authenticator,
            body: body,
            reader: OrderDraftReader(limits: limits),
            tokens: OrderTokens(service: gateway.walletOrders)
        ).add(to: router)
        AgreementRoutes(
            gateway: gateway,
            fingerprints: fingerprints,
            authenticator: authenticator,
            body: body,
            tokens: OrderTokens(service: gateway.walletOrders)
        ).add(to: router)
        addWalletOrders(to: router, authenticator, body)
        let requestRoutes = RequestRoutes(
            gateway: gateway,
            queries: OrderQueries(gateway.database),
            fingerprints: fingerprints,
            authenticator: authenticator,
            body: body
        )
        requestRoutes.add(to: router)
        addActs(to: router, requestRoutes, authenticator, body)
        PaymentRequestRoutes(
            requests: PaymentRequests(gateway),
            door: gateway.door,
            pages: pages,
            clock: gateway.clock,
            authenticator: authenticator,
            body: body,
            reader: PaymentRequestReader(contextLimit: limits.contexts)
        ).add(to: router)
        MerchantRoutes(gateway: gateway, authenticator: authenticator, body: body).add(to: router)
        StatementRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        InvoiceRoutes(gateway: gateway, authenticator: authenticator, body: body).add(to: router)
        OrderListRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        DeliveryListRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        BookListRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        AttentionRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        AuditRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        EventFeedRoutes(gateway: gateway, authenticator: authenticator).add(to: router)
        ApplePaySessionRoutes(
            sessions: ApplePaySessions(gateway),
            door: gateway.door,
            pages: pages,
            authenticator: authenticator,
            body: body
        ).add(to: router)
        MerchantTokenRoutes(inbox: gateway.merchantTokens, door: gateway.door).add(to: router)
        PSPWebhookRoutes(
            receiver: gateway.webhooks,
            clock: gateway.clock,
            body: body,
            address: WebhookAddress(publicURL: publicURL)
        ).add(to: router)
        OperabilityRoutes(readiness: gateway.readiness).add(to: router)
        MetricsRoutes(registry: gateway.metrics.registry, access: metricsAccess).add(to: router)
        OpenAPIRoutes().add(to: router)
        SchemaRoutes().add(to: router)
        ProblemRoutes().add(to: router)
    }

    /// What devices ask of orders in Wallet, and what marketplaces and merchants tell of them.
    private func addWalletOrders(
        to router: Router<APIContext>,
        _ authenticator: Authenticator,
        _ body: RequestBody
    ) {
        DeviceRoutes(
            service: gateway.walletOrders,
            door: gateway.door,
            body: body,
            clock: gateway.clock,
            logger: logger
        ).add(to: router)
        FulfillmentRoutes(gateway: gateway, authenticator: authenticator, body: body).add(to: router)
    }

    /// What operators do, and merchants about their own endpoints.
    private func addActs(
        to router: Router<APIContext>,
        _ requests: RequestRoutes,
        _ authenticator: Authenticator,
        _ body: RequestBody
    ) {
        let log = ActLog(logger: logger)
        BookActRoutes(gateway: gateway, requests: requests, authenticator: authenticator, body: body, log: log)
            .add(to: router)
        OrderActRoutes(requests: requests).add(to: router)
        DeliveryActRoutes(gateway: gateway, authenticator: authenticator, body: body, log: log).add(to: router)
        EndpointActRoutes(gateway: gateway, authenticator: authenticator, body: body, ports: ports, log: log)
            .add(to: router)
        KeyRoutes(gateway: gateway, authenticator: authenticator, body: body, log: log)
            .add(to: router)
        TestClockRoutes(gateway: gateway, authenticator: authenticator, body: body, log: log).add(to: router)
        ApplyRoutes(gateway: gateway, authenticator: authenticator, body: body, ports: ports, log: log)
            .add(to: router)
    }
}
