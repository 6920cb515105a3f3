import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Marketplaces, merchants and PSP accounts in the database", .timeLimit(.minutes(10)))
struct DirectoryTests {
    /// A merchant with something in every field.
    private static func full(_ sample: inout OrderSample) -> Merchant {
        Merchant(
            id: sample.make(),
            marketplace: "travel",
            externalIdentifier: "full",
            name: "Zürich \"Air\"",
            merchantIdentifier: "merchant.com.full",
            domain: "full.example",
            statementDescriptor: "ZURICH AIR",
            commission: CommissionRule(
                basisPoints: 1,
                fixed: ["USD": 2, "EUR": 3],
                minimum: ["USD": 4],
                maximum: ["USD": 5],
                taxBasisPoints: 6,
                pspFeesBorneBy: .marketplace,
                returnedOnRefund: .none,
                appliesTo: [.shipping, .tip]
            ),
            status: .paused,
            routes: [
                Merchant.Route(pspAccount: "sim-b"),
                Merchant.Route(
                    pspAccount: "sim-a",
                    merchantAccount: "acct_1",
                    settlesTo: .merchant,
                    commissionBy: .invoice,
                    currencies: ["USD", "EUR"],
                    wallets: ["apple_pay"],
                    networks: ["visa", "mastercard"]
                ),
            ],
            profile: BusinessProfile(
                timeZone: "Europe/Zurich",
                legal: .init(
                    name: "Zürich \"Air\" AG",
                    address: ["Flughafen 1", "8058 Zürich"],
                    country: "CH",
                    taxID: "CHE-1"
                )
            )
        )
    }

    @Test("merchants come back as written, and as written again", arguments: DatabaseEngine.allCases)
    func merchants(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var sample = OrderSample()
            var merchant = Self.full(&sample)
            for _ in 0..<2 {
                try await database.write { [merchant, sample] in
                    try MerchantTable.save(merchant, at: sample.now, in: $0)
                }
                try await database.read { [merchant] session throws in
                    #expect(try MerchantTable.find(["full"], of: "travel", in: session) == [merchant])
                    #expect(try MerchantTable.find(merchant.id, of: "travel", in: session) == merchant)
                    #expect(try MerchantTable.find(merchant.id, of: "other", in: session) == nil)
                    #expect(try MerchantTable.find(["full"], of: "other", in: session) == [])
                }
                merchant.name = "Other"
                merchant.domain = nil
                merchant.merchantIdentifier = nil
                merchant.statementDescriptor = nil
                merchant.status = .active
                merchant.commission = CommissionRule()
                merchant.routes = Array(merchant.routes.suffix(1))
            }
        }
    }

    @Test("merchants are listed page by page", arguments: DatabaseEngine.allCases)
    func list(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await database.read { session throws in
                func names(after: String, limit: Int) throws -> [String] {
                    try MerchantTable.list(of: "travel", after: after, limit: limit, in: session)
                        .map(\.externalIdentifier)
                }
                #expect(try names(after: "", limit: 3) == ["agency", "airline", "hotel"])
                #expect(try names(after: "hotel", limit: 3) == ["taxi"])
                #expect(try names(after: "taxi", limit: 3) == [])
            }
        }
    }

    @Test("a merchant's name is its own, and its routes lead to accounts", arguments: DatabaseEngine.allCases)
    func constraints(engine: DatabaseEngine) async throws {
        let taken: [DatabaseEngine: SQLError] = [
            .sqlite: .uniqueViolation(constraint: "merchant.marketplace, merchant.external_identifier"),
            .postgres: .uniqueViolation(constraint: "merchant_external_identifier"),
        ]
        let astray: [DatabaseEngine: SQLError] = [
            .sqlite: .constraintViolation(constraint: "FOREIGN KEY"),
            .postgres: .constraintViolation(constraint: "route_marketplace_psp_account_fkey"),
        ]
        let expected = (try #require(taken[engine]), try #require(astray[engine]))
        try await withDatabase(engine, prepare: .travel) { database in
            var sample = OrderSample()
            var merchant = Self.full(&sample)
            let now = sample.now
            merchant.externalIdentifier = "hotel"
            await #expect(throws: expected.0) {
                try await database.write { [merchant] in try MerchantTable.save(merchant, at: now, in: $0) }
            }
            merchant.externalIdentifier = "new"
            merchant.routes[0].pspAccount = "nowhere"
            await #expect(throws: expected.1) {
                try await database.write { [merchant] in try MerchantTable.save(merchant, at: now, in: $0) }
            }
            let stored = try await database.read { try MerchantTable.find(["new"], of: "travel", in: $0) }
            #expect(stored == [])
        }
    }

    @Test("PSP accounts come back as written, and as written again", arguments: DatabaseEngine.allCases)
    func accounts(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var account = PSPAccount(
                marketplace: "travel",
                id: "main",
                psp: "stripe",
                baseURL: "https://psp.example",
                credentials: ["secret_key": "env:KEY", "webhook_secret": "file:keys/secret"],
                updatedAt: Timestamp(microseconds: 1)
            )
            for _ in 0..<2 {
                try await database.write { [account] in try PSPAccountTable.save(account, in: $0) }
                try await database.read { [account] session throws in
                    #expect(try PSPAccountTable.find("main", of: "travel", in: session) == account)
                    #expect(try PSPAccountTable.find("main", of: "other", in: session) == nil)
                    let all = try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: "travel")))
                    #expect(all.map(\.id) == ["main", "sim-a", "sim-b", "sim-c"])
                }
                account.credentials = [:]
                account.status = .paused
                account.updatedAt = Timestamp(microseconds: 2)
            }
        }
    }

    @Test("marketplaces are listed by id, under their latest names", arguments: DatabaseEngine.allCases)
    func marketplaces(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let moment = Timestamp(microseconds: 1)
            try await database.write { session in
                try MarketplaceTable.save(.init(id: "art", name: "Art"), at: moment, in: session)
                try MarketplaceTable.save(.init(id: "travel", name: "Travel Now"), at: moment, in: session)
            }
            let all = try await database.read { try MarketplaceTable.all(in: $0) }
            #expect(all == [.init(id: "art", name: "Art"), .init(id: "travel", name: "Travel Now")])
        }
    }
}
