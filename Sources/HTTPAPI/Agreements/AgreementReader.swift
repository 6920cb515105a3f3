import Domain
import Gateway
import Storage
import StrictJSON

/// Reads the bodies of `/v1/agreements`.
enum AgreementReader {
    /// The most characters of a description.
    private static let descriptionLimit = 200

    /// A new agreement.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    static func draft(_ json: JSON) throws(InvalidDocument) -> AgreementDraft {
        try json.read(refusingNull: true) { body in
            let identifier = body.string("external_identifier", length: 1...128, by: TextRule.identifier.accept)
            let type = body.choice("type", of: AgreementType.self)
            let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
            let fixed = body.integer("amount", .optional, in: 1 ... .max)
            let maximum = body.integer("maximum_amount", .optional, in: 1 ... .max)
            let description = body.string(
                "description",
                length: 1...descriptionLimit,
                by: TextRule.freeText.accept
            )
            let reference = body.string("reference", .optional, length: 1...128, by: TextRule.reference.accept)
            if body.contains("amount") == body.contains("maximum_amount") {
                body.refuse("amount", "contradiction", "Send amount, or maximum_amount, and not both.")
            }
            guard let identifier, let type, let currency, let description,
                let bound = fixed.map(AgreementTerms.Bound.fixed) ?? maximum.map(AgreementTerms.Bound.maximum)
            else { return nil }
            return AgreementDraft(
                externalIdentifier: identifier,
                terms: AgreementTerms(type: type, currency: currency, bound: bound, description: description),
                reference: reference
            )
        }
    }

    /// A charge.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    static func charge(_ json: JSON) throws(InvalidDocument) -> ChargeDraft {
        try json.read(refusingNull: true) { body in
            let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
            let amount = body.integer("amount", in: 1 ... .max)
            let reason = body.choice("reason", of: ChargeReason.self)
            let capture = body.string("capture", .optional, oneOf: ["automatic", "manual"])
            let reference = body.string("reference", .optional, length: 1...128, by: TextRule.reference.accept)
            let merchantReference = body.string(
                "merchant_reference",
                .optional,
                length: 1...128,
                by: TextRule.reference.accept
            )
            let descriptor = StatementDescriptor.read(body)
            let commission = body.object("commission", .optional) { OrderDraftReader.readCommission($0) }
            let metadata = OrderDraftReader.readMetadata(body)
            guard let currency, let amount, let reason,
                let money = try? Money(minorUnits: amount, currency: currency)
            else { return nil }
            return ChargeDraft(
                amount: money,
                reason: reason,
                reference: reference,
                capture: capture.flatMap(OrderTerms.Capture.init(rawValue:)) ?? .automatic,
                merchantReference: merchantReference,
                statementDescriptor: descriptor,
                commission: commission,
                metadata: metadata
            )
        }
    }
}
