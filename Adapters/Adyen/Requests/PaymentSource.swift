import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// What pays, as the members of a payment request that say so.
///
/// Sources: Adyen's OpenAPI file of Checkout v72 for the members; for tokens that we opened also public integrations
/// that run against Adyen, because Adyen's own example was not to be had.
struct PaymentSource {
    /// `paymentMethod`.
    var method: JSON
    /// `mpiData`: the cryptogram and its indicator.
    var authentication: JSON?
    /// What `additionalData` says of the wallet.
    var additionalData: [(String, String)] = []
    /// The shopper that a stored payment method belongs to.
    var shopper: String?

    /// Writes a credential; nil if it is not in the form that Adyen's are written in.
    init?(_ credential: Credential) {
        switch credential {
        case .encryptedApplePay(let token): self.init(token)
        case .networkToken(let token): self.init(token)
        case .pspToken(let token, nil): self.init(stored: token.reveal())
        case .pspToken(let token, let customer?): self.init(stored: token.reveal(), of: customer.reveal())
        }
    }

    private init(_ token: EncryptedApplePay) {
        let data = Base64.encode(Array(token.paymentData.reveal().utf8))
        method = ["type": "applepay", "applePayToken": .string(data)]
    }

    private init(_ token: NetworkToken) {
        let isNetworkToken = token.source == .network
        method = [
            "type": isNetworkToken ? "networkToken" : "scheme",
            "number": .string(token.number.reveal()),
            "expiryMonth": .string(token.expiryMonth < 10 ? "0\(token.expiryMonth)" : "\(token.expiryMonth)"),
            "expiryYear": .string("\(token.expiryYear)"),
        ]
        authentication = .object([
            JSON.Member("authenticationResponse", "Y"), JSON.Member("directoryResponse", "Y"),
            JSON.Member(
                isNetworkToken ? "tokenAuthenticationVerificationValue" : "cavv",
                .string(token.cryptogram.reveal())
            ),
            JSON.Member("eci", .string(Self.indicator(token.eci))),
        ])
        switch token.source {
        case .applePay: additionalData = [("paymentdatasource.type", "applepay")]
        case .googlePay:
            additionalData = [("paymentdatasource.type", "googlepay"), ("paymentdatasource.tokenized", "true")]
        case .network: break
        }
    }

    /// A stored payment method, `<shopperReference>/<storedPaymentMethodId>`: Adyen wants to be told both.
    private init?(stored token: String) {
        guard let slash = token.lastIndex(of: "/") else { return nil }
        self.init(stored: String(token[token.index(after: slash)...]), of: String(token[..<slash]))
    }

    /// A stored payment method of a shopper.
    private init?(stored identifier: String, of shopper: String) {
        guard 3...256 ~= shopper.unicodeScalars.count, 1...64 ~= identifier.unicodeScalars.count,
            !identifier.contains("/")
        else { return nil }
        method = ["type": "scheme", "storedPaymentMethodId": .string(identifier)]
        self.shopper = shopper
    }

    /// Two digits; `07` where the wallet gives none, as the integrations do that run against Adyen.
    private static func indicator(_ eci: String?) -> String {
        guard let eci, !eci.isEmpty else { return "07" }
        return eci.utf8.count == 1 ? "0" + eci : eci
    }
}
