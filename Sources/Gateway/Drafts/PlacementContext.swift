import Domain
import SQL
import Storage

/// What a draft is checked against, at a moment.
struct PlacementContext {
    let marketplace: String
    /// The Apple merchant identifier of the marketplace's own merchant, if it has one.
    var marketplaceIdentifier: String?
    /// The payment request that the draft names, if the marketplace has it.
    var paymentRequest: PaymentRequestTable.Entry?
    /// The agreement that the draft names, if the marketplace has it.
    var agreement: AgreementPlan?
    let merchants: [String: Merchant]
    let router: Router
    let settings: GatewaySettings
    /// The real time, which tokens and payment requests end by.
    let now: Timestamp
    /// The marketplace's clock.
    var clock = MarketplaceClock.unmoved

    /// What the marketplace's clock shows, by which the order lives.
    var time: Timestamp { clock.time(at: now) }

    /// What was read of the database.
    struct Reading {
        /// The order that the key made before, if it made one.
        let known: IdempotencyTable.Known?
        /// The marketplace; read only where wallet tokens may have to be opened, or the order be followed in Wallet.
        let tenant: MarketplaceTable.Marketplace?
        fileprivate let marketplace: String
        fileprivate let seller: PaymentRequestTable.Seller?
        fileprivate let paymentRequest: PaymentRequestTable.Entry?
        fileprivate let agreement: AgreementPlan?
        fileprivate let merchants: [Merchant]
        fileprivate let router: Router
        fileprivate let clock: MarketplaceClock

        /// The context at a moment.
        func context(settings: GatewaySettings, at now: Timestamp) -> PlacementContext {
            PlacementContext(
                marketplace: marketplace,
                marketplaceIdentifier: seller?.merchantIdentifier,
                paymentRequest: paymentRequest,
                agreement: agreement,
                merchants: Dictionary(uniqueKeysWithValues: merchants.map { ($0.externalIdentifier, $0) }),
                router: router,
                settings: settings,
                now: now,
                clock: clock
            )
        }
    }

    /// Reads everything that a draft is checked against, in one round trip.
    ///
    /// - Throws: `SQLError`.
    static func read(
        for draft: OrderDraft,
        under use: IdempotencyTable.Use,
        from database: any Database,
        with directory: PSPDirectory
    ) async throws -> Reading {
        let names = Array(Set(draft.contexts.map(\.externalIdentifier))).sorted()
        let request = draft.paymentRequest.map { [PaymentRequestTable.find($0, of: use.marketplace)] } ?? []
        let readsTenant = draft.hasToken || draft.walletOrder != nil
        let reading = try await database.read { session in
            let answers = try session.rows(
                [IdempotencyTable.find(use)] + MerchantTable.named(names, of: use.marketplace)
                    + [PSPAccountTable.all(of: use.marketplace)]
                    + (readsTenant ? [MarketplaceTable.named(use.marketplace)] : []) + request
            )
            let accounts = try PSPAccountTable.read(answers[3])
            // No order is placed where there is no account.
            let clock = try answers[3].first.map { row throws(SQLError) in try MarketplaceClock(row) }
            let reading = Reading(
                known: try IdempotencyTable.read(answers[0]),
                tenant: readsTenant ? try MarketplaceTable.read(answers[4]).first : nil,
                marketplace: use.marketplace,
                seller: readsTenant ? try PaymentRequestTable.seller(of: use.marketplace, in: session) : nil,
                paymentRequest: try request.isEmpty ? nil : PaymentRequestTable.read(answers[answers.count - 1]).first,
                agreement: try AgreementPlan(for: draft, of: use.marketplace, in: session),
                merchants: try MerchantTable.read(answers[1], answers[2]),
                router: Router(
                    accounts: Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) }),
                    capabilities: directory.capabilities
                ),
                clock: clock ?? .unmoved
            )
            return (reading: reading, accounts: accounts)
        }
        for account in reading.accounts { _ = try? directory.adapter(for: account) }
        return reading.reading
    }
}
