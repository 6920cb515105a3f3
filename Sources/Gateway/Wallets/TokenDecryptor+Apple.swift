import AdapterKit
import Domain
import Storage
import StrictJSON
import WalletTokens

extension TokenDecryptor {
    /// The instrument that an Apple Pay token comes to; nil if it was refused.
    func openApple(
        _ token: EncryptedApplePay,
        at place: Place,
        _ decrypted: inout DecryptedDraft
    ) -> OrderDraft.Instrument? {
        do throws(TokenRefusal) {
            let payment: OpenedApplePay
            do throws(TokenRefusal) {
                payment = try self.payment(in: token)
            } catch  where mayPassOn(error, at: place) {
                return try passOn(token, at: place, &decrypted)
            }
            try check(payment, at: place)
            guard payment.payment.responses.isEmpty else { throw Self.bundleOnOneContext }
            var instrument = OrderDraft.Instrument(credential: .networkToken(try Self.networkToken(of: payment)))
            instrument.merchantToken = payment.payment.merchantTokenIdentifier.flatMap { name in
                TextRule.reference.allows(name) ? name : nil
            }
            decrypted.use(.init(wallet: "apple_pay", transaction: payment.transactionID, pointer: place.token))
            for merchant in place.merchants { decrypted.choices[merchant] = Self.details(of: payment) }
            return instrument
        } catch {
            decrypted.refuse(error, at: place.token, for: place.contexts)
            return nil
        }
    }

    /// Whether a token that none of our keys is for may go on unopened.
    private func mayPassOn(_ refusal: TokenRefusal, at place: Place) -> Bool {
        refusal.stage == .keySelection && place.merchants.contains(where: passesTokensOn)
    }

    /// Leaves a token closed for the PSP that it is encrypted for; it is used up all the same.
    private func passOn(
        _ token: EncryptedApplePay,
        at place: Place,
        _ decrypted: inout DecryptedDraft
    ) throws(TokenRefusal) -> OrderDraft.Instrument {
        let unopened = try ApplePayOpener.unopened(Array(token.paymentData.reveal().utf8))
        // The PSP refuses a token whose signature does not cover what is said here.
        try checkApplicationData(unopened.covers)
        let transaction = unopened.transactionID
        decrypted.use(.init(wallet: "apple_pay", transaction: transaction, pointer: place.token))
        for merchant in place.merchants {
            decrypted.choices[merchant] = [
                .init("wallet", .text("apple_pay")), .init("transaction_id", .text(transaction)),
                .init("passed_on", .text("unopened")),
            ]
        }
        return OrderDraft.Instrument(credential: .encryptedApplePay(token))
    }

    /// What an Apple Pay token holds, once every check of the wallet has passed.
    func payment(in token: EncryptedApplePay) throws(TokenRefusal) -> OpenedApplePay {
        guard let opener = openers.apple else { throw Self.notConfigured }
        return try opener.open(Array(token.paymentData.reveal().utf8), at: placement.now)
    }

    /// Checks that a token is for this order, and for whom its key says.
    func check(_ payment: OpenedApplePay, at place: Place) throws(TokenRefusal) {
        guard payment.payment.amount == place.amount else {
            throw TokenRefusal(
                .orderMismatch,
                "token_amount_mismatch",
                "the buyer authorized \(payment.payment.amount), and this asks for \(place.amount)"
            )
        }
        try checkApplicationData(payment.covers)
        try checkKey(of: payment, at: place)
    }

    /// The token names the checkout by the hash of what the payment request gave it.
    private func checkApplicationData(_ covers: (_ applicationData: [UInt8]) -> Bool) throws(TokenRefusal) {
        guard let request = placement.paymentRequest else { return }
        guard covers(Array(request.applicationData.utf8)) else {
            throw TokenRefusal(
                .orderMismatch,
                "application_data_mismatch",
                "the token was made for another checkout than this payment request"
            )
        }
    }

    /// The key that opened a token is the context's merchant's, or the marketplace's for a bundle.
    private func checkKey(of payment: OpenedApplePay, at place: Place) throws(TokenRefusal) {
        let own = place.merchants.first.flatMap { placement.merchants[$0]?.merchantIdentifier }
        guard let expected = own ?? placement.marketplaceIdentifier else {
            throw TokenRefusal(
                .orderMismatch,
                "merchant_identifier_missing",
                "neither the merchant nor the marketplace's own merchant has a merchant_identifier to hold the key against"
            )
        }
        guard payment.isEncrypted(for: expected) else {
            throw TokenRefusal(
                .orderMismatch,
                "token_merchant_mismatch",
                "the token is encrypted for another merchant identifier than \(expected)"
            )
        }
    }

    private func passesTokensOn(_ merchant: String) -> Bool {
        placement.merchants[merchant]?.routes.contains { $0.applePay == .passThrough } ?? false
    }

    /// What a PSP takes of a token with one cryptogram.
    private static func networkToken(of payment: OpenedApplePay) throws(TokenRefusal) -> NetworkToken {
        switch payment.payment.authentication {
        case .threeDSecure(let cryptogram?, let eci): return networkToken(of: payment, cryptogram: cryptogram, eci: eci)
        case .threeDSecure: throw TokenRefusal(.payload, "missing_cryptogram", "the token holds no cryptogram")
        case .emv: throw emvNotSupported
        }
    }

    /// What a PSP takes of a token, with this cryptogram.
    static func networkToken(of payment: OpenedApplePay, cryptogram: Secret, eci: String?) -> NetworkToken {
        NetworkToken(
            number: payment.payment.number,
            expiryMonth: payment.payment.expiration.month,
            expiryYear: payment.payment.expiration.year,
            cryptogram: cryptogram,
            eci: eci,
            source: .applePay
        )
    }

    /// What history tells of a token; nothing of the card.
    static func details(of payment: OpenedApplePay) -> [OrderEvent.Detail] {
        [
            .init("wallet", .text("apple_pay")), .init("transaction_id", .text(payment.transactionID)),
            .init("signed_at", .text(payment.signingTime.description)),
            .init("environment", .text(payment.environment.rawValue)),
        ]
    }

    static let emvNotSupported = TokenRefusal(
        .payload,
        "emv_not_supported",
        "the token holds EMV data of China UnionPay, which no PSP here takes"
    )

    private static let notConfigured = TokenRefusal(
        .keySelection,
        "apple_pay_not_configured",
        "the marketplace declares no apple_pay.processing_certificates, and no route of the merchant passes tokens on"
    )

    private static let bundleOnOneContext = TokenRefusal(
        .orderMismatch,
        "multi_merchant_token_on_one_context",
        "the token is the bundle of a multi-merchant sheet; it stands on an order of as many contexts"
    )
}
