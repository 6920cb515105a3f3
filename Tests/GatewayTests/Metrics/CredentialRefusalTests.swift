import AdapterKit
import Domain
import Keyring
import Logging
import SQL
import SimulatorAdapter
import Storage
import Testing
import TributaryTestKit
import Wiring

@testable import Gateway

@Suite("Credentials that a PSP refuses", .timeLimit(.minutes(10)))
struct CredentialRefusalTests {
    /// Answers every request with a status and nothing else.
    private struct Refusal: Sender {
        let status: Int

        func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult {
            .reply(WireReply(status: status))
        }
    }

    @Test(
        "are said once a minute for an account, and counted each time",
        arguments: [(401, 3.0, 1), (403, 3, 1), (500, nil, 0)]
    )
    func refused(status: Int, counted: Double?, lines: Int) async throws {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            let (clock, log, metrics) = (ManualClock(), LogLines(), GatewayMetrics())
            let settings = GatewayHarness.settings
            let runner = OperationRunner(
                directory: PSPDirectory(
                    psps: ["simulator": PSPDirectory.PSP(SimulatorAdapter.self)],
                    database: database
                ) { _ in Secret("key") },
                database: database,
                sender: Refusal(status: status),
                credentials: CredentialKeys(
                    database: database,
                    vault: Vault(try Keyring.fresh()),
                    clock: clock,
                    logger: log.logger
                ),
                clock: clock,
                settings: settings,
                health: AccountHealth(),
                lines: CallLines(places: 32),
                logger: log.logger,
                metrics: metrics
            )
            let order = try PlacedOrder.make(at: clock.now(), settings: settings)
            let attempt = order.payments[0].attempt
            for _ in 0..<3 {
                _ = await runner.run(
                    attempt.authorization.id,
                    in: order,
                    details: AuthorizationDetails(.pspToken(Secret("tok_approve"))),
                    recording: { _, _, _ in .lost }
                )
            }
            let text = try PrometheusText(metrics.registry.text)
            let account = ["psp": attempt.route.psp, "psp_account": "\(order.marketplace)/\(attempt.route.pspAccount)"]
            let kind = account.merging(["kind": "credentials"]) { $1 }
            #expect(text.value("tributary_psp_configuration_refusals_total", kind) == counted)
            let result = account.merging(["result": status < 500 ? "4xx" : "5xx"]) { $1 }
            #expect(text.value("tributary_psp_requests_total", result) == 3)
            #expect(log.all.count { $0.contains("a PSP refuses our credentials") } == lines, "\(log.all)")
            #expect(metrics.pspCallsUnderWay == 0)
            try await runner.health.credentials.record(in: database)
            let stored = try await database.read { session in try CredentialRefusalTable.all(in: session) }
            #expect(stored.map(\.status) == (lines > 0 ? [status] : []))
            #expect(stored.allSatisfy { $0.account == attempt.route.pspAccount && $0.call == "authorize" })
        }
    }
}
