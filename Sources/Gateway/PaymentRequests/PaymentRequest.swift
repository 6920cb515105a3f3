package import Domain
package import StrictJSON

/// A stored payment request.
package struct PaymentRequest: Hashable, Sendable {
    /// Its identifier.
    package let id: PaymentRequestID
    /// Counts up from 1.
    package let revision: Int64
    /// When it can be used no more.
    package let expiresAt: Timestamp
    /// The bytes, as text, whose hash a token of the sheet carries; the same in every revision, because a sheet
    /// never takes new ones.
    package let applicationData: String
    /// What the sheet is to ask for.
    package let plan: PaymentRequestPlan
}

/// What a checkout wants a payment sheet to ask for: well-formed, but not yet checked against anything stored.
package struct PaymentRequestDraft: Hashable, Sendable {
    /// The total of the sheet.
    package var amount: Money
    /// Whether the checkout said that what the contexts leave of the amount stays uncharged.
    package var acceptsResidual: Bool
    /// The marketplace's country, ISO 3166-1 alpha-2.
    package var country: String
    /// What the total is called on the sheet; by default the marketplace's name.
    package var label: String?
    /// The parts, one for each merchant; nil for a sheet without contexts.
    package var contexts: [Context]?
    /// The card networks, in Apple's words.
    package var supportedNetworks: [String]
    /// What the merchants can process, in Apple's words.
    package var merchantCapabilities: [String]

    /// Makes a draft.
    package init(
        amount: Money,
        acceptsResidual: Bool = false,
        country: String,
        label: String? = nil,
        contexts: [Context]? = nil,
        supportedNetworks: [String],
        merchantCapabilities: [String]
    ) {
        self.amount = amount
        self.acceptsResidual = acceptsResidual
        self.country = country
        self.label = label
        self.contexts = contexts
        self.supportedNetworks = supportedNetworks
        self.merchantCapabilities = merchantCapabilities
    }

    /// The part for one merchant.
    package struct Context: Hashable, Sendable {
        /// The merchant's stable identifier.
        package var externalIdentifier: String
        /// The amount in minor units, at least 1.
        package var amount: Int64
        /// If sent, must be the request's.
        package var currency: Currency?
        /// If sent, must equal the merchant's record.
        package var merchantIdentifier: String?
        /// If sent, must equal the merchant's record.
        package var merchantName: String?
        /// If sent, must equal the merchant's record.
        package var merchantDomain: String?

        /// Makes a context.
        package init(
            externalIdentifier: String,
            amount: Int64,
            currency: Currency? = nil,
            merchantIdentifier: String? = nil,
            merchantName: String? = nil,
            merchantDomain: String? = nil
        ) {
            self.externalIdentifier = externalIdentifier
            self.amount = amount
            self.currency = currency
            self.merchantIdentifier = merchantIdentifier
            self.merchantName = merchantName
            self.merchantDomain = merchantDomain
        }
    }
}

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

/// What a checkout changes of a stored payment request while its sheet is open, for example with the shipping.
package struct PaymentRequestRevision: Hashable, Sendable {
    /// The new total in minor units, at least 1.
    package var amount: Int64
    /// Whether what the contexts leave of the amount stays uncharged; nil leaves it as stored.
    package var acceptsResidual: Bool?
    /// The new contexts; nil leaves them as stored.
    package var contexts: [PaymentRequestDraft.Context]?

    /// Makes a revision.
    package init(amount: Int64, acceptsResidual: Bool? = nil, contexts: [PaymentRequestDraft.Context]? = nil) {
        self.amount = amount
        self.acceptsResidual = acceptsResidual
        self.contexts = contexts
    }
}

/// Why a payment request was not stored or revised.
///
/// Nothing was written.
package enum PaymentRequestRefusal: Error, Hashable, Sendable {
    /// It cannot be accepted as it is; every reason at once.
    case invalid([Violation])
    /// The marketplace has none with that id.
    case notFound
    /// An order has used it up.
    case used
    /// Its time is over.
    case expired
}
