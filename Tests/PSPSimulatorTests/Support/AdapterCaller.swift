import AdapterKit
import Domain
import PSPSimulator
import SimulatorAdapter
import Testing

/// Carries the adapter's requests to a simulator and its replies back, as the gateway would.
struct Caller {
    let adapter: SimulatorAdapter
    let client: RawClient
    let base: String

    init(_ simulator: RunningSimulator, _ client: RawClient) throws {
        adapter = try SimulatorAdapter(
            settings: AdapterSettings(
                account: "a",
                baseURL: simulator.baseURL,
                credentials: ["api_key": Secret("key_shop")]
            )
        )
        var client = client
        client.key = ""
        self.client = client
        base = simulator.baseURL
    }

    func newOperation() -> OperationID {
        var source = IdentifierSource()
        return source.make(at: Timestamp(microseconds: 0))
    }

    func authorize(_ token: String) throws -> Call { try authorize(.pspToken(Secret(token))) }

    func authorize(_ credential: Credential) throws -> Call {
        var source = IdentifierSource()
        let now = Timestamp(microseconds: 0)
        return Call(
            order: source.make(at: now),
            payment: source.make(at: now),
            attempt: source.make(at: now),
            operation: source.make(at: now),
            money: try Money(minorUnits: 1000, currency: try #require(Currency(code: "USD"))),
            kind: .authorize(.init(credential: credential)),
            purpose: .perform
        )
    }

    func perform(_ call: Call) async throws -> Outcome {
        var exchanges: [Exchange] = []
        while true {
            switch adapter.next(for: call, after: exchanges) {
            case .outcome(let outcome): return outcome
            case .send(let request):
                let reply = try await client.send(
                    request.method.rawValue,
                    String(request.url.dropFirst(base.count)),
                    headers: request.headers.map { "\($0.name): \($0.value)" },
                    body: String(decoding: request.body, as: UTF8.self)
                )
                guard let status = reply.status else { return .unknown(reason: "no reply") }
                exchanges.append(
                    Exchange(
                        reply: WireReply(
                            status: status,
                            headers: ["Content-Type", "Idempotency-Key"].compactMap { name in
                                reply.header(name).map { Header(name, $0) }
                            },
                            body: Array(reply.body.utf8)
                        )
                    )
                )
            }
        }
    }
}

extension Outcome {
    /// The outcome in a word, with what matters of it.
    var word: String {
        switch self {
        case .succeeded(let success):
            "succeeded \(success.amount)/\(success.capturedAmount.map(String.init) ?? "unsaid")"
        case .declined(let decline): "declined \(decline.category.rawValue)"
        case .rejected(let rejection): "rejected \(rejection.reason.rawValue)"
        case .pending: "pending"
        case .actionRequired: "action"
        case .notSent: "not_sent"
        case .unknown: "unknown"
        }
    }
}
