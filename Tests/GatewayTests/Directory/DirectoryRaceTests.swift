import Domain
import Foundation
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("A directory that two change at once", .timeLimit(.minutes(10)))
struct DirectoryRaceTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private static let choice = MarketplaceChoice("travel")
    private static let elsewhere = "https://hooks.example/new"

    /// What somebody is about to commit, and what somebody else asks for meanwhile.
    struct Race: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: @Sendable (any Session) throws -> Void
        let second: @Sendable (any Database) async throws -> Void
        /// Whether what either did is there afterwards.
        let stands: @Sendable (any Session) throws -> Bool
    }

    static let races = [
        Race(testDescription: "a pause, while the merchant is saved") { session in
            try MerchantTable.setStatus(.paused, of: airline(in: session).id, at: now, in: session)
        } second: { database in
            let body: JSON = [
                "external_identifier": "airline", "name": "Renamed", "routes": [["psp_account": "sim-a"]],
            ]
            let document = try body.read(refusingNull: true) { MerchantDocument($0) }
            _ = try await Merchants(database, by: .instance("test"))
                .save(document, nil, of: "travel", capabilities: [:], at: now)
        } stands: { session in
            let merchant = try airline(in: session)
            return merchant.status == .paused && merchant.name == "Renamed"
        },
        Race(testDescription: "a route, while the merchant is paused") { session in
            var merchant = try airline(in: session)
            merchant.routes = [Merchant.Route(pspAccount: "sim-b")]
            try MerchantTable.save(merchant, at: now, in: session)
        } second: { database in
            _ = try await Merchants(database, by: .instance("test"))
                .setStatus(.paused, of: ["airline"], in: choice, at: now)
        } stands: { session in
            let merchant = try airline(in: session)
            return merchant.status == .paused && merchant.routes.map(\.pspAccount) == ["sim-b"]
        },
        Race(testDescription: "a credential, while the account is paused") { session in
            var account = try account(in: session)
            account.credentials = ["api_key": "env:NEW_KEY"]
            try PSPAccountTable.save(account, in: session)
        } second: { database in
            _ = try await PSPAccountDirectory(database, by: .instance("test"))
                .setStatus(.paused, of: ["sim-a"], in: choice, at: now)
        } stands: { session in
            let account = try account(in: session)
            return account.status == .paused && account.credentials == ["api_key": "env:NEW_KEY"]
        },
        Race(testDescription: "a pause, while a declaration is applied") { session in
            try PSPAccountTable.setStatus(.paused, of: "sim-a", "travel", at: now, in: session)
        } second: { database in
            var accounts = TestMarketplace.travel.accounts
            accounts[0].baseURL = "https://psp.example"
            try await apply(accounts, nil, to: database)
        } stands: { session in
            let account = try account(in: session)
            return account.status == .paused && account.baseURL == "https://psp.example"
        },
        Race(testDescription: "a secret, while a declaration moves the endpoint") { session in
            var endpoint = try endpoint(in: session)
            endpoint.secrets.rotate(to: newSecret, until: now.adding(milliseconds: 1000), at: now)
            try CallbackEndpointTable.save(endpoint, in: session)
        } second: { database in
            try await apply([], EndpointDocument(url: elsewhere, secret: nil, identity: nil), to: database)
        } stands: { session in
            let endpoint = try endpoint(in: session)
            return endpoint.secrets.current == newSecret && endpoint.url == elsewhere
        },
    ]

    private static let newSecret = CallbackSecrets.Kept.sealed(keyID: "k1", hexadecimal: "0b")

    private static func airline(in session: any Session) throws -> Merchant {
        try #require(try MerchantTable.find(["airline"], of: "travel", in: session).first)
    }

    private static func account(in session: any Session) throws -> PSPAccount {
        try #require(try PSPAccountTable.find("sim-a", of: "travel", in: session))
    }

    private static func endpoint(in session: any Session) throws -> CallbackEndpoint {
        try #require(try CallbackEndpointTable.find(of: "travel", merchant: nil, in: session))
    }

    private static func apply(
        _ accounts: [PSPAccount],
        _ endpoint: EndpointDocument?,
        to database: any Database
    ) async throws {
        let declared = MarketplaceDocument(
            .init(id: "travel", name: "travel"),
            accounts: accounts,
            merchants: [],
            endpoint: endpoint
        )
        _ = try await Apply(database, by: .instance("test")) { throw CancellationError() }.apply(declared)
    }

    /// Gives the marketplace an endpoint whose secret was made here.
    private static func listen(in database: any Database) async throws {
        var ids = IdentifierSource()
        let endpoint = CallbackEndpoint(
            id: ids.make(at: now),
            marketplace: "travel",
            merchant: nil,
            url: "https://hooks.example/old",
            secrets: CallbackSecrets(.sealed(keyID: "k1", hexadecimal: "0a")),
            createdAt: now
        )
        try await database.write { try CallbackEndpointTable.save(endpoint, in: $0) }
    }

    @Test("has what either did", arguments: races)
    func race(_ race: Race) async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            try await Self.listen(in: database)
            let (begun, announcement) = AsyncStream<Void>.makeStream()
            let mayEnd = DispatchSemaphore(value: 0)
            async let first: Void = database.write { session in
                try MarketplaceTable.lock("travel", in: session)
                try race.first(session)
                _ = try session.rows("SELECT 1 AS sent")
                announcement.yield()
                announcement.finish()
                _ = mayEnd.wait(timeout: .now() + 30)
            }
            defer { mayEnd.signal() }
            for await _ in begun { break }
            async let second: Void = race.second(database)
            while try await LockWaiters.count(in: database) == 0 { try Task.checkCancellation() }
            mayEnd.signal()
            try await first
            try await second
            #expect(try await database.read { try race.stands($0) })
        }
    }
}
