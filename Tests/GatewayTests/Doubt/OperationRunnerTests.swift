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

@Suite("Doubt: operations of several calls")
struct OperationRunnerTests {
    /// Answers the calls one after the other.
    private actor Replies: Sender {
        private var results: [SendResult]
        private(set) var terms: [SendTerms] = []
        private let clock: ManualClock
        private let callMilliseconds: Int64

        init(_ results: [SendResult], clock: ManualClock, callMilliseconds: Int64) {
            self.results = results
            self.clock = clock
            self.callMilliseconds = callMilliseconds
        }

        func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
            self.terms.append(terms)
            clock.advance(milliseconds: callMilliseconds)
            return results.removeFirst()
        }
    }

    private static let ok = SendResult.reply(WireReply(status: 200))
    private static let refused = SendResult.failure(reason: "refused", mayHaveArrived: false)
    private static let lost = SendResult.failure(reason: "lost", mayHaveArrived: true)

    /// Runs a first authorization through an adapter and answers what became of it and the timeouts of the calls.
    private static func run(
        _ results: [SendResult],
        movesFirst: Bool,
        callMilliseconds: Int64 = 0,
        pace: ManualClock.Pace = .stands
    ) async throws -> (outcome: Outcome?, timeouts: [Int64], areAlone: [Bool]) {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            let clock = ManualClock(pace)
            let settings = GatewayHarness.settings
            let replies = Replies(results, clock: clock, callMilliseconds: callMilliseconds)
            let psp = PSPDirectory.PSP(capabilities: TwoCallAdapter.capabilities) { _ in
                TwoCallAdapter(movesFirst: movesFirst)
            }
            let runner = OperationRunner(
                directory: PSPDirectory(psps: ["simulator": psp], database: database) { _ in Secret("key") },
                database: database,
                sender: replies,
                credentials: CredentialKeys(
                    database: database,
                    vault: Vault(try Keyring.fresh()),
                    clock: clock,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                ),
                clock: clock,
                settings: settings,
                health: AccountHealth(),
                lines: CallLines(places: 32),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let order = try PlacedOrder.make(at: clock.now(), settings: settings)
            let report = await runner.run(
                order.payments[0].attempt.authorization.id,
                in: order,
                details: AuthorizationDetails(.pspToken(Secret("tok_approve"))),
                recording: { _, _, _ in .lost }
            )
            let terms = await replies.terms
            return (report?.outcome, terms.map(\.timeoutMilliseconds), terms.map(\.freshConnection))
        }
    }

    @Test("all calls together have the time of one")
    func budget() async throws {
        let (outcome, timeouts, _) = try await Self.run([Self.ok, Self.ok], movesFirst: true, callMilliseconds: 4000)
        #expect(outcome == .succeeded(Success(reference: "both", amount: 30_000)))
        #expect(timeouts == [10_000, 6000])
    }

    @Test(
        "a call that moves no money has a connection of its own, for its reply may name nothing",
        arguments: [true, false]
    )
    func alone(movesFirst: Bool) async throws {
        let areAlone = try await Self.run([Self.ok, Self.ok], movesFirst: movesFirst).areAlone
        #expect(areAlone == [!movesFirst, movesFirst])
    }

    @Test("a call that there is no time for is not made")
    func outOfTime() async throws {
        let (outcome, timeouts, _) = try await Self.run([Self.ok], movesFirst: true, callMilliseconds: 10_000)
        #expect(outcome == .unknown(reason: "no time is left"))
        #expect(timeouts == [10_000])
    }

    @Test("a failure before the call that moves money is provably harmless", arguments: [refused, lost])
    func harmless(failure: SendResult) async throws {
        let outcome = try await Self.run([failure], movesFirst: false).outcome
        guard case .notSent = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }

    @Test("a failure behind the call that moved money leaves doubt", arguments: [refused, lost])
    func harmful(failure: SendResult) async throws {
        let outcome = try await Self.run([Self.ok, failure], movesFirst: true).outcome
        guard case .unknown = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }

    @Test("a full queue of our own is waited out: the PSP had no part in it, and no breaker opens")
    func heldBack() async throws {
        let held = [SendResult](repeating: .held(reason: "queueFull"), count: 9)
        let (outcome, timeouts, _) = try await Self.run(held + [Self.ok, Self.ok], movesFirst: true, pace: .leaps)
        #expect(outcome == .succeeded(Success(reference: "both", amount: 30_000)))
        #expect(timeouts.count == 11)
    }

    @Test("what is held back until it is too late was never sent")
    func heldForGood() async throws {
        let held = [SendResult](repeating: .held(reason: "queueFull"), count: 99)
        let outcome = try await Self.run(held, movesFirst: true, callMilliseconds: 4000, pace: .leaps).outcome
        #expect([.notSent(reason: "queueFull"), .notSent(reason: "no time is left")].contains(outcome))
        let behind = try await Self.run([Self.ok] + held, movesFirst: true, callMilliseconds: 4000, pace: .leaps)
        guard case .unknown = behind.outcome else {
            Issue.record("\(String(describing: behind.outcome))")
            return
        }
    }

    @Test("nothing is begun that the lease may not cover")
    func lease() async throws {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            let clock = ManualClock()
            let settings = GatewayHarness.settings
            let runner = OperationRunner(
                directory: PSPDirectory(psps: [:], database: database) { _ in Secret("key") },
                database: database,
                sender: ScriptedSender(clock: clock),
                credentials: CredentialKeys(
                    database: database,
                    vault: Vault(try Keyring.fresh()),
                    clock: clock,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                ),
                clock: clock,
                settings: settings,
                health: AccountHealth(),
                lines: CallLines(places: 32),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
            let order = try PlacedOrder.make(at: clock.now(), settings: settings)
            let id = order.payments[0].attempt.authorization.id
            clock.advance(milliseconds: settings.rules.leaseMilliseconds - settings.pspTimeoutMilliseconds - 30_000)
            let intime = await runner.run(id, in: order, details: nil) { _, _, _ in .lost }
            #expect(intime?.operation == id)
            clock.advance(milliseconds: 1)
            let late = await runner.run(id, in: order, details: nil) { _, _, _ in .lost }
            #expect(late == nil)
        }
    }
}
