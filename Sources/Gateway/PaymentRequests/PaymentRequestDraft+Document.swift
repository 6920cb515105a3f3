import Domain
import StrictJSON

extension PaymentRequestDraft {
    /// The draft as JSON text, for one column.
    var document: String {
        JSON.object(omittingAbsent: [
            "amount": .integer(amount.minorUnits), "currency": .string(amount.currency.code),
            "residual": acceptsResidual ? "uncharged" : nil, "country": .string(country),
            "label": label.map(JSON.string), "contexts": contexts.map { .array($0.map(\.json)) },
            "supported_networks": .strings(supportedNetworks),
            "merchant_capabilities": .strings(merchantCapabilities),
        ]).text
    }

    /// Reads a draft back; nil for what ``document`` does not write.
    init?(document: String) {
        guard let json = try? JSON.parse(text: document), let units = json["amount"]?.integerValue,
            let currency = json["currency"]?.stringValue.flatMap(Currency.init(code:)),
            let amount = try? Money(minorUnits: units, currency: currency),
            let country = json["country"]?.stringValue
        else { return nil }
        self.init(
            amount: amount,
            acceptsResidual: json["residual"] == "uncharged",
            country: country,
            label: json["label"]?.stringValue,
            contexts: json["contexts"]?.arrayValue.map { $0.compactMap(Context.init(json:)) },
            supportedNetworks: (json["supported_networks"]?.arrayValue ?? []).compactMap(\.stringValue),
            merchantCapabilities: (json["merchant_capabilities"]?.arrayValue ?? []).compactMap(\.stringValue)
        )
    }
}

extension PaymentRequestDraft.Context {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "external_identifier": .string(externalIdentifier), "amount": .integer(amount),
            "merchant_identifier": merchantIdentifier.map(JSON.string),
            "merchant_name": merchantName.map(JSON.string), "merchant_domain": merchantDomain.map(JSON.string),
        ])
    }

    fileprivate init?(json: JSON) {
        guard let identifier = json["external_identifier"]?.stringValue, let amount = json["amount"]?.integerValue
        else { return nil }
        self.init(
            externalIdentifier: identifier,
            amount: amount,
            merchantIdentifier: json["merchant_identifier"]?.stringValue,
            merchantName: json["merchant_name"]?.stringValue,
            merchantDomain: json["merchant_domain"]?.stringValue
        )
    }
}
