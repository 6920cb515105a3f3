package import Domain
package import Gateway
package import StrictJSON

/// Writes agreements as the API shows them.
package enum AgreementPresenter {
    /// An agreement as JSON.
    ///
    /// A merchant is not shown the marketplace's own name for the buyer, nor anything of orders that are not accepted: they
    /// are nobody's but the marketplace's, and so is what was declined.
    package static func json(_ agreement: Agreement, isForMerchant: Bool = false) -> JSON {
        let terms = agreement.terms
        let isShown = !isForMerchant || !agreement.isFirstPaymentOpen
        let names = isShown ? agreement.networkTransactionIDs : []
        return .object(omittingAbsent: [
            "id": .string(agreement.id.text), "type": .string(terms.type.rawValue),
            "state": .string(agreement.state.rawValue), "suspension": .optional(agreement.suspension?.rawValue),
            "merchant": .string(agreement.merchant.text),
            "external_identifier": .string(agreement.externalIdentifier),
            "description": .string(terms.description), "currency": .string(terms.currency.code),
            "amount": terms.bound.fixed.map(JSON.integer), "maximum_amount": terms.bound.maximum.map(JSON.integer),
            "reference": isForMerchant ? .none : .optional(agreement.reference),
            "first_order": .optional(isShown ? agreement.firstOrder?.text : nil),
            "method": (isShown ? agreement.method : nil).map(method) ?? .null,
            "network_transaction_ids": .array(names.map(name)),
            "retry": isForMerchant ? .none : retry(agreement), "created_at": .string(agreement.createdAt.description),
            "updated_at": .string(agreement.updatedAt.description), "version": .integer(agreement.version),
        ]).withDecimals(in: terms.currency)
    }

    /// An agreement with why PSPs have not forgotten its methods.
    package static func json(_ found: Agreements.Found) -> JSON {
        guard !found.failures.isEmpty, case .object(let members) = json(found.agreement) else {
            return json(found.agreement)
        }
        return .object(members + [JSON.Member("removal_failures", .strings(found.failures))])
    }

    private static func method(_ method: AgreementMethod) -> JSON {
        .object(omittingAbsent: [
            "kind": .string(method.kind.rawValue), "psp": .string(method.route.psp),
            "psp_account": .string(method.route.pspAccount), "network": method.network.map(JSON.string),
            "last4": method.last4.map(JSON.string), "expires": method.expires.map(JSON.string),
            "merchant_token_identifier": method.merchantTokenIdentifier.map(JSON.string),
        ])
    }

    private static func name(_ id: NetworkTransactionID) -> JSON {
        .object(omittingAbsent: [
            "kind": .string(id.kind.rawValue), "value": .string(id.value), "network": id.network.map(JSON.string),
        ])
    }

    /// What of the charges was declined, and from when another may be tried.
    ///
    /// It is what the gate of charges says, whose answer only a change of the agreement, or a time that it names, changes.
    private static func retry(_ agreement: Agreement) -> JSON {
        let tries = agreement.tries
        let notBefore: Timestamp? =
            switch tries.verdict(at: agreement.updatedAt, besideOpen: agreement.openCharges.count) {
            case .allowed, .forbidden: nil
            case .notBefore(let time), .tooMany(until: let time): time
            }
        return .object(omittingAbsent: [
            "allowed": .bool(!tries.isForbidden), "declines_in_a_row": .integer(tries.declinesInARow),
            "not_before": .optional(notBefore?.description),
        ])
    }
}

extension AgreementMethod {
    /// The last month in which it is taken, as `2029-04`.
    fileprivate var expires: String? {
        guard let expiryMonth, let expiryYear else { return nil }
        return "\(expiryYear)-\(expiryMonth < 10 ? "0" : "")\(expiryMonth)"
    }
}
