package import Domain
package import SQL
import Storage

/// A marketplace as `tributary apply` would write it: merchants whose money takes every way there is.
package struct TestMarketplace: Sendable {
    /// Its id.
    package let id: String
    /// Its PSP accounts, all of the simulator; `base_url` is a free choice of the test's.
    package var accounts: [PSPAccount]
    /// Its merchants.
    package var merchants: [Merchant]

    /// The credential reference of every account.
    package static let keyReference = "env:SIMULATOR_KEY"

    /// A travel agency: an airline, a hotel, a taxi, and its own share.
    ///
    /// - `airline`: the PSP pays the marketplace, which keeps 10 % and 30 units, taxed at 19 %.
    /// - `hotel`: the PSP pays the merchant and keeps a commission of 5 % for the marketplace.
    /// - `taxi`: the PSP pays the merchant; a commission of 2.5 % is invoiced.
    /// - `agency`: the marketplace's own share, without a commission.
    package static let travel = TestMarketplace(id: "travel", baseURL: "http://127.0.0.1:1")

    /// The travel agency under another name or at another PSP.
    package init(id: String, baseURL: String) {
        self.id = id
        let updatedAt = Timestamp(microseconds: 1_700_000_000_000_000)
        accounts = ["sim-a", "sim-b", "sim-c"].map { name in
            PSPAccount(
                marketplace: id,
                id: name,
                psp: "simulator",
                baseURL: baseURL,
                credentials: ["api_key": Self.keyReference],
                updatedAt: updatedAt
            )
        }
        var ids = IdentifierSource()
        func merchant(_ name: String, _ commission: CommissionRule, _ routes: Merchant.Route...) -> Merchant {
            Merchant(
                id: ids.make(at: updatedAt),
                marketplace: id,
                externalIdentifier: name,
                name: name.prefix(1).uppercased() + name.dropFirst(),
                kind: name == "agency" ? .marketplace : .merchant,
                commission: commission,
                routes: routes
            )
        }
        merchants = [
            merchant(
                "airline",
                CommissionRule(basisPoints: 1000, fixed: ["USD": 30], taxBasisPoints: 1900),
                Merchant.Route(pspAccount: "sim-a")
            ),
            merchant(
                "hotel",
                CommissionRule(basisPoints: 500),
                Merchant.Route(pspAccount: "sim-b", merchantAccount: "acct_hotel", settlesTo: .merchant)
            ),
            merchant(
                "taxi",
                CommissionRule(basisPoints: 250),
                Merchant.Route(
                    pspAccount: "sim-c",
                    merchantAccount: "acct_taxi",
                    settlesTo: .merchant,
                    commissionBy: .invoice
                )
            ),
            merchant("agency", CommissionRule(), Merchant.Route(pspAccount: "sim-a")),
        ]
    }

    /// Writes marketplace, accounts and merchants.
    ///
    /// - Throws: `SQLError`.
    package func write(to database: any Database) async throws {
        let moment = Timestamp(microseconds: 1_700_000_000_000_000)
        try await database.write { session in
            try MarketplaceTable.save(.init(id: id, name: id), at: moment, in: session)
            for account in accounts { try PSPAccountTable.save(account, in: session) }
            for merchant in merchants { try MerchantTable.save(merchant, at: moment, in: session) }
        }
    }
}
