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
    /// The agreement that the buyer makes with the sheet; nil for none.
    package let agreement: AgreementID?
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
    /// What the buyer agrees to for later; then there is one context.
    package var agreement: Agreement?

    /// Makes a draft.
    package init(
        amount: Money,
        acceptsResidual: Bool = false,
        country: String,
        label: String? = nil,
        contexts: [Context]? = nil,
        supportedNetworks: [String],
        merchantCapabilities: [String],
        agreement: Agreement? = nil
    ) {
        self.amount = amount
        self.acceptsResidual = acceptsResidual
        self.country = country
        self.label = label
        self.contexts = contexts
        self.supportedNetworks = supportedNetworks
        self.merchantCapabilities = merchantCapabilities
        self.agreement = agreement
    }

    /// What a buyer agrees to with the sheet.
    package struct Agreement: Hashable, Sendable {
        /// What may be charged later.
        package var terms: AgreementTerms
        /// The marketplace's own name for the buyer.
        package var reference: String?
        /// Apple's request for it.
        package var sheet: JSON
        /// The agreement that it has made; nil before the request is stored.
        package var id: AgreementID?

        /// Makes one that is not stored.
        package init(terms: AgreementTerms, reference: String? = nil, sheet: JSON) {
            self.terms = terms
            self.reference = reference
            self.sheet = sheet
        }
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
            "merchant_capabilities": .strings(merchantCapabilities), "agreement": agreement?.json,
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
            merchantCapabilities: (json["merchant_capabilities"]?.arrayValue ?? []).compactMap(\.stringValue),
            agreement: json["agreement"].flatMap { Agreement(json: $0, in: currency) }
        )
    }
}

extension PaymentRequestDraft.Agreement {
    fileprivate var json: JSON {
        .object(omittingAbsent: [
            "id": id.map { .string($0.text) }, "type": .string(terms.type.rawValue),
            "fixed_amount": terms.bound.fixed.map(JSON.integer),
            "maximum_amount": terms.bound.maximum.map(JSON.integer),
            "description": .string(terms.description), "reference": reference.map(JSON.string), "sheet": sheet,
        ])
    }

    fileprivate init?(json: JSON, in currency: Currency) {
        guard let type = json["type"]?.stringValue.flatMap(AgreementType.init(rawValue:)),
            let bound = json["fixed_amount"]?.integerValue.map(AgreementTerms.Bound.fixed)
                ?? json["maximum_amount"]?.integerValue.map(AgreementTerms.Bound.maximum),
            let description = json["description"]?.stringValue, let sheet = json["sheet"]
        else { return nil }
        self.init(
            terms: AgreementTerms(type: type, currency: currency, bound: bound, description: description),
            reference: json["reference"]?.stringValue,
            sheet: sheet
        )
        id = json["id"]?.stringValue.flatMap { AgreementID($0) }
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
