import AdapterKit
import Domain
import Storage
import WalletTokens

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
    var sightings: [OpenedDraft.Sighting] {
        responses.map { response in
            let allowed = contexts.filter { $0.amount == response.amount }.compactMap(\.merchantIdentifier)
            return OpenedDraft.Sighting(hash: response.merchantHash, merchants: Set(allowed).sorted())
        }
    }

    /// The hashes that are confirmed to be of a merchant whose amount theirs is not; all where that is not what is wrong.
    func contradicted(among rows: [MerchantHashTable.Entry]) -> [String] {
        let wrong = sightings.filter { sighting in
            rows.contains { row in
                row.hash == sighting.hash && row.state == .confirmed
                    && !sighting.merchants.contains(row.merchantIdentifier)
            }
        }
        return wrong.isEmpty ? hashes : wrong.map(\.hash)
    }

    /// Gives every context of the draft its own response.
    ///
    /// - Throws: `TokenRefusal` if there is a choice that matters and nothing decides it, or if what is known of the
    ///   hashes contradicts the amounts.
    func assign(to opened: inout OpenedDraft, knowing rows: [MerchantHashTable.Entry]) throws(TokenRefusal) {
        let match = try BundleMatcher.match(responses, to: contexts, knowing: rows.map(MerchantHash.init))
        let network = opened.draft.payment?.network
        opened.draft.payment = nil
        opened.sightings = sightings
        for (index, choice) in match.choices.enumerated() {
            let response = responses[choice.response]
            let token = DraftOpener.networkToken(of: payment, cryptogram: response.cryptogram, eci: payment.eci)
            opened.draft.contexts[index].payment = OrderDraft.Instrument(
                credential: .networkToken(token),
                network: network
            )
            opened.choices[contexts[index].externalIdentifier] =
                DraftOpener.details(of: payment) + [
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
