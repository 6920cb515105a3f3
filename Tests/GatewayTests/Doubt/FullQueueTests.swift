import AdapterKit
import Domain
import Keyring
import Logging
import SQL
import Storage
import Synchronization
import Testing
import TributaryTestKit
import Wiring

@testable import Gateway

/// That we have no room is no failure of a PSP's or a merchant's.
@Suite("A full queue of our own")
struct FullQueueTests {
    /// Says the same of every request.
    private final class OneAnswer: Sender {
        private let result: SendResult
        private let clock: ManualClock
        private let count = Mutex(0)

        init(_ result: SendResult, clock: ManualClock) {
            self.result = result
            self.clock = clock
        }

        /// How many requests it was given.
        var requests: Int { count.withLock { $0 } }

        func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
            count.withLock { $0 += 1 }
            clock.advance(milliseconds: 700)
            return result
        }
    }

    /// What keeps new authorizations from an account after so many operations at it were answered alike, how many requests
    /// there were, and what became of the last operation.
    private static func obstacle(
        after operations: Int,
        answered result: SendResult
    ) async throws -> (obstacle: String?, requests: Int, outcome: Outcome?) {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            let clock = ManualClock(.leaps)
            let settings = GatewayHarness.settings
            let sender = OneAnswer(result, clock: clock)
            // An open breaker stays open for longer than the test takes.
            let health = AccountHealth(.init(breaker: .init(failures: 3, pauseMilliseconds: 86_400_000)))
            let psp = PSPDirectory.PSP(capabilities: TwoCallAdapter.capabilities) { _ in
                TwoCallAdapter(movesFirst: true)
            }
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let runner = OperationRunner(
                directory: PSPDirectory(psps: ["simulator": psp], database: database) { _ in Secret("key") },
                database: database,
                sender: sender,
                credentials: CredentialKeys(
                    database: database,
                    vault: Vault(try Keyring.fresh()),
                    clock: clock,
                    logger: logger
                ),
                clock: clock,
                settings: settings,
                health: health,
                lines: CallLines(places: 32),
                logger: logger
            )
            var (account, outcome): (String, Outcome?) = ("", nil)
            for _ in 0..<operations {
                let order = try PlacedOrder.make(at: clock.now(), settings: settings)
                let id = order.payments[0].attempt.authorization.id
                account = try #require(order.find(id)).accountName(in: order)
                let report = await runner.run(
                    id,
                    in: order,
                    details: AuthorizationDetails(.pspToken(Secret("tok_approve")))
                ) {
                    _,
                    _,
                    _ in
                    .lost
                }
                outcome = report?.outcome
            }
            return (health.obstacle(to: account, at: clock.now()), sender.requests, outcome)
        }
    }

    @Test("opens no breaker, however often it refuses, and leaves nothing in doubt")
    func held() async throws {
        let found = try await Self.obstacle(after: 4, answered: .held(reason: "queueFull"))
        #expect(found.obstacle == nil)
        #expect(found.requests > 6, "three failures in a row would have opened the breaker")
        guard case .notSent = found.outcome else {
            Issue.record("\(String(describing: found.outcome))")
            return
        }
    }

    @Test("is told from a PSP that does not answer, which opens it")
    func failing() async throws {
        let silent = SendResult.failure(reason: "timeout", mayHaveArrived: true)
        #expect(try await Self.obstacle(after: 4, answered: silent).obstacle != nil)
        let absent = SendResult.failure(reason: "refused", mayHaveArrived: false)
        #expect(try await Self.obstacle(after: 4, answered: absent).obstacle != nil)
        let broken = SendResult.reply(WireReply(status: 503))
        #expect(try await Self.obstacle(after: 4, answered: broken).obstacle != nil)
    }
}
