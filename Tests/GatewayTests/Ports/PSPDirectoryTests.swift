import AdapterKit
import Domain
import Gateway
import SQL
import SimulatorAdapter
import Storage
import Testing
import TributaryTestKit

@Suite("Adapters of PSP accounts", .timeLimit(.minutes(10)))
struct PSPDirectoryTests {
    private struct NoSecret: Error, Equatable {}

    private static func directory(
        _ database: any Database,
        psps: [String: PSPDirectory.PSP] = ["simulator": PSPDirectory.PSP(SimulatorAdapter.self)],
        resolve: @escaping @Sendable (String) throws -> Secret = { Secret("key for " + $0) }
    ) -> PSPDirectory {
        PSPDirectory(psps: psps, database: database, resolve: resolve)
    }

    /// The first request an adapter writes, which shows its base URL and its key.
    private static func request(_ adapter: any PaymentAdapter) throws -> WireRequest? {
        var sample = IdentifierSource()
        let moment = Timestamp(microseconds: 0)
        let call = Call(
            order: sample.make(at: moment),
            payment: sample.make(at: moment),
            attempt: sample.make(at: moment),
            operation: sample.make(at: moment),
            money: try TestCheckout.dollars(1),
            kind: .void,
            purpose: .perform
        )
        guard case .send(let request) = adapter.next(for: call, after: []) else { return nil }
        return request
    }

    @Test(
        "are made with the account's address and secrets, and anew when it changes",
        arguments: DatabaseEngine.allCases
    )
    func changes(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let directory = Self.directory(database)
            #expect(directory.cached("sim-a", of: "travel") == nil)
            let first = try #require(try Self.request(try await directory.adapter(for: "sim-a", of: "travel")))
            #expect(first.url.hasPrefix("http://127.0.0.1:1/"))
            #expect(first.headers.contains(Header("Authorization", "Bearer key for env:SIMULATOR_KEY")))
            #expect(directory.cached("sim-a", of: "travel") != nil)

            var account = TestMarketplace.travel.accounts[0]
            account.baseURL = "http://127.0.0.1:2"
            #expect(try Self.request(try directory.adapter(for: account))?.url.hasPrefix("http://127.0.0.1:1/") == true)
            account.updatedAt = account.updatedAt.adding(milliseconds: 1)
            #expect(try Self.request(try directory.adapter(for: account))?.url.hasPrefix("http://127.0.0.1:2/") == true)
        }
    }

    @Test("are refused with the reason", arguments: DatabaseEngine.allCases)
    func refusals(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            await #expect(throws: PSPDirectoryError.unknownAccount("sim-z")) {
                try await Self.directory(database).adapter(for: "sim-z", of: "travel")
            }
            await #expect(throws: PSPDirectoryError.unknownAccount("sim-a")) {
                try await Self.directory(database).adapter(for: "sim-a", of: "other")
            }
            await #expect(throws: PSPDirectoryError.unknownPSP("simulator")) {
                try await Self.directory(database, psps: [:]).adapter(for: "sim-a", of: "travel")
            }
            await #expect(throws: NoSecret()) {
                try await Self.directory(database) { _ in throw NoSecret() }.adapter(for: "sim-a", of: "travel")
            }
            await #expect(throws: SettingsError.missingCredential("api_key")) {
                try await Self.directory(database) { _ in Secret("") }.adapter(for: "sim-a", of: "travel")
            }
        }
    }
}
