import AdapterKit
import Domain
import Gateway
import SQL
import SimulatorAdapter
import Storage
import StripeAdapter
import Testing
import TributaryTestKit

@Suite("Test and live", .timeLimit(.minutes(10)))
struct ModeTests {
    private static func account(_ psp: String, key: String, in mode: MarketplaceMode) -> PSPAccount {
        PSPAccount(
            marketplace: "m",
            id: "main",
            psp: psp,
            baseURL: "http://127.0.0.1:1",
            credentials: ["secret_key": key, "api_key": key],
            updatedAt: Timestamp(microseconds: 1),
            mode: mode
        )
    }

    @Test(
        "accounts are not mixed, whatever is declared",
        arguments: [
            ("stripe", "sk_live_1", MarketplaceMode.test, MarketplaceMode.live),
            ("stripe", "rk_test_1", .live, .test), ("simulator", "key", .live, .test),
        ]
    )
    func mixed(_ psp: String, _ key: String, _ mode: MarketplaceMode, _ found: MarketplaceMode) async throws {
        try await withDatabase(.sqlite) { database in
            let directory = PSPDirectory(
                psps: ["stripe": .init(StripeAdapter.self), "simulator": .init(SimulatorAdapter.self)],
                database: database
            ) { Secret($0) }
            #expect(throws: PSPDirectoryError.otherMode("main", found)) {
                try directory.adapter(for: Self.account(psp, key: key, in: mode))
            }
            let adapter = try directory.adapter(for: Self.account(psp, key: key, in: found))
            #expect(adapter.name == psp)
        }
    }

    @Test("a marketplace's mode never changes", arguments: DatabaseEngine.allCases)
    func unchangeable(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let apply = Apply(harness.database, by: .instance("test")) { throw CancellationError() }
            func declared(_ mode: MarketplaceMode) -> MarketplaceDocument {
                MarketplaceDocument(
                    .init(id: "real", name: "Real", mode: mode),
                    accounts: [],
                    merchants: [],
                    endpoint: nil
                )
            }
            _ = try await apply.apply(declared(.live))
            await #expect(throws: DirectoryRefusal.modeChanged("real", known: .live)) {
                try await apply.apply(declared(.test))
            }
            let clock = try await harness.database.read { try TestClockTable.clock(of: "real", in: $0) }
            #expect(clock == .live)
        }
    }

    @Test("a key says what it opens", arguments: DatabaseEngine.allCases)
    func keys(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let now = harness.clock.now()
            try await harness.database.write { session in
                try MarketplaceTable.save(.init(id: "real", name: "Real", mode: .live), at: now, in: session)
            }
            let keys = APIKeys(harness.database) { String(decoding: $0, as: UTF8.self) }
            let cases: [(String, KeyScope, String)] = [
                ("travel", .checkout, "tk_test_"), ("travel", .publishable, "pk_test_"),
                ("real", .operator, "tk_live_"), ("real", .publishable, "pk_live_"),
            ]
            for (index, (marketplace, scope, prefix)) in cases.enumerated() {
                let random = "0\(index)"
                let made = try await keys.create(
                    KeyDraft([scope]),
                    for: MarketplaceChoice(marketplace),
                    by: .instance("test"),
                    random: Secret(random),
                    at: now
                )
                #expect(made.text.reveal() == prefix + random)
                let found = try await keys.find(Array(made.text.reveal().utf8))
                #expect(found?.marketplace == marketplace && found?.mode == (marketplace == "real" ? .live : .test))
                let isTest = prefix.contains("test")
                let other = prefix.replacing(isTest ? "test" : "live", with: isTest ? "live" : "test")
                #expect(try await keys.find(Array((other + random).utf8)) == nil)
            }
        }
    }
}
