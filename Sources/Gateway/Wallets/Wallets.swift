import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON
import WalletTokens

/// Opens the wallet tokens of drafts, with what is known of the hashes in bundles.
struct Wallets: Sendable {
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
        on placement: PlacementContext
    ) async throws -> DecryptedDraft {
        guard draft.hasToken, let marketplace else { return DecryptedDraft(draft) }
        let decryptor = TokenDecryptor(openers: try catalog.openers(for: marketplace), placement: placement)
        switch decryptor.open(draft) {
        case .ready(let decrypted): return decrypted
        case .bundle(let bundle, let decrypted): return try await assign(bundle, decrypted, placement)
        }
    }

    private func assign(
        _ bundle: TokenBundle,
        _ decrypted: DecryptedDraft,
        _ placement: PlacementContext
    ) async throws -> DecryptedDraft {
        let marketplace = placement.marketplace
        let rows = try await database.read { session in
            try MerchantHashTable.find(bundle.hashes, of: marketplace, in: session)
        }
        var decrypted = decrypted
        do throws(TokenRefusal) {
            try bundle.assign(to: &decrypted, knowing: rows)
            return decrypted
        } catch {
            let place = JSONPointer.root.appending("payment").appending("token")
            decrypted.refuse(error, at: place, for: decrypted.draft.contexts.indices)
            decrypted.draft.payment = nil
            try await remember(bundle, knowing: rows, refusedFor: error.code, of: marketplace, at: placement.now)
            return decrypted
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
                try bundle.observedHashes.record(of: marketplace, at: now, in: session)
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

/// The opened token of a multi-merchant sheet beside the contexts of its order.
struct TokenBundle {
    private let payment: OpenedApplePay
    private let contexts: [BundleContext]
    private let responses: [BundleResponse]

    init(_ payment: OpenedApplePay, contexts: [BundleContext]) {
        self.payment = payment
        self.contexts = contexts
        responses = payment.payment.responses
    }

    /// The hashes in it.
    var hashes: [String] { responses.map(\.merchantHash) }

    /// Each hash with the merchant identifiers that its amount allows.
    var observedHashes: [DecryptedDraft.ObservedHash] {
        responses.map { response in
            let allowed = contexts.filter { $0.amount == response.amount }.compactMap(\.merchantIdentifier)
            return DecryptedDraft.ObservedHash(hash: response.merchantHash, merchants: Set(allowed).sorted())
        }
    }

    /// The hashes that are confirmed to be of a merchant whose amount theirs is not; all where that is not what is wrong.
    func contradicted(among rows: [MerchantHashTable.Entry]) -> [String] {
        let wrong = observedHashes.filter { observed in
            rows.contains { row in
                row.hash == observed.hash && row.state == .confirmed
                    && !observed.merchants.contains(row.merchantIdentifier)
            }
        }
        return wrong.isEmpty ? hashes : wrong.map(\.hash)
    }

    /// Gives every context of the draft its own response.
    ///
    /// - Throws: `TokenRefusal` if there is a choice that matters and nothing decides it, or if what is known of the
    ///   hashes contradicts the amounts.
    func assign(to decrypted: inout DecryptedDraft, knowing rows: [MerchantHashTable.Entry]) throws(TokenRefusal) {
        let match = try BundleMatcher.match(responses, to: contexts, knowing: rows.map(MerchantHash.init))
        let network = decrypted.draft.payment?.network
        decrypted.draft.payment = nil
        decrypted.observedHashes = observedHashes
        for (index, choice) in match.choices.enumerated() {
            let response = responses[choice.response]
            let token = TokenDecryptor.networkToken(of: payment, cryptogram: response.cryptogram, eci: payment.eci)
            decrypted.draft.contexts[index].payment = OrderDraft.Instrument(
                credential: .networkToken(token),
                network: network
            )
            decrypted.choices[contexts[index].externalIdentifier] =
                TokenDecryptor.details(of: payment) + [
                    .init("merchant_hash", .text(response.merchantHash)),
                    .init("chosen_by", .text(choice.reason.rawValue)),
                ]
        }
    }
}

extension OpenedApplePay {
    /// The electronic commerce indicator, which every cryptogram of a bundle shares.
    fileprivate var eci: String? {
        if case .threeDSecure(_, let eci) = payment.authentication { eci } else { nil }
    }
}

extension MerchantHash {
    fileprivate init(_ entry: MerchantHashTable.Entry) {
        let state: State =
            switch entry.state {
            case .recorded: .recorded
            case .confirmed: .confirmed
            case .rejected: .rejected
            }
        self.init(hash: entry.hash, merchantIdentifier: entry.merchantIdentifier, state: state)
    }
}
