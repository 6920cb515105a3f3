import StrictJSON
import WireFormats

/// What pays, as `instruction.paymentInstrument` says it.
struct WorldpayInstrument: Sendable {
    let method: PaymentMethod
    /// What answers call it.
    let name: String

    private static let path = "$.instruction.paymentInstrument"
    private static let types: [String: Set<String>] = [
        "card": ["plain", "networkToken", "checkout", "delegate", "token"],
        "applepay": ["encrypted", "decrypted"], "googlepay": ["encrypted", "decrypted"],
    ]

    /// Reads the instrument of an instruction that is otherwise as it should be.
    ///
    /// - Throws: ``Refusal`` that repeats nothing secret.
    init(_ instruction: JSON) throws(Refusal) {
        let method = instruction["method"]?.stringValue ?? ""
        guard let instrument = instruction["paymentInstrument"], instrument.objectValue != nil else {
            throw WorldpayField.violation("fieldMustBeObject", Self.path)
        }
        guard let type = instrument["type"] else { throw Self.missing("type") }
        guard let type = type.stringValue, Self.types[method]?.contains(type) == true,
            let field = WorldpayField.instruments[type]
        else { throw Self.wrong("type") }
        try field.check(instrument, at: Self.path)
        switch type {
        case "plain":
            self.init(.networkToken(try Self.digest("cardNumber", instrument)), "card/plain+masked")
        case "decrypted":
            self.init(.networkToken(try Self.digest("number", instrument)), "card/wallet+\(method)")
        case "networkToken":
            if instrument["cryptogram"] == nil, instruction["customerAgreement"] == nil {
                throw Self.missing("cryptogram")
            }
            self.init(.networkToken(try Self.digest("tokenNumber", instrument)), "card/network+masked")
        case "encrypted": self.init(try Self.wallet(instrument, of: method), "card/wallet+\(method)")
        case "token":
            guard let href = instrument["href"]?.stringValue else {
                throw instrument["tokenId"] == nil ? Self.missing("href") : Self.wrong("tokenId")
            }
            self.init(Self.token(href), "card/plain+masked")
        default: self.init(Self.token(instrument["sessionHref"]?.stringValue ?? ""), "card/plain+masked")
        }
    }

    private init(_ method: PaymentMethod, _ name: String) {
        self.method = method
        self.name = name
    }

    private static func digest(_ name: String, _ instrument: JSON) throws(Refusal) -> NetworkTokenDigest {
        guard let month = instrument["expiryDate"]?["month"]?.integerValue,
            let year = instrument["expiryDate"]?["year"]?.integerValue,
            let number = instrument[name]?.stringValue,
            let digest = NetworkTokenDigest(number: number, expiryMonth: month, expiryYear: year)
        else { throw wrong(name) }
        return digest
    }

    /// The wallet's token is its JSON as text.
    private static func wallet(_ instrument: JSON, of method: String) throws(Refusal) -> PaymentMethod {
        guard let text = instrument["walletToken"]?.stringValue, let wallet = try? JSON.parse(text: text),
            wallet[method == "applepay" ? "data" : "signedMessage"] != nil, let found = WalletData.method(wallet)
        else { throw wrong("walletToken") }
        return found
    }

    /// A token's or a session's link stands for the token of the simulator that its last segment is.
    private static func token(_ href: String) -> PaymentMethod {
        let segment = href.split(separator: "/").last ?? ""
        return .token(PercentEncoding.text(segment) ?? "")
    }

    private static func missing(_ name: String) -> Refusal {
        WorldpayField.violation("fieldIsMissing", "\(path).\(name)")
    }

    private static func wrong(_ name: String) -> Refusal {
        WorldpayField.violation("fieldHasInvalidValue", "\(path).\(name)")
    }
}
