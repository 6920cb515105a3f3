import Domain
import SQL
import Storage
import Synchronization
import Telemetry
import Testing
import Tracing
import TributaryTestKit

@testable import Gateway

@Suite("What an order is told", .timeLimit(.minutes(10)))
struct MailboxContextTests {
    /// Which request each step was passed on for.
    private final class Seen: Sendable {
        private let requests = Mutex<[String?]>([])
        /// The log whose mailbox a second request comes to, and that request.
        let log = Mutex<OrderLog?>(nil)
        let second = Mutex<Task<Void, any Error>?>(nil)

        var all: [String?] { requests.withLock { $0 } }

        func note(_ request: String?) { requests.withLock { $0.append(request) } }
    }

    /// Tells an order for a request that its time has come.
    private static func tick(_ order: OrderID, _ log: OrderLog, for request: String) async throws {
        var context = InstrumentationContext.topLevel
        context.requestID = request
        try await InstrumentationContext.withValue(context) { _ = try await log.submit(.tick, to: order) }
    }

    private static func log(_ harness: GatewayHarness, _ database: any Database, _ seen: Seen) -> OrderLog {
        OrderLog(
            database: database,
            clock: harness.clock,
            rules: harness.settings.rules,
            instance: "log",
            presentation: .plain,
            afterCommit: { _, _ in seen.note(InstrumentationContext.current?.requestID) }
        )
    }

    @Test("is done for the request that told it, and for none where a step takes what two told")
    func own() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let order = try await harness.run(.trip).order.id
            let seen = Seen()
            let meddled = MeddledDatabase(database: harness.database) {
                guard let log = seen.log.withLock({ $0 }) else { return }
                seen.second.withLock { $0 = Task { try await Self.tick(order, log, for: "second") } }
                for _ in 0..<20 { await Task.yield() }
            }
            let log = Self.log(harness, meddled, seen)
            seen.log.withLock { $0 = log }
            try await Self.tick(order, log, for: "first")
            try await seen.second.withLock { $0 }?.value
            // The second lies in the mailbox as the first is stored, or comes behind it.
            #expect(seen.all == [nil] || seen.all == ["first", "second"], "\(seen.all)")
        }
    }

    @Test("shares a step with what the same request told, which is done for it")
    func shared() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let order = try await harness.run(.trip).order.id
            let seen = Seen()
            let log = Self.log(harness, harness.database, seen)
            var context = InstrumentationContext.topLevel
            context.requestID = "first"
            _ = try await InstrumentationContext.withValue(context) { try await log.submit([.tick, .tick], to: order) }
            _ = try await log.submit(.tick, to: order)
            #expect(seen.all == ["first", nil])
        }
    }
}
