package import Domain
package import StrictJSON

/// Writes merchants as the API shows them.
package enum MerchantPresenter {
    /// A merchant as JSON.
    package static func json(_ merchant: Merchant) -> JSON {
        [
            "id": .string(merchant.id.text), "external_identifier": .string(merchant.externalIdentifier),
            "name": .string(merchant.name), "merchant_identifier": .optional(merchant.merchantIdentifier),
            "domain": .optional(merchant.domain), "kind": .string(merchant.kind.rawValue),
            "status": .string(merchant.status.rawValue), "commission": commission(merchant.commission),
            "dispute_liability": .string(merchant.disputeLiability.rawValue),
            "routes": .array(merchant.routes.map(route)),
        ]
    }

    private static func commission(_ rule: CommissionRule) -> JSON {
        [
            "basis_points": .integer(rule.basisPoints), "fixed": amounts(rule.fixed),
            "minimum": amounts(rule.minimum), "maximum": amounts(rule.maximum),
            "tax_basis_points": .integer(rule.taxBasisPoints),
            "psp_fees_borne_by": .string(rule.pspFeesBorneBy.rawValue),
            "returned_on_refund": .string(rule.returnedOnRefund.rawValue),
        ]
    }

    private static func amounts(_ amounts: [String: Int64]) -> JSON {
        .object(amounts.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) })
    }

    private static func route(_ route: Merchant.Route) -> JSON {
        [
            "psp_account": .string(route.pspAccount), "merchant_account": .optional(route.merchantAccount),
            "settles_to": .string(route.settlesTo.rawValue), "commission_by": .string(route.commissionBy.rawValue),
            "currencies": .strings(route.currencies), "wallets": .strings(route.wallets),
            "networks": .strings(route.networks), "apple_pay": .string(route.applePay.rawValue),
        ]
    }
}
