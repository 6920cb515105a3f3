import AdapterKit
import Domain
import StrictJSON
import WalletTokens

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
