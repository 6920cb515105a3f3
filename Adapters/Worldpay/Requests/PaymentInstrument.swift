import AdapterKit
import Domain
import StrictJSON

/// What pays, as Worldpay writes it.
struct PaymentInstrument {
    /// `card`, `applepay` or `googlepay`.
    var method: String
    /// `instruction.paymentInstrument`.
    var json: JSON
    /// Whether it is a card that the buyer has stored, which the card schemes want to be told.
    var isStored = false

    /// Writes a credential; nil if it is a token that is none of Worldpay's.
    init?(_ credential: Credential) {
        switch credential {
        case .encryptedApplePay(let token):
            method = "applepay"
            json = ["type": "encrypted", "walletToken": .string(token.paymentData.reveal())]
        case .networkToken(let token):
            method = Self.method(token.source)
            json = Self.json(token)
        case .pspToken(let token, _):
            guard let json = Self.json(token.reveal()) else { return nil }
            method = "card"
            self.json = json
            isStored = json["type"] == "token"
        }
    }

    private static func method(_ source: NetworkToken.Source) -> String {
        switch source {
        case .applePay: "applepay"
        case .googlePay: "googlepay"
        case .network: "card"
        }
    }

    /// A wallet's opened token names its number differently from a card network's own.
    private static func json(_ token: NetworkToken) -> JSON {
        let isNetwork = token.source == .network
        return .object(omittingAbsent: [
            "type": .string(isNetwork ? "networkToken" : "decrypted"),
            (isNetwork ? "tokenNumber" : "number"): .string(token.number.reveal()),
            "expiryDate": ["month": .integer(Int64(token.expiryMonth)), "year": .integer(Int64(token.expiryYear))],
            "cryptogram": .string(token.cryptogram.reveal()),
            "eci": token.eci.map { .string($0.utf8.count == 1 ? "0" + $0 : $0) },
        ])
    }

    /// A session of Worldpay's client library, or a stored card by its link or identifier.
    private static func json(_ token: String) -> JSON? {
        if token.hasPrefix("https://") {
            if token.contains("/sessions/") { return ["type": "checkout", "sessionHref": .string(token)] }
            return token.contains("/tokens/") ? ["type": "token", "href": .string(token)] : nil
        }
        let isIdentifier = token.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "I"), UInt8(ascii: "O"): false
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            default: false
            }
        }
        return isIdentifier && 15...21 ~= token.utf8.count ? ["type": "token", "tokenId": .string(token)] : nil
    }
}
