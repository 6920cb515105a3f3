import Domain
import Gateway
import PSPSimulator
import SQL
import Simulation
import Storage
import Testing
import TributaryTestKit

@Suite("What a PSP lists of what happened", .timeLimit(.minutes(10)))
struct ListingTests {
    @Test(
        "tells orders what no webhook told, and people of payments that the books do not know",
        arguments: DatabaseEngine.allCases,
        [DialectName.stripe, .square, .braintree, .authorizeNet]
    )
    func listed(engine: DatabaseEngine, dialect: DialectName) async throws {
        let twins = PSPTwin.all.filter { $0.dialect == dialect }
        try await DatabaseLocation.with(engine, prepare: .migrated) { location in
            try await TwinStage.with(twins, location, ManualClock(.flows)) { stage in
                let since = stage.clock.now()
                let id = try await stage.place([:], policy: .allOrNothing, key: "one", capture: .manual)
                let held = try #require(try await stage.atRest([id]).first?.payments.first)
                #expect(held.attempt.held == TwinStage.part)
                try await Self.captureSilently(stage)
                // The twin shows what happened as late as Stripe's search may.
                stage.clock.advance(milliseconds: 3_600_000)

                let known = try await Self.ask(stage.wiring, since, of: dialect.rawValue)
                #expect(known.obstacle == nil)
                #expect(known.told > 0)
                #expect(known.unknown == [])
                let after = try #require(try await stage.load([id]).first?.payments.first)
                #expect(after.captured == TwinStage.part)
                #expect(try await Self.ask(stage.wiring, since, of: dialect.rawValue).told == 0)

                let lost = try await withDatabase(engine, prepare: .migrated) { database in
                    try await TwinStage.fill(database, stage.twins, stage.servers)
                    var wiring = stage.wiring
                    wiring.database = database
                    let first = try await Self.ask(wiring, since, of: dialect.rawValue)
                    #expect(try await Self.ask(wiring, since, of: dialect.rawValue).raised == 0)
                    return first
                }
                #expect(lost.told == 0)
                #expect(lost.raised == 1)
                let payment = try #require(lost.unknown.first)
                #expect(payment.attempt == held.attempt.id.text)
                #expect(payment.reference == held.attempt.pspReference)
                #expect((payment.held, payment.taken) == (0, TwinStage.part))
            }
        }
    }

    @Test("is said to be too short, or none, where it is")
    func obstacles() async throws {
        let twins = PSPTwin.all.filter { [.stripe, .adyen].contains($0.dialect) }
        try await DatabaseLocation.with(.sqlite, prepare: .migrated) { location in
            try await TwinStage.with(twins, location, ManualClock(.flows)) { stage in
                let since = stage.clock.now().adding(milliseconds: -40 * 86_400_000)
                let recent = try await Self.ask(stage.wiring, since, of: "stripe")
                #expect(recent.obstacle?.hasPrefix("the list goes back to ") == true)
                let none = try await Self.ask(stage.wiring, since, of: "adyen")
                #expect(none.obstacle == "this PSP lists nothing: compare with its settlement report")
            }
        }
    }

    /// Captures the only payment in the PSP's dashboard, which tells nobody.
    private static func captureSilently(_ stage: TwinStage) async throws {
        let (twin, server) = (try #require(stage.twins.first), try #require(stage.servers.first))
        let booked = await server.authorizations(of: twin.ledger).first
        var action = DashboardAction(.capture, to: .id(try #require(booked).id))
        action.announcement = .silent
        _ = try await server.act(action)
    }

    private static func ask(
        _ wiring: Gateway.Ports,
        _ since: Timestamp,
        of name: String
    ) async throws -> RecoveredActivity {
        let account = try await wiring.database.read { session in
            try PSPAccountTable.find(name, of: "travel", in: session)
        }
        return try await BooksRecovery(wiring, instance: "recovery").ask(try #require(account), since: since)
    }
}
