import Domain
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
package import Logging
import NIOCore
import NIOSSL
import OpenSSLCMS
import ServiceLifecycle
import StrictJSON
import Synchronization
import WireFormats

/// Apple's push service on this machine: HTTP/2 over TLS, with a client certificate or not at all.
///
/// A certificate of its root is asked for in the handshake, and the topic has to be the order type in its subject. What
/// it answers is said by its ``book``.
package struct APNsTwin: Sendable {
    private let keys: OrderTypeKeys
    private let port: Int
    private let onDelivery: @Sendable (APNsPush) async -> Void
    private let logger: Logger

    /// Describes a service; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - keys: the root of the certificates that it takes, and of its own.
    ///   - port: the port to listen on; 0 for any free one.
    ///   - logger: where it logs.
    ///   - onDelivery: takes each push that is delivered, as its device would.
    package init(
        keys: OrderTypeKeys,
        port: Int = 0,
        logger: Logger,
        onDelivery: @escaping @Sendable (APNsPush) async -> Void = { _ in }
    ) {
        self.keys = keys
        self.port = port
        self.logger = logger
        self.onDelivery = onDelivery
    }

    /// Starts the service in a task of its own and returns once it accepts connections.
    ///
    /// - Throws: why it cannot listen.
    package func start() async throws -> RunningAPNsTwin {
        let book = APNsBook()
        let routes = APNsRoutes(book: book, onDelivery: onDelivery)
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: routes.router(),
            server: try .http2Upgrade(tlsConfiguration: tls()),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in announcement.yield(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        let service = ServingAPNs {
            defer { announcement.finish() }
            try await application.run()
        }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [service], logger: logger))
        let serving = Task { try await group.run() }
        for await port in ports {
            return RunningAPNsTwin(port: port, book: book, group: group, serving: serving)
        }
        try await serving.value
        throw CancellationError()
    }

    private func tls() throws -> TLSConfiguration {
        let (certificate, key) = try keys.server()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem))
        )
        configuration.trustRoots = .certificates(
            try [keys.root, keys.authority].map { try NIOSSLCertificate(bytes: $0.certificate.der, format: .der) }
        )
        // Of the client there is no host name to verify; it has to show a certificate all the same.
        configuration.certificateVerification = .noHostnameVerification
        return configuration
    }
}

/// The service's serving, as something that can be told to take no more connections.
private struct ServingAPNs: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}

/// A push service that accepts connections.
package struct RunningAPNsTwin: Sendable {
    /// The port it listens on.
    package let port: Int
    /// What it was sent, and what it is to answer.
    package let book: APNsBook
    private let group: ServiceGroup
    private let serving: Task<Void, any Error>

    init(port: Int, book: APNsBook, group: ServiceGroup, serving: Task<Void, any Error>) {
        self.port = port
        self.book = book
        self.group = group
        self.serving = serving
    }

    /// The base URL, in place of `https://api.push.apple.com`.
    package var url: String { "https://localhost:\(port)" }

    /// Cuts every connection and stops listening.
    package func stop() async {
        await group.triggerGracefulShutdown()
        // What was just accepted has to reach its handler first: NIO takes a dropped one for a mistake.
        try? await Task.sleep(for: .milliseconds(50))
        serving.cancel()
        _ = await serving.result
    }
}

/// A request with the connection it came over.
private struct APNsContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection; nil where the request did not come as a stream of HTTP/2.
    let connection: (any Channel)?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        connection = source.channel.parent
    }

    /// The order type in the client's certificate; nil if none was shown on this connection.
    func orderType() async -> String? {
        guard let connection, let shown = try? await connection.nioSSL_peerCertificate().get(),
            let der = try? shown.toDERBytes(), let certificate = try? Certificate(der: der)
        else { return nil }
        return certificate.userIdentifier
    }
}

/// `POST /3/device/{token}`, and nothing else.
private struct APNsRoutes: Sendable {
    /// The most that Apple takes as a payload, in bytes.
    private static let payloadLimit = 4096

    let book: APNsBook
    let onDelivery: @Sendable (APNsPush) async -> Void
    private let connections = ConnectionNumbers()

    init(book: APNsBook, onDelivery: @escaping @Sendable (APNsPush) async -> Void) {
        self.book = book
        self.onDelivery = onDelivery
    }

    func router() -> Router<APNsContext> {
        let router = Router(context: APNsContext.self)
        router.post("/3/device/:token") { request, context in try await answer(request, context) }
        return router
    }

    private func answer(_ request: Request, _ context: APNsContext) async throws -> Response {
        guard let orderType = await context.orderType(), let connection = context.connection else {
            return refuse(400, "BadRequest", "a request that is no stream of HTTP/2 over TLS with a certificate")
        }
        let token = context.parameters.get("token") ?? ""
        guard token.utf8.count >= 64, Hexadecimal.decode(token) != nil else {
            return refuse(400, "BadDeviceToken", "a token that is not hexadecimal: \(token.utf8.count) bytes")
        }
        guard let topic = header("apns-topic", of: request) else { return refuse(400, "MissingTopic", "no topic") }
        guard topic == orderType else {
            return refuse(400, "TopicDisallowed", "the topic \(topic) with the certificate of \(orderType)")
        }
        let payload: [UInt8]
        do {
            payload = Array(buffer: try await request.body.collect(upTo: Self.payloadLimit))
        } catch {
            return refuse(413, "PayloadTooLarge", "a payload above \(Self.payloadLimit) bytes")
        }
        // Updates of orders have an empty payload.
        guard (try? JSON.parse(payload)) == [:] else { return refuse(400, "PayloadEmpty", "a payload that is not {}") }
        let answer = book.nextAnswer(to: token)
        let push = APNsPush(
            pushToken: token,
            topic: topic,
            pushType: header("apns-push-type", of: request),
            priority: header("apns-priority", of: request),
            payload: payload,
            connection: connections.number(of: connection),
            answer: answer
        )
        book.record(push)
        guard let status = answer.status else {
            try await Task.sleep(for: .seconds(3600))
            throw CancellationError()
        }
        if answer == .delivered { await onDelivery(push) }
        var timestamp: JSON?
        if case .unregistered(let moment) = answer { timestamp = .integer(moment.microseconds / 1000) }
        let body = status.reason.map { reason in
            JSON.object(omittingAbsent: ["reason": .string(reason), "timestamp": timestamp])
        }
        return response(status.code, body)
    }

    private func header(_ name: String, of request: Request) -> String? {
        HTTPField.Name(name).flatMap { request.headers[$0] }
    }

    private func refuse(_ status: Int, _ reason: String, _ what: String) -> Response {
        book.refuse("\(reason): \(what)")
        return response(status, ["reason": .string(reason)])
    }

    private func response(_ status: Int, _ body: JSON?) -> Response {
        let bytes = ByteBuffer(bytes: body?.bytes ?? [])
        return Response(status: .init(code: status), body: .init(byteBuffer: bytes))
    }
}

/// Connections in the order in which pushes came over them.
private final class ConnectionNumbers: Sendable {
    /// They are kept, so that none takes the place of another in memory.
    private let known = Mutex<[any Channel]>([])

    func number(of connection: any Channel) -> Int {
        known.withLock { known in
            if let index = known.firstIndex(where: { $0 === connection }) { return index + 1 }
            known.append(connection)
            return known.count
        }
    }
}
