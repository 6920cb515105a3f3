import AdapterKit
import Domain
import Gateway
import Storage
import StrictJSON
import WireFormats

/// Reads the body of `POST /v1/orders`.
struct OrderDraftReader {
    /// How long a buyer may wait, in milliseconds.
    static let deadlines: ClosedRange<Int64> = 1...600_000

    /// What an order may be at most.
    let limits: APILimits

    /// The draft.
    ///
    /// - Throws: `InvalidDocument` with everything that is wrong, by pointer.
    func draft(_ json: JSON) throws(InvalidDocument) -> OrderDraft { try json.read(refusingNull: true) { order($0) } }

    private func order(_ body: ObjectReader) -> OrderDraft? {
        let currency = body.parsed("currency", expecting: "an ISO 4217 code") { Currency(code: $0) }
        let amount = body.integer("amount", in: 1 ... .max)
        let reference = body.string("reference", .optional, length: 1...128, by: TextRule.reference.accept)
        let residual = body.string("residual", .optional, oneOf: ["uncharged"])
        let policy = body.object("policy") { readPolicy($0) }
        let capture = body.choice("capture", .optional, of: OrderTerms.Capture.self)
        let deadline = body.integer("deadline_ms", .optional, in: Self.deadlines)
        let onDeadline = body.string("on_deadline", .optional, oneOf: ["abandon", "continue"])
        let onFailure = body.string("on_capture_failure", .optional, oneOf: ["attention", "compensate"])
        let decideBy = readDecideBy(body)
        let returnURL = body.parsed("return_url", .optional, expecting: "an https URL, or http on loopback") {
            ReturnURL($0)?.text
        }
        let buyer = body.object("buyer", .optional) { BuyerReader.buyer($0) }
        let payment = body.object("payment", .optional) { InstrumentReader.instrument($0) }
        let paymentRequest = body.parsed("payment_request", .optional, expecting: "a payment request's id") {
            PaymentRequestID($0)
        }
        let walletOrder = body.object("wallet_order", .optional) { readWalletOrder($0) }
        let contexts = body.array("contexts", count: 1...limits.contexts) { readContext($0, in: currency) }
        let metadata = Self.readMetadata(body)
        guard let currency, let amount, let policy, let contexts,
            let money = try? Money(minorUnits: amount, currency: currency)
        else { return nil }
        return OrderDraft(
            reference: reference,
            amount: money,
            acceptsResidual: residual != nil,
            policy: policy,
            capture: capture ?? .automatic,
            deadlineMilliseconds: deadline,
            decideBy: decideBy,
            onDeadline: onDeadline.flatMap(OrderTerms.OnDeadline.init(rawValue:)),
            onCaptureFailure: onFailure.flatMap(OrderTerms.OnCaptureFailure.init(rawValue:)) ?? .attention,
            returnURL: returnURL,
            buyer: buyer == BuyerDetails() ? nil : buyer,
            payment: payment,
            paymentRequest: paymentRequest,
            walletOrder: walletOrder,
            contexts: contexts,
            metadata: metadata
        )
    }

    /// What the order says in Wallet; its lengths, languages and pictures are checked where the package is made.
    private func readWalletOrder(_ body: ObjectReader) -> OrderDraft.WalletOrder? {
        let number = body.string("order_number", .optional, length: 1...64, by: TextRule.freeText.accept)
        var told = OrderDraft.WalletOrder(orderNumber: number)
        _ = body.object("localizations", .optional) { body in
            for language in body.keys {
                told.localisations[language] = body.object(language) { body in
                    body.keys.reduce(into: [:]) { texts, key in
                        texts[key] = body.string(key, length: 1...300, by: TextRule.freeText.accept)
                    }
                }
            }
            return true
        }
        let pictures = body.dictionary(
            "pictures",
            .optional,
            count: 1...20,
            keyLength: 1...64,
            length: 1...limits.bodyBytes
        )
        for (name, text) in pictures ?? [] {
            if let bytes = Base64.decode(text) {
                told.pictures[name] = bytes
            } else {
                let place = body.pointer(to: "pictures").appending(name)
                body.violations.add(at: place, "not_allowed", "Must be a file in base 64, padded.")
            }
        }
        return told
    }

    private func readPolicy(_ body: ObjectReader) -> Policy? {
        switch body.string("type", oneOf: ["all_or_nothing", "best_effort", "required", "minimum"]) {
        case "all_or_nothing": .allOrNothing
        case "best_effort": .bestEffort
        case "required":
            readRequired(body).map { .required($0) }
        case "minimum": body.integer("amount", in: 1 ... .max).map { .minimum($0) }
        default: ignored(body)
        }
    }

    private func readRequired(_ body: ObjectReader) -> Set<String>? {
        let names = body.strings(
            "external_identifiers",
            count: 1...limits.contexts,
            by: TextRule.identifier.accept
        )
        guard let names else { return nil }
        guard Set(names).count == names.count else {
            body.refuse("external_identifiers", "duplicate_external_identifier", "Each merchant is named once.")
            return nil
        }
        return Set(names)
    }

    /// What a type that is not known would be made of, nobody can say.
    private func ignored(_ body: ObjectReader) -> Policy? {
        for key in body.keys { body.ignore(key) }
        return nil
    }

    private func readDecideBy(_ body: ObjectReader) -> OrderDraft.DecideBy? {
        let span = body.integer("decide_by_ms", .optional, in: 1...limits.decideByLimitMilliseconds)
        let moment = body.parsed("decide_by", .optional, expecting: "an RFC 3339 time") {
            RFC3339.timestamp($0, .strict)
        }
        if body.contains("decide_by_ms"), body.contains("decide_by") {
            body.refuse("decide_by_ms", "contradiction", "Cannot stand beside decide_by.")
        }
        return span.map { .after(milliseconds: $0) } ?? moment.map { .at($0) }
    }

    private func readContext(_ body: ObjectReader, in currency: Currency?) -> OrderDraft.Context? {
        let identifier = body.string("external_identifier", length: 1...128, by: TextRule.identifier.accept)
        let amount = body.integer("amount", in: 1 ... .max)
        let own = body.parsed("currency", .optional, expecting: "an ISO 4217 code") { Currency(code: $0) }
        let merchantIdentifier = body.string("merchant_identifier", .optional, by: TextRule.identifier.accept)
        let name = body.string("merchant_name", .optional, by: TextRule.freeText.accept)
        let domain = body.string("merchant_domain", .optional, by: TextRule.identifier.accept)
        let payment = body.object("payment", .optional) { InstrumentReader.instrument($0) }
        let commission = body.object("commission", .optional) { Self.readCommission($0) }
        let reference = body.string("reference", .optional, length: 1...128, by: TextRule.reference.accept)
        let descriptor = StatementDescriptor.read(body)
        let stated = StatedLines.read(body, within: amount)
        let items = BuyerReader.lineItems(body, within: amount.map { stated.reduce($0) { $0 - $1.amount } })
        let metadata = Self.readMetadata(body)
        let agreement = body.parsed("agreement", .optional, expecting: "an agreement's id") { AgreementID($0) }
        guard let identifier, let amount, let currency = own ?? currency,
            let money = try? Money(minorUnits: amount, currency: currency)
        else { return nil }
        return OrderDraft.Context(
            externalIdentifier: identifier,
            amount: money,
            merchantIdentifier: merchantIdentifier,
            merchantName: name,
            merchantDomain: domain,
            payment: payment,
            commission: commission,
            stated: stated,
            reference: reference,
            statementDescriptor: descriptor,
            lineItems: items.items,
            walletItems: items.inWallet,
            metadata: metadata,
            agreement: agreement
        )
    }

    /// Reads a commission that stands in the place of the merchant's rule.
    static func readCommission(_ body: ObjectReader) -> CommissionCharge? {
        let amount = body.integer("amount", in: 0 ... .max)
        let tax = body.integer("tax_amount", .optional, in: 0 ... .max)
        return amount.map { CommissionCharge(amount: $0, taxAmount: tax ?? 0) }
    }

    /// Reads what the marketplace attaches.
    static func readMetadata(_ body: ObjectReader) -> [MetadataItem] {
        let place = body.pointer(to: "metadata")
        return (body.dictionary("metadata", .optional, count: 0...20) ?? []).compactMap { key, value in
            do throws(TextObjection) {
                let key = try TextRule.reference.accept(key)
                return MetadataItem(key: key, value: try TextRule.freeText.accept(value))
            } catch {
                body.violations.add(at: place.appending(key), "invalid_character", error.description)
                return nil
            }
        }
    }
}
