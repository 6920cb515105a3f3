import AdapterKit
import Domain
import Gateway
import SQL
import SQLiteDatabase
import Storage

/// A marketplace at the PSPs of a run: merchants with accounts of their own there and without, who all hear callbacks.
struct SimulatedMarket: Sendable {
    /// A merchant and the PSP that takes its payments.
    struct Shop: Sendable {
        /// The merchant's external identifier.
        let name: String
        /// The place of the PSP among those of the run.
        let place: Int
        /// The PSP, as the merchant is there.
        let twin: PSPTwin
    }

    static let marketplace = "travel"

    /// The merchants.
    let shops: [Shop]
    /// The PSPs.
    let twins: [PSPTwin]

    init(_ twins: [PSPTwin]) {
        self.twins = twins
        shops = twins.enumerated().flatMap { place, twin in
            let routed = (PSPTwin.payingMerchants + PSPTwin.payingMarketplace).filter { $0.dialect == twin.dialect }
            return [Shop(name: "shop-\(twin)", place: place, twin: twin)]
                + (place == 0 ? [Shop(name: "agency", place: place, twin: twin)] : [])
                + routed.enumerated().map { Shop(name: "payee-\(twin)-\($0.offset)", place: place, twin: $0.element) }
        }
    }

    /// The names in the books of the PSP in a place under which payments stand.
    func ledgers(of place: Int) -> [String] {
        Set(shops.filter { $0.place == place }.map(\.twin.ledger)).sorted()
    }

    /// Writes the marketplace, its accounts, merchants and endpoints.
    ///
    /// - Throws: `SQLError`.
    func write(in session: any Session, ids: IdentifierSource) throws {
        var ids = ids
        let moment = VirtualClock.start
        try MarketplaceTable.save(.init(id: Self.marketplace, name: "Travel"), at: moment, in: session)
        for account in accounts { try PSPAccountTable.save(account, in: session) }
        let merchants = shops.map { shop in merchant(shop, ids.make(at: moment)) }
        for merchant in merchants { try MerchantTable.save(merchant, at: moment, in: session) }
        for owner in [nil] + merchants.map({ Optional($0.id) }) {
            let endpoint = CallbackEndpoint(
                id: ids.make(at: moment),
                marketplace: Self.marketplace,
                merchant: owner,
                url: "https://hooks.example/",
                secrets: CallbackSecrets(.reference("env:SECRET")),
                createdAt: moment
            )
            try CallbackEndpointTable.save(endpoint, in: session)
        }
    }

    /// The marketplace's accounts at the PSPs.
    var accounts: [PSPAccount] { twins.enumerated().map { account(of: $0.element, at: $0.offset) } }

    /// The secret behind a reference that the accounts use.
    func secret(_ reference: String) -> Secret {
        let name = reference.dropFirst(4).split(separator: "/", maxSplits: 1)
        let twin = twins.first { "\($0)" == name.first ?? "" }
        return Secret(twin?.credentials[String(name.last ?? "")] ?? "")
    }

    private func account(of twin: PSPTwin, at place: Int) -> PSPAccount {
        PSPAccount(
            marketplace: Self.marketplace,
            id: "\(twin)",
            psp: "\(twin)",
            baseURL: SimulatedNetwork.url(of: place),
            credentials: Dictionary(uniqueKeysWithValues: twin.credentials.keys.map { ($0, "env:\(twin)/\($0)") }),
            updatedAt: VirtualClock.start
        )
    }

    private func merchant(_ shop: Shop, _ id: MerchantID) -> Merchant {
        let isAgency = shop.name == "agency"
        return Merchant(
            id: id,
            marketplace: Self.marketplace,
            externalIdentifier: shop.name,
            name: "Merchant \(shop.name)",
            kind: isAgency ? .marketplace : .merchant,
            // A fee of the PSP's own is not kept everywhere.
            commission: isAgency
                ? CommissionRule(pspFeesBorneBy: .marketplace) : CommissionRule(basisPoints: 1000),
            routes: [
                Merchant.Route(
                    pspAccount: "\(shop.twin)",
                    merchantAccount: shop.twin.merchantAccount,
                    settlesTo: shop.twin.settlesTo,
                    commissionBy: shop.twin.commissionBy
                )
            ]
        )
    }
}
