import Domain
import Gateway
import StrictJSON

/// Reads the bodies of `/v1/payment-requests`.
struct PaymentRequestReader {
    /// How many contexts a request may have.
    let contextLimit: Int
    /// The time.
    let clock: any GatewayClock

    /// A new request, and whether its warnings are refused like errors.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    func draft(_ json: JSON) throws(InvalidDocument) -> (draft: PaymentRequestDraft, strict: Bool) {
        try json.read(refusingNull: true) { body in
            let strict = body.bool("strict", .optional)
            return readDraft(body).map { ($0, strict ?? false) }
        }
    }

    /// A change of a stored request, and whether its warnings are refused like errors.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    func revision(_ json: JSON) throws(InvalidDocument) -> (revision: PaymentRequestRevision, strict: Bool) {
        try json.read(refusingNull: true) { body in
            let strict = body.bool("strict", .optional)
            let amount = body.integer("amount", in: 1 ... .max)
            let residual = body.string("residual", .optional, oneOf: ["uncharged"])
            let contexts = body.array("contexts", .optional, count: 1...contextLimit, readContext)
            guard let amount else { return nil }
            let revision = PaymentRequestRevision(
                amount: amount,
                acceptsResidual: residual.map { _ in true },
                contexts: contexts
            )
            return (revision, strict ?? false)
        }
    }

    private func readDraft(_ body: ObjectReader) -> PaymentRequestDraft? {
        let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
        let amount = body.integer("amount", in: 1 ... .max)
        let country = body.parsed("country", expecting: "an ISO 3166-1 alpha-2 code") {
            CountryCode.all.contains($0) ? $0 : nil
        }
        let label = body.string("label", .optional, length: 1...128, by: TextRule.freeText.accept)
        let residual = body.string("residual", .optional, oneOf: ["uncharged"])
        let contexts = body.array("contexts", .optional, count: 1...contextLimit, readContext)
        let agreements = AgreementRequestReader(currency: currency, now: clock.now())
        let agreement = body.object("agreement", .optional) { agreements.read($0) }
        let networks = words(body, "supported_networks", ApplePayVocabulary.networks)
        let capabilities = words(body, "merchant_capabilities", ApplePayVocabulary.capabilities)
        if let capabilities, !capabilities.contains(ApplePayVocabulary.neededCapability) {
            body.refuse("merchant_capabilities", "missing_capability", "Must contain supports3DS.")
        }
        guard let currency, let amount, let country,
            let money = try? Money(minorUnits: amount, currency: currency)
        else { return nil }
        return PaymentRequestDraft(
            amount: money,
            acceptsResidual: residual != nil,
            country: country,
            label: label,
            contexts: contexts,
            supportedNetworks: networks ?? ApplePayVocabulary.usualNetworks,
            merchantCapabilities: capabilities ?? [ApplePayVocabulary.neededCapability],
            agreement: agreement
        )
    }

    private func words(_ body: ObjectReader, _ key: String, _ known: [String]) -> [String]? {
        body.strings(key, .optional, count: 1...known.count, expecting: "one of \(known.joined(separator: ", "))") {
            known.contains($0) ? $0 : nil
        }
    }

    private func readContext(_ body: ObjectReader) -> PaymentRequestDraft.Context? {
        let identifier = body.string("external_identifier", length: 1...128, by: TextRule.identifier.accept)
        let amount = body.integer("amount", in: 1 ... .max)
        let currency = body.parsed("currency", .optional, expecting: "an ISO 4217 code") { Currency(code: $0) }
        let merchantIdentifier = body.string("merchant_identifier", .optional, by: TextRule.identifier.accept)
        let name = body.string("merchant_name", .optional, by: TextRule.freeText.accept)
        let domain = body.string("merchant_domain", .optional, by: TextRule.identifier.accept)
        guard let identifier, let amount else { return nil }
        return PaymentRequestDraft.Context(
            externalIdentifier: identifier,
            amount: amount,
            currency: currency,
            merchantIdentifier: merchantIdentifier,
            merchantName: name,
            merchantDomain: domain
        )
    }
}
