import AdapterKit
import ArgumentParser
import Domain
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Settings
import StrictJSON
import Synchronization

/// `tributary receive-callbacks`.
struct ReceiveCallbacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive-callbacks",
        abstract: "Be an endpoint: take callbacks, verify them and show what they say.",
        discussion: """
            Answers 204 to what is signed with one of the secrets within five minutes of now, and 401 or 400 to
            everything else, which it names on standard error. With --once it ends after the first: 0 if that was
            verified, 1 if not. A gateway delivers to this machine only with TRIBUTARY_CALLBACKS_ALLOW_LOOPBACK=true.

            A secret typed here can be seen by every user of the machine; env:NAME and file:PATH are not.

            Example:
              tributary receive-callbacks --secret env:TRAVEL_WEBHOOK_SECRET --port 9100
            """
    )

    @Option(
        name: .long,
        help: ArgumentHelp(
            "What callbacks are signed with: whsec_…, env:NAME or file:PATH; may be repeated.",
            valueName: "secret"
        )
    )
    var secret: [String]

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "The port to listen on; 0 for any free one.")
    var port: UInt16 = 9100

    @Flag(name: .long, help: "End after the first callback.")
    var once = false

    @OptionGroup var output: FormatOption

    func run() async throws {
        let keys = try secret.map { text in
            let secret = try SecretReference(text).map { try $0.resolve(in: .process) } ?? Secret(text)
            guard let key = StandardWebhooks.key(secret) else {
                throw CommandFailure.unusable("a --secret is not base 64, with or without whsec_ before it")
            }
            return key
        }
        let receiver = CallbackReceiver(keys: keys, format: output.format, endsAfterFirst: once)
        if output.format == .csv { Console.out(Table(received: []).csv) }
        let service = ReceiverService(receiver, host: host, port: Int(port))
        var services: [any Service] = [service]
        if once { services.append(FirstCallbackService(receiver)) }
        try await Services.run(services, logger: .standardError(.warning))
        guard !once || receiver.isFirstVerified else { throw ExitCode(1) }
    }
}

/// Takes callbacks, verifies them, and shows them as they come.
final class CallbackReceiver: Sendable {
    private let keys: [SigningKey]
    private let format: OutputFormat
    private let endsAfterFirst: Bool
    private let first = Mutex<Bool?>(nil)
    private let news: (stream: AsyncStream<Void>, teller: AsyncStream<Void>.Continuation)

    init(keys: [SigningKey], format: OutputFormat, endsAfterFirst: Bool) {
        self.keys = keys
        self.format = format
        self.endsAfterFirst = endsAfterFirst
        let (stream, teller) = AsyncStream<Void>.makeStream()
        news = (stream, teller)
    }

    /// Whether the first callback that came was verified; false if none came.
    var isFirstVerified: Bool { first.withLock { $0 ?? false } }

    /// Waits until the first one has come.
    func waitForFirst() async { for await _ in news.stream { return } }

    /// Verifies a callback, shows it, and answers the HTTP status for it.
    func take(_ body: [UInt8], _ headers: [Header]) -> Int {
        let now = Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
        let incoming = IncomingWebhook(body: body, headers: headers, url: "", receivedAt: now)
        do throws(WebhookRefusal) {
            let id = try StandardWebhooks.verify(incoming, with: keys)
            show(ReceivedCallback(id: id, body: body, at: now))
            note(isVerified: true)
            return 204
        } catch {
            Console.note("refused: \(error)")
            note(isVerified: false)
            return error.status
        }
    }

    private func show(_ callback: ReceivedCallback) {
        switch format {
        case .table: Console.out(callback.line)
        case .json: Console.out(callback.json.text)
        case .csv: Console.out(Table(received: [callback]).csv.split(separator: "\n").last.map(String.init) ?? "")
        }
    }

    private func note(isVerified: Bool) {
        let isFirst = first.withLock { first in
            guard first == nil else { return false }
            first = isVerified
            return true
        }
        if isFirst { news.teller.yield() }
    }
}

/// A callback that was verified.
struct ReceivedCallback {
    /// `webhook-id`.
    let id: String
    /// The body, byte for byte.
    let body: [UInt8]
    /// When it came.
    let at: Timestamp

    /// What it says, if it is JSON.
    private var document: JSON? { try? JSON.parse(body) }

    /// What it tells, for example `payment.captured`.
    var type: String? { document?["type"]?.stringValue }
    /// Its number.
    var sequence: Int64? { document?["sequence"]?.integerValue }

    /// One line for people.
    var line: String {
        let data = document?["data"]
        let subject = ["payment", "order"].lazy.compactMap { data?[$0] }.first { $0.objectValue != nil }
        let words = [
            at.description, type, sequence.map { "#\($0)" }, id, subject?["id"]?.stringValue,
            subject?["status"]?.stringValue,
        ]
        return words.compactMap(\.self).joined(separator: "  ").harmless
    }

    /// Everything, in one line of JSON.
    var json: JSON {
        .object([
            .init("received_at", .string(at.description)), .init("id", .string(id)), .init("verified", true),
            .init("body", document ?? .string(String(decoding: body, as: UTF8.self))),
        ])
    }
}

extension Table {
    /// A row for each callback that was verified.
    init(received: [ReceivedCallback]) {
        self.init("received_at", "id", "type", "sequence")
        for callback in received {
            add(
                .moment(callback.at),
                .text(callback.id),
                .optional(callback.type),
                callback.sequence.map(Cell.integer) ?? .absent
            )
        }
    }
}

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

/// Ends the process once the first callback was answered.
struct FirstCallbackService: Service {
    /// What the answer needs to leave the machine.
    private static let grace = Duration.milliseconds(100)

    private let receiver: CallbackReceiver

    init(_ receiver: CallbackReceiver) { self.receiver = receiver }

    /// Returns once it was.
    func run() async throws {
        await cancelWhenGracefulShutdown { await receiver.waitForFirst() }
        try? await Task.sleep(for: Self.grace)
    }
}
