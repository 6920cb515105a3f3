import AdapterKit
import Domain
import Gateway
import StrictJSON

/// Reads what pays.
///
/// Nothing of it appears in a violation.
enum InstrumentReader {
    static func instrument(_ body: ObjectReader) -> OrderDraft.Instrument? {
        switch body.string("type", oneOf: ["psp_token", "network_token", "apple_pay", "google_pay"]) {
        case "psp_token": pspToken(body)
        case "network_token": networkToken(body)
        case "apple_pay": applePay(body).map { OrderDraft.Instrument(credential: .encryptedApplePay($0)) }
        case "google_pay": googlePay(body)
        default: ignored(body)
        }
    }

    /// What a kind that is not known would be made of, nobody can say.
    private static func ignored(_ body: ObjectReader) -> OrderDraft.Instrument? {
        for key in body.keys { body.ignore(key) }
        return nil
    }

    private static func pspToken(_ body: ObjectReader) -> OrderDraft.Instrument? {
        let token = body.string("token", length: 1...500, by: TextRule.reference.accept)
        let customer = body.string("customer", .optional, length: 1...256, by: TextRule.reference.accept)
        let account = body.string("psp_account", length: 1...64, by: TextRule.slug.accept)
        guard let token, let account else { return nil }
        let credential = Credential.pspToken(Secret(token), customer: customer.map { Secret($0) })
        return OrderDraft.Instrument(credential: credential, pspAccount: account)
    }

    /// The card's network as the wallet's sheet or the caller names it.
    private static func network(_ body: ObjectReader) -> CardNetwork? {
        body.parsed(
            "network",
            .optional,
            expecting: "one of \(CardNetwork.names.joined(separator: ", "))",
            CardNetwork.init(named:)
        )
    }

    private static func networkToken(_ body: ObjectReader) -> OrderDraft.Instrument? {
        let number = body.parsed("number", expecting: "12 to 19 digits", digits(12...19))
        let month = body.integer("expiry_month", in: 1...12)
        let year = body.integer("expiry_year", in: 2000...2099)
        let cryptogram = body.string("cryptogram", length: 1...200, by: TextRule.reference.accept)
        let eci = body.parsed("eci", .optional, expecting: "one or two digits", digits(1...2))
        let source = body.string("source", .optional, oneOf: ["apple_pay", "google_pay", "network"])
        let network = network(body)
        guard let number, let month, let year, let cryptogram else { return nil }
        let token = NetworkToken(
            number: Secret(number),
            expiryMonth: Int(month),
            expiryYear: Int(year),
            cryptogram: Secret(cryptogram),
            eci: eci,
            source: source.flatMap(NetworkToken.Source.init(rawValue:)) ?? .network
        )
        return OrderDraft.Instrument(credential: .networkToken(token), network: network)
    }

    /// The wallet's token in any of the shapes seen: bare `paymentData`, or wrapped once or twice.
    private static func applePay(_ body: ObjectReader) -> EncryptedApplePay? {
        guard let token = body.value("token") else { return nil }
        let outer = token["token"] ?? token
        let data = outer["paymentData"] ?? outer
        guard data["data"]?.stringValue != nil, data["signature"]?.stringValue != nil,
            data["header"]?.objectValue != nil, data["version"]?.stringValue != nil
        else {
            body.refuse(
                "token",
                "not_allowed",
                "Must be an Apple Pay token: paymentData with version, data, signature, header."
            )
            return nil
        }
        let method = outer["paymentMethod"]
        return EncryptedApplePay(
            paymentData: Secret(data.text),
            displayName: method?["displayName"]?.stringValue,
            network: method?["network"]?.stringValue,
            transactionIdentifier: outer["transactionIdentifier"]?.stringValue
        )
    }

    /// Google Pay's token: the object, or the string that Google's own libraries hand over.
    private static func googlePay(_ body: ObjectReader) -> OrderDraft.Instrument? {
        let network = network(body)
        guard let token = body.value("token") else { return nil }
        if let text = token.stringValue, !text.isEmpty {
            return OrderDraft.Instrument(googlePay: Secret(text), network: network)
        }
        if token.objectValue != nil { return OrderDraft.Instrument(googlePay: Secret(token.text), network: network) }
        body.refuse("token", "not_allowed", "Must be a Google Pay token: the tokenizationData's token.")
        return nil
    }

    private static func digits(_ length: ClosedRange<Int>) -> (String) -> String? {
        { text in
            let isDigits = text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            return isDigits && length.contains(text.utf8.count) ? text : nil
        }
    }
}
