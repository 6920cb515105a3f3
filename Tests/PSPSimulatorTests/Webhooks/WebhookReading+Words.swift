import AdapterKit
import Domain
import PSPSimulator
import SimulatorAdapter
import Testing

/// Reads webhooks as the gateway would.
struct Hearing {
    let adapter: SimulatorAdapter

    init(secret: String = WebhookReceiver.secret) throws {
        adapter = try SimulatorAdapter(
            settings: AdapterSettings(
                account: "a",
                baseURL: "http://127.0.0.1:1",
                credentials: ["api_key": Secret("key_shop"), "webhook_secret": Secret(secret)]
            )
        )
    }

    /// The events of a webhook, which must be the simulator's.
    func events(_ incoming: IncomingWebhook) throws -> [WebhookEvent] {
        guard case .read(let events, reply: let reply) = adapter.webhook(incoming) else {
            throw Refused(reading: adapter.webhook(incoming))
        }
        #expect(reply.status == 200)
        return events
    }

    /// Its only notice.
    func notice(_ incoming: IncomingWebhook) throws -> Notice {
        try #require(try events(incoming).first?.notices.first)
    }

    /// What each says, in words.
    func words(_ incoming: [IncomingWebhook]) throws -> [String] {
        try incoming.map { try notice($0).happening.word }
    }

    /// A webhook that was not taken.
    struct Refused: Error { let reading: WebhookReading }
}

extension Notice.Happening {
    /// What happened in a few words, with the amounts.
    var word: String {
        switch self {
        case .outcome(let action, let outcome): "\(action.rawValue) \(outcome.word)"
        case .reversed(let action, let rejection): "\(action.rawValue) reversed \(rejection.reason.rawValue)"
        case .lapsed: "lapsed"
        case .dispute(let dispute): "dispute \(dispute.state.rawValue) \(dispute.amount)"
        }
    }
}
