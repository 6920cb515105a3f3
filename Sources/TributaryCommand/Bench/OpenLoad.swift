import HTTPTransport
import StrictJSON
import Synchronization

/// Orders that come at their own pace, whether or not earlier ones were answered.
struct OpenLoad {
    /// The most orders that one load sends, whatever its rate.
    static let orderLimit = 200_000

    /// How many orders.
    let count: Int
    /// How many come a second; nil for all at once.
    let perSecond: Double?

    /// How long a client waits for an answer, in milliseconds.
    private static let patienceMilliseconds = 120_000

    /// Sends the orders and waits for all the answers, each timed from when it was due.
    func run(over client: HTTPTransport, _ order: @escaping @Sendable () -> HTTPRequest) async throws -> OverloadResult
    {
        let clock = ContinuousClock()
        let start = clock.now
        return try await withThrowingTaskGroup(of: OverloadResult.Answer.self) { group in
            for number in 0..<min(count, Self.orderLimit) {
                let due = perSecond.map { start + .seconds(Double(number) / $0) } ?? start
                if due > clock.now { try await clock.sleep(until: due) }
                group.addTask {
                    var request = order()
                    request.totalTimeoutMilliseconds = Self.patienceMilliseconds
                    let result = await client.send(request)
                    return Self.answer(result, after: (clock.now - due).milliseconds)
                }
            }
            return OverloadResult(try await group.reduce(into: []) { $0.append($1) })
        }
    }

    private static func answer(_ result: HTTPResult, after milliseconds: Double) -> OverloadResult.Answer {
        guard case .reply(let reply) = result else { return .init(kind: .none, milliseconds: milliseconds) }
        switch reply.status {
        case 201, 202:
            let payments = (try? JSON.parse(reply.body))?["payments"]?.arrayValue ?? []
            let isUnsent = payments.contains { $0["status"] == "not_sent" }
            return .init(kind: .accepted(isUnsent: isUnsent), milliseconds: milliseconds)
        case 503: return .init(kind: .refused, milliseconds: milliseconds)
        default: return .init(kind: .none, milliseconds: milliseconds)
        }
    }
}
