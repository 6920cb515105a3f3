import Domain
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@testable import Gateway

@Suite("Placing: a reference that becomes free", .timeLimit(.minutes(10)))
struct FreedReferenceTests {
    /// A database that does something once a write was refused.
    private struct Meddling: Database {
        let base: any Database
        let meddle: @Sendable () async throws -> Void

        var dialect: Dialect { base.dialect }

        func write<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
            do {
                return try await base.write(body)
            } catch SQLError.uniqueViolation(let constraint) {
                try await meddle()
                throw SQLError.uniqueViolation(constraint: constraint)
            }
        }

        func read<Value: Sendable>(_ body: @escaping @Sendable (any Session) throws -> Value) async throws -> Value {
            try await base.read(body)
        }

        func now() async throws -> Int64 { try await base.now() }

        func scrub() async throws { try await base.scrub() }

        func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { base.notifications(on: channel) }
    }

    @Test("between the refusal and the look at who has it is taken", arguments: DatabaseEngine.allCases)
    func freed(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.reference = "cart"
            let (_, first) = try await harness.run(checkout, key: "first")
            let draft = try checkout.draft()
            let meddling = Meddling(base: harness.database) {
                try await harness.database.write { try $0.run("UPDATE orders SET live_reference = NULL") }
            }
            let placer = OrderPlacer(
                database: meddling,
                directory: PSPDirectory(psps: AdapterCatalog.psps, database: meddling) { _ in Secret("key") },
                wallets: Wallets(database: meddling, clock: harness.clock, ports: .none),
                credentials: CredentialKeys(
                    database: meddling,
                    vault: Vault(harness.keyring),
                    clock: harness.clock,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                ),
                clock: harness.clock,
                log: OrderLog(
                    database: meddling,
                    clock: harness.clock,
                    rules: harness.settings.rules,
                    instance: "two",
                    presentation: .plain
                ),
                settings: harness.settings,
                lines: CallLines(places: 32),
                agreements: AgreementWriter(presentation: .plain, random: .system),
                vault: Vault(harness.keyring)
            )
            let result = try await placer.place(draft, under: TestCheckout.use("second"))
            guard case .placed(let placement, _) = result else {
                Issue.record("not placed")
                return
            }
            let second = placement.order
            #expect(second.reference == "cart")
            #expect(second.id != first.id)
            #expect(try await harness.order(second.id) == second)
        }
    }
}
