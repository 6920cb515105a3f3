import AdapterKit
import ArgumentParser
import Domain
import Logging
import ServiceLifecycle
import Settings

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
