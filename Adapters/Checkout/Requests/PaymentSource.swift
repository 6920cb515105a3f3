import AdapterKit
import Domain
import StrictJSON

/// What pays, in a form that a payment takes.
struct PaymentSource {
    /// The member `source`.
    let json: JSON
    /// Whether the buyer can be asked to authenticate; a token of a wallet or a network is authenticated already.
    let asksBuyer: Bool
    /// The member `customer`, where the caller names whose the source is.
    var customer: JSON?

    /// A token or stored source of Checkout.com's that the caller had, and whose it is.
    init(pspToken: Secret, of customer: Secret?) {
        let token = pspToken.reveal()
        let isStored = token.hasPrefix("src_")
        json = isStored ? ["type": "id", "id": .string(token)] : ["type": "token", "token": .string(token)]
        asksBuyer = true
        self.customer = customer.map { ["id": .string($0.reveal())] }
    }

    /// A token made of a wallet's in an exchange before.
    init(walletToken: String) {
        json = ["type": "token", "token": .string(walletToken)]
        asksBuyer = false
    }

    /// A device or network token with its cryptogram; nil if Checkout.com does not name its network's token service.
    init?(networkToken token: NetworkToken) {
        guard let type = Self.type(of: token) else { return nil }
        json = .object(omittingAbsent: [
            "type": "network_token",
            "token": .string(token.number.reveal()),
            "token_type": .string(type),
            "expiry_month": .integer(Int64(token.expiryMonth)),
            "expiry_year": .integer(Int64(token.expiryYear)),
            "cryptogram": .string(token.cryptogram.reveal()),
            "eci": token.eci.map { .string(Self.twoDigits($0)) },
        ])
        asksBuyer = false
    }

    /// Visa's token service (VTS) for numbers that begin with 4, Mastercard's (MDES) for 2 and 5.
    private static func type(of token: NetworkToken) -> String? {
        switch token.source {
        case .applePay: return "applepay"
        case .googlePay: return "googlepay"
        case .network:
            switch token.number.reveal().first {
            case "4": return "vts"
            case "2", "5": return "mdes"
            default: return nil
            }
        }
    }

    /// Apple gives one digit for some networks; Checkout.com's examples have two.
    private static func twoDigits(_ eci: String) -> String { eci.utf8.count == 1 ? "0" + eci : eci }
}
