import AdapterKit
import Domain
import Storage
import StrictJSON
import WalletTokens

/// Opens the wallet tokens of a draft, and checks that each is for this order.
///
/// Pure: what opens tokens, the merchants, the payment request and the time are handed in. A token that is not for
/// one of our keys stays closed where a route of its merchant passes tokens on unopened.
struct TokenDecryptor {
    let openers: WalletOpeners
    let placement: PlacementContext

    /// What became of a draft.
    enum Result {
        /// Everything is open, or refused.
        case ready(DecryptedDraft)
        /// The token is the bundle of a multi-merchant sheet: its responses have yet to be matched to the contexts.
        case bundle(TokenBundle, DecryptedDraft)
    }

    /// Opens what a draft has.
    func open(_ draft: OrderDraft) -> Result {
        var decrypted = DecryptedDraft(draft)
        if let shared = draft.payment {
            return draft.contexts.count == 1 ? single(shared, &decrypted) : several(shared, &decrypted)
        }
        for index in draft.contexts.indices {
            guard let instrument = draft.contexts[index].payment else { continue }
            let place = Place(
                pointer: JSONPointer.root.appending("contexts").appending(index).appending("payment"),
                amount: draft.contexts[index].amount,
                contexts: [index],
                merchants: [draft.contexts[index].externalIdentifier]
            )
            decrypted.draft.contexts[index].payment = open(instrument, at: place, &decrypted)
        }
        return .ready(decrypted)
    }

    /// Where a token stands, and what it has to be for.
    struct Place {
        let pointer: JSONPointer
        let amount: Money
        let contexts: [Int]
        let merchants: [String]

        var token: JSONPointer { pointer.appending("token") }
    }

    private func single(_ shared: OrderDraft.Instrument, _ decrypted: inout DecryptedDraft) -> Result {
        let place = Place(
            pointer: JSONPointer.root.appending("payment"),
            amount: decrypted.draft.amount,
            contexts: [0],
            merchants: decrypted.draft.contexts.map(\.externalIdentifier)
        )
        decrypted.draft.payment = open(shared, at: place, &decrypted)
        return .ready(decrypted)
    }

    /// On an order of several contexts only the bundle of a multi-merchant sheet will do, and only we open it.
    private func several(_ shared: OrderDraft.Instrument, _ decrypted: inout DecryptedDraft) -> Result {
        guard case .credential(.encryptedApplePay(let token)) = shared.means else { return .ready(decrypted) }
        let place = Place(
            pointer: JSONPointer.root.appending("payment"),
            amount: decrypted.draft.amount,
            contexts: Array(decrypted.draft.contexts.indices),
            merchants: []
        )
        do throws(TokenRefusal) {
            let payment = try payment(in: token)
            guard !payment.payment.responses.isEmpty else { return .ready(decrypted) }
            try check(payment, at: place)
            if case .emv = payment.payment.authentication { throw Self.emvNotSupported }
            decrypted.use(.init(wallet: "apple_pay", transaction: payment.transactionID, pointer: place.token))
            return .bundle(TokenBundle(payment, contexts: bundleContexts(of: decrypted.draft)), decrypted)
        } catch {
            decrypted.refuse(error, at: place.token, for: place.contexts)
            decrypted.draft.payment = nil
            return .ready(decrypted)
        }
    }

    private func open(
        _ instrument: OrderDraft.Instrument,
        at place: Place,
        _ decrypted: inout DecryptedDraft
    ) -> OrderDraft.Instrument? {
        let found: OrderDraft.Instrument? =
            switch instrument.means {
            case .credential(.encryptedApplePay(let token)): openApple(token, at: place, &decrypted)
            case .googlePay(let token): openGoogle(token, at: place, &decrypted)
            case .credential: nil
            }
        guard var found else { return instrument }
        // What is encrypted does not say the network; what stands beside it does.
        found.network = instrument.network
        return found
    }

    /// The contexts as the matching wants them.
    private func bundleContexts(of draft: OrderDraft) -> [BundleContext] {
        draft.contexts.enumerated().map { index, context in
            let merchant = placement.merchants[context.externalIdentifier]
            let routes = merchant?.routes ?? []
            return BundleContext(
                position: index,
                externalIdentifier: context.externalIdentifier,
                merchantIdentifier: merchant?.merchantIdentifier ?? placement.marketplaceIdentifier,
                amount: context.amount.minorUnits,
                // Alike only if every route that may be taken is.
                settlement: .init(
                    pspAccount: routes.map(\.pspAccount).joined(separator: ","),
                    merchantAccount: routes.map { $0.merchantAccount ?? "" }.joined(separator: ",")
                )
            )
        }
    }
}

extension TokenDecryptor {
    /// The instrument that a Google Pay token comes to; nil if it was refused.
    func openGoogle(_ token: Secret, at place: Place, _ decrypted: inout DecryptedDraft) -> OrderDraft.Instrument? {
        do throws(TokenRefusal) {
            guard let opener = openers.google else { throw Self.googleNotConfigured }
            let payment = try opener.open(
                Array(token.reveal().utf8),
                at: placement.now,
                gatewayMerchantIdentifier: openers.gatewayMerchantIdentifier
            )
            guard case .cryptogram(let cryptogram, let eci) = payment.card.authentication else {
                throw Self.numberOnly
            }
            decrypted.use(.init(wallet: "google_pay", transaction: payment.messageIdentifier, pointer: place.token))
            let details: [OrderEvent.Detail] = [
                .init("wallet", .text("google_pay")), .init("message_id", .text(payment.messageIdentifier)),
            ]
            for merchant in place.merchants { decrypted.choices[merchant] = details }
            return OrderDraft.Instrument(
                credential: .networkToken(
                    NetworkToken(
                        number: payment.card.number,
                        expiryMonth: payment.card.expirationMonth,
                        expiryYear: payment.card.expirationYear,
                        cryptogram: cryptogram,
                        eci: eci,
                        source: .googlePay
                    )
                )
            )
        } catch {
            decrypted.refuse(error, at: place.token, for: place.contexts)
            return nil
        }
    }

    private static let googleNotConfigured = TokenRefusal(
        .keySelection,
        "google_pay_not_configured",
        "the marketplace declares no google_pay keys"
    )

    private static let numberOnly = TokenRefusal(
        .payload,
        "pan_only_not_supported",
        "the token holds a card's own number; ask Google Pay for CRYPTOGRAM_3DS only"
    )
}
