import AdapterKit
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import Synchronization

/// An endpoint as a service of the process.
final class ReceiverService: Service {
    private let receiver: CallbackReceiver
    private let host: String
    private let port: Int
    private let isListening = Atomic(false)

    init(_ receiver: CallbackReceiver, host: String, port: Int) {
        self.receiver = receiver
        self.host = host
        self.port = port
    }

    /// Takes callbacks on every path until it is shut down, and says on standard error where.
    ///
    /// - Throws: ``CommandFailure`` if the address cannot be listened on.
    func run() async throws {
        let responder = CallbackResponder<BasicRequestContext> { [receiver] request, _ in
            guard request.method == .post else { return Response(status: .methodNotAllowed) }
            let buffer = try await request.body.collect(upTo: IncomingWebhook.bodyLimitBytes)
            let headers = request.headers.map { Header($0.name.rawName, $0.value) }
            return Response(status: HTTPResponse.Status(code: receiver.take(Array(buffer.readableBytesView), headers)))
        }
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in
                self.isListening.store(true, ordering: .relaxed)
                Console.note(
                    "listening on \(Address.url(host: self.host, port: channel.localAddress?.port ?? self.port))"
                )
            },
            logger: Logger.standardError(.warning)
        )
        do {
            try await application.run()
        } catch  where !isListening.load(ordering: .relaxed) && !(error is CancellationError) {
            throw CommandFailure.unusable("cannot listen on \(Address.url(host: host, port: port)): \(error)")
        }
    }
}
