import Domain
import Keyring
import SQL
import Storage
import TributaryTestKit

/// A marketplace of fifty shops, each with one PSP account; the accounts take turns.
struct Bazaar: Hashable {
    /// The marketplace's id.
    static let marketplace = "bazaar"
    /// An API key that may place and read orders.
    static let apiKey = "tk_bazaar"
    /// How many shops there are.
    static let shops = 50
    /// The key that every instance keeps its secrets under; a test has nothing to hide.
    static let secret = String(repeating: "5a", count: Keyring.keyLength)

    /// The PSPs' base URLs, one for each account.
    let baseURLs: [String]

    /// A database that holds the schema and the marketplace.
    func template() -> DatabaseTemplate {
        let ports = baseURLs.map { $0.split(separator: ":").last.map(String.init) ?? "" }
        return DatabaseTemplate(name: "bazaar_" + ports.joined(separator: "_")) { database in
            _ = try await Migrator().migrate(database)
            try await fill(database)
        }
    }

    /// The environment in which `tributary` finds its keys.
    var environment: [String: String] {
        var environment = ["TRIBUTARY_KEY": Self.secret]
        for account in baseURLs.indices {
            environment[Self.bookName(ofAccount: account)] = Self.pspKey(account)
        }
        return environment
    }

    /// The name of the account that serves a shop.
    func account(ofShop shop: Int) -> String { "psp-\(shop % baseURLs.count)" }

    /// The name under which a simulator keeps the books of an account.
    static func bookName(ofAccount account: Int) -> String { "PSP_\(account)" }

    private static func pspKey(_ account: Int) -> String { "key_" + bookName(ofAccount: account) }

    private func fill(_ database: any Database) async throws {
        let now = Timestamp(microseconds: try await database.now())
        let hash = APIKeyHash.of(Array(Self.apiKey.utf8))
        try await database.write { session in
            var ids = IdentifierSource()
            try MarketplaceTable.save(.init(id: Self.marketplace, name: "Bazaar"), at: now, in: session)
            for account in baseURLs.indices {
                try PSPAccountTable.save(self.account(account, at: now), in: session)
            }
            for shop in 0..<Self.shops {
                try MerchantTable.save(self.shop(shop, ids.make(at: now)), at: now, in: session)
            }
            let key = APIKeyTable.Key(
                id: ids.make(at: now),
                marketplace: Self.marketplace,
                scopes: ["checkout", "operator"],
                createdAt: now
            )
            try APIKeyTable.insert(key, hash: hash, in: session)
        }
    }

    private func account(_ number: Int, at now: Timestamp) -> PSPAccount {
        PSPAccount(
            marketplace: Self.marketplace,
            id: "psp-\(number)",
            psp: "simulator",
            baseURL: baseURLs[number],
            credentials: ["api_key": "env:" + Self.bookName(ofAccount: number)],
            updatedAt: now
        )
    }

    /// Every third shop pays no commission, the others a tenth with tax on it.
    private func shop(_ number: Int, _ id: MerchantID) -> Merchant {
        let commission =
            number % 3 == 0 ? CommissionRule() : CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)
        return Merchant(
            id: id,
            marketplace: Self.marketplace,
            externalIdentifier: "shop-\(number)",
            name: "Shop \(number)",
            kind: .merchant,
            commission: commission,
            routes: [Merchant.Route(pspAccount: account(ofShop: number))]
        )
    }
}
