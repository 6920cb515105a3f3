package import Domain
package import Gateway
package import StrictJSON

/// Writes agreements as the API shows them.
package enum AgreementPresenter {
    /// An agreement as JSON; a merchant is not shown the marketplace's own name for the buyer.
    package static func json(_ agreement: Agreement, isForMerchant: Bool = false) -> JSON {
        let terms = agreement.terms
        return .object(omittingAbsent: [
            "id": .string(agreement.id.text), "type": .string(terms.type.rawValue),
            "state": .string(agreement.state.rawValue), "suspension": .optional(agreement.suspension?.rawValue),
            "merchant": .string(agreement.merchant.text),
            "external_identifier": .string(agreement.externalIdentifier),
            "description": .string(terms.description), "currency": .string(terms.currency.code),
            "amount": terms.bound.fixed.map(JSON.integer), "maximum_amount": terms.bound.maximum.map(JSON.integer),
            "reference": isForMerchant ? .none : .optional(agreement.reference),
            "first_order": .optional(agreement.firstOrder?.text), "method": agreement.method.map(method) ?? .null,
            "network_transaction_ids": .array(agreement.networkTransactionIDs.map(name)),
            "retry": retry(agreement.tries), "created_at": .string(agreement.createdAt.description),
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
    private static func retry(_ tries: ChargeTries) -> JSON {
        .object(omittingAbsent: [
            "allowed": .bool(!tries.isForbidden), "declines_in_a_row": .integer(tries.declinesInARow),
            "not_before": .optional(tries.isForbidden ? nil : tries.notBefore?.description),
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
