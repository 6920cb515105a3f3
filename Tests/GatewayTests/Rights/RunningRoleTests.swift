import Domain
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@testable import Gateway

@Suite("A role that only serves", .timeLimit(.minutes(10)))
struct RunningRoleTests {
    private static let silent = Logger(label: "role") { _ in SwiftLogNoOpLogHandler() }

    @Test("carries an order to its end, gives some of it back, closes the books and forgets what has served")
    func serves() async throws {
        try await GatewayHarness.with(.postgres) { owner in
            try await RunningRole.with(owner.database) { database, _ in
                let harness = try GatewayHarness(database)
                var checkout = TestCheckout([.init("airline", 3_000)])
                checkout.capture = .manual
                let (answer, held) = try await harness.run(checkout)
                #expect(held.authorized == 3_000)
                let instance = harness.instance("acting")
                try await instance.driving {
                    _ = try await instance.gateway.request(.capture(.whole), of: .init(answer.order, of: "travel"))
                    _ = try await harness.order(answer.order) { $0.captured == 3_000 }
                    let part = [Refund.Item(payment: held.payments[0].id, amount: 1_000)]
                    _ = try await instance.gateway.request(
                        .refund(RefundRequest(.items(part))),
                        of: .init(answer.order, of: "travel")
                    )
                    _ = try await harness.order(answer.order) { $0.refunded == 1_000 }
                }
                harness.clock.advance(milliseconds: 200 * 86_400_000)
                let keys = CredentialKeys(
                    database: database,
                    vault: Vault(harness.keyring),
                    clock: harness.clock,
                    logger: Self.silent
                )
                // Somebody may still read the table, which is emptied as soon as nobody does.
                var swept = false
                for _ in 0..<20 where !swept {
                    swept = (try? await keys.sweep()) != nil
                }
                #expect(try await database.read { try CredentialKeyTable.all(in: $0) } == [])
                let retention = Retention(
                    database: database,
                    clock: harness.clock,
                    instance: "one",
                    logger: Self.silent
                )
                await retention.look()
                #expect(try await harness.orderIfPlaced(under: "key") == nil, "its key is forgotten")
                await LedgerMonitor(
                    database: database,
                    clock: harness.clock,
                    instance: "one",
                    verifyEveryMilliseconds: 3_600_000,
                    logger: Self.silent
                ).look()
                #expect(try await database.read { try LedgerRollup.rolledUntil("travel", in: $0) } != nil)
                #expect(try await database.read { try RoleRights.findings(in: $0) }?.missing == [])
                await harness.end()
            }
        }
    }

    @Test("reconciles a month")
    func reconciles() async throws {
        try await ReconciledMonth.with(.postgres) { month in
            try await RunningRole.with(month.harness.database) { database, _ in
                let account = try #require(month.settled.accounts.first)
                let wrong = try month.write(month.settled.report(account) { $1["fee"] = "0.77" }, as: "wrong.csv")
                let (_, found) = try await month.reconcile([wrong], account, in: database)
                #expect(Set(found.map(\.type)) == [.feeMismatch])
                let right = try month.write(month.settled.report(account), as: "right.csv")
                #expect(try await month.reconcile([right], account, in: database).found == [])
            }
        }
    }

    @Test("makes the partitions of months, which the owner of the tables owns")
    func months() async throws {
        try await withDatabase(.postgres, prepare: .travel) { owner in
            try await RunningRole.with(owner) { database, role in
                let may = Timestamp(seconds: 1_935_360_000)
                // A table of its own under the name of another, with a row of that month, must not be taken for that one.
                let order = OrderID(bits: UInt128(may.microseconds / 1000) << 80)
                let result = try await database.write { session in
                    try session.run("CREATE TEMP TABLE order_step_default (order_id TEXT)")
                    try session.run("INSERT INTO order_step_default VALUES (\(order))")
                    return try OrderStepMonths.add(later: 0, at: may, in: session)
                }
                #expect(result.name == "order_step_2031_05" && result.result == .made)
                let owners = try await database.read { session in
                    try session.rows(
                        "SELECT CAST(tableowner AS TEXT) AS owner FROM pg_tables WHERE tablename = 'order_step_2031_05'"
                    ).map { try $0.text("owner") }
                }
                #expect(owners.count == 1 && owners != [role])
            }
        }
    }

    private static let forbidden: [SQL] = [
        "ALTER TABLE journal_entry DISABLE TRIGGER USER", "DROP TRIGGER journal_entry_not_changed ON journal_entry",
        "ALTER TABLE order_step DROP COLUMN told", "DROP TABLE invoice", "TRUNCATE journal_entry", "TRUNCATE orders",
        "SET LOCAL session_replication_role = 'replica'", "UPDATE journal_entry SET kind = 'x'",
        "DELETE FROM journal_entry", "UPDATE order_step SET at = 2", "DELETE FROM order_step",
        "UPDATE order_step_default SET at = 2", "DELETE FROM break_action", "UPDATE invoice SET volume = 0",
        "DELETE FROM api_key", "DELETE FROM orders", "DELETE FROM payment", "DELETE FROM keyring_check",
        "UPDATE keyring_check SET key_id = 'k'", "DELETE FROM schema_migration", "CREATE TABLE mine (id INT)",
        "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    ]

    @Test("can neither change what is kept nor what keeps it")
    func refused() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { owner in
            try await RunningRole.with(owner) { database, _ in
                for statement in Self.forbidden {
                    do {
                        try await database.write { session in
                            try session.run(statement)
                            _ = try session.rows("SELECT 1 AS one")
                        }
                        Issue.record("\(statement.text) was done")
                    } catch SQLError.broken(let reason) {
                        let isOfRights = reason.contains("denied") || reason.contains("must be owner")
                        #expect(isOfRights, "\(statement.text): \(reason)")
                    }
                }
            }
        }
    }

    @Test("is told apart from the tables' owner, and from one without its rights")
    func findings() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { owner in
            let known = try await owner.read { try RoleRights.findings(in: $0) }
            #expect(known?.isSuperuser == true && known?.missing == [])
            #expect(known?.owned.contains("journal_entry") == true)
            try await RunningRole.with(owner) { database, role in
                let own = try await database.read { try RoleRights.findings(in: $0) }
                #expect(own?.role == role && own?.isSuperuser == false && own?.owned == [] && own?.missing == [])
                try await owner.write { try $0.run(SQL(stringLiteral: "REVOKE INSERT ON work FROM \(role)")) }
                let lacking = try await database.read { try RoleRights.findings(in: $0) }
                #expect(lacking?.missing == ["INSERT on work"])
            }
        }
        try await withDatabase(.sqlite, prepare: .migrated) { database in
            let none = try await database.read { try RoleRights.findings(in: $0) }
            #expect(none == nil)
        }
    }
}
