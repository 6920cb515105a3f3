import AdapterKit
import Domain
import Storage
import StrictJSON
import WalletTokens

/// Opens the wallet tokens of a draft, and checks that each is for this order.
///
/// Pure: what opens tokens, the merchants, the payment request and the time are handed in. A token that is not for
/// one of our keys stays closed where a route of its merchant passes tokens on unopened.
struct DraftOpener {
    let openers: WalletOpeners
    let ground: PlacementContext

    /// What became of a draft.
    enum Result {
        /// Everything is open, or refused.
        case ready(OpenedDraft)
        /// The token is the bundle of a multi-merchant sheet: its responses have yet to be matched to the contexts.
        case bundle(TokenBundle, OpenedDraft)
    }

    /// Opens what a draft has.
    func open(_ draft: OrderDraft) -> Result {
        var opened = OpenedDraft(draft)
        if let shared = draft.payment {
            return draft.contexts.count == 1 ? single(shared, &opened) : several(shared, &opened)
        }
        for index in draft.contexts.indices {
            guard let instrument = draft.contexts[index].payment else { continue }
            let place = Place(
                pointer: JSONPointer.root.appending("contexts").appending(index).appending("payment"),
                amount: draft.contexts[index].amount,
                contexts: [index],
                merchants: [draft.contexts[index].externalIdentifier]
            )
            opened.draft.contexts[index].payment = open(instrument, at: place, &opened)
        }
        return .ready(opened)
    }

    /// Where a token stands, and what it has to be for.
    struct Place {
        let pointer: JSONPointer
        let amount: Money
        let contexts: [Int]
        let merchants: [String]

        var token: JSONPointer { pointer.appending("token") }
    }

    private func single(_ shared: OrderDraft.Instrument, _ opened: inout OpenedDraft) -> Result {
        let place = Place(
            pointer: JSONPointer.root.appending("payment"),
            amount: opened.draft.amount,
            contexts: [0],
            merchants: opened.draft.contexts.map(\.externalIdentifier)
        )
        opened.draft.payment = open(shared, at: place, &opened)
        return .ready(opened)
    }

    /// On an order of several contexts only the bundle of a multi-merchant sheet will do, and only we open it.
    private func several(_ shared: OrderDraft.Instrument, _ opened: inout OpenedDraft) -> Result {
        guard case .credential(.encryptedApplePay(let token)) = shared.means else { return .ready(opened) }
        let place = Place(
            pointer: JSONPointer.root.appending("payment"),
            amount: opened.draft.amount,
            contexts: Array(opened.draft.contexts.indices),
            merchants: []
        )
        do throws(TokenRefusal) {
            let payment = try payment(in: token)
            guard !payment.payment.responses.isEmpty else { return .ready(opened) }
            try check(payment, at: place)
            if case .emv = payment.payment.authentication { throw Self.emvNotSupported }
            opened.use(.init(wallet: "apple_pay", transaction: payment.transactionID, pointer: place.token))
            return .bundle(TokenBundle(payment, contexts: bundleContexts(of: opened.draft)), opened)
        } catch {
            opened.refuse(error, at: place.token, for: place.contexts)
            opened.draft.payment = nil
            return .ready(opened)
        }
    }

    private func open(
        _ instrument: OrderDraft.Instrument,
        at place: Place,
        _ opened: inout OpenedDraft
    ) -> OrderDraft.Instrument? {
        let found: OrderDraft.Instrument? =
            switch instrument.means {
            case .credential(.encryptedApplePay(let token)): openApple(token, at: place, &opened)
            case .googlePay(let token): openGoogle(token, at: place, &opened)
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
            let merchant = ground.merchants[context.externalIdentifier]
            let routes = merchant?.routes ?? []
            return BundleContext(
                position: index,
                externalIdentifier: context.externalIdentifier,
                merchantIdentifier: merchant?.merchantIdentifier ?? ground.marketplaceIdentifier,
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

extension DraftOpener {
    /// The instrument that a Google Pay token comes to; nil if it was refused.
    func openGoogle(_ token: Secret, at place: Place, _ opened: inout OpenedDraft) -> OrderDraft.Instrument? {
        do throws(TokenRefusal) {
            guard let opener = openers.google else { throw Self.googleNotConfigured }
            let payment = try opener.open(
                Array(token.reveal().utf8),
                at: ground.now,
                gatewayMerchantIdentifier: openers.gatewayMerchantIdentifier
            )
            guard case .cryptogram(let cryptogram, let eci) = payment.card.authentication else {
                throw Self.numberOnly
            }
            opened.use(.init(wallet: "google_pay", transaction: payment.messageIdentifier, pointer: place.token))
            let details: [OrderEvent.Detail] = [
                .init("wallet", .text("google_pay")), .init("message_id", .text(payment.messageIdentifier)),
            ]
            for merchant in place.merchants { opened.choices[merchant] = details }
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
            opened.refuse(error, at: place.token, for: place.contexts)
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
