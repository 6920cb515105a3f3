import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON
import WalletTokens

/// Opens the wallet tokens of drafts, with what is known of the hashes in bundles.
struct WalletDesk: Sendable {
    private let database: any Database
    private let catalog: WalletCatalog

    init(database: any Database, clock: any GatewayClock, ports: WalletPorts) {
        self.database = database
        catalog = WalletCatalog(ports, clock: clock)
    }

    /// Opens what a draft has.
    ///
    /// - Throws: `SQLError`, or ``UnusableWallet`` if the marketplace's declaration cannot be used.
    func open(
        _ draft: OrderDraft,
        of marketplace: MarketplaceTable.Marketplace?,
        on ground: PlacementContext
    ) async throws -> OpenedDraft {
        guard draft.hasToken, let marketplace else { return OpenedDraft(draft) }
        let opener = DraftOpener(openers: try catalog.openers(for: marketplace), ground: ground)
        switch opener.open(draft) {
        case .ready(let opened): return opened
        case .bundle(let bundle, let opened): return try await assign(bundle, opened, ground)
        }
    }

    private func assign(
        _ bundle: TokenBundle,
        _ opened: OpenedDraft,
        _ ground: PlacementContext
    ) async throws -> OpenedDraft {
        let marketplace = ground.marketplace
        let rows = try await database.read { session in
            try MerchantHashTable.find(bundle.hashes, of: marketplace, in: session)
        }
        var opened = opened
        do throws(TokenRefusal) {
            try bundle.assign(to: &opened, knowing: rows)
            return opened
        } catch {
            let place = JSONPointer.root.appending("payment").appending("token")
            opened.refuse(error, at: place, for: opened.draft.contexts.indices)
            opened.draft.payment = nil
            try await remember(bundle, knowing: rows, refusedFor: error.code, of: marketplace, at: ground.now)
            return opened
        }
    }

    /// What a refused bundle teaches is kept, though no order is placed: an operator decides what it means.
    private func remember(
        _ bundle: TokenBundle,
        knowing rows: [MerchantHashTable.Entry],
        refusedFor code: String,
        of marketplace: String,
        at now: Timestamp
    ) async throws {
        switch code {
        case BundleMatcher.ambiguityCode:
            try await database.write { session in
                try bundle.sightings.record(of: marketplace, at: now, in: session)
            }
        case BundleMatcher.contradictionCode:
            try await database.write { session in
                try MerchantHashTable.contradict(
                    bundle.contradicted(among: rows),
                    of: marketplace,
                    at: now,
                    in: session
                )
            }
        default: break
        }
    }
}

extension OrderDraft {
    /// Whether anything of it has to be opened.
    var hasToken: Bool {
        ([payment] + contexts.map(\.payment)).compactMap(\.self).contains { instrument in
            instrument.credential == nil || instrument.credential?.kind == .encryptedApplePay
        }
    }
}
