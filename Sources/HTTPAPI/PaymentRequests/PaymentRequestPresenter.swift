import Domain
import Gateway
import StrictJSON
import WireFormats

/// Writes payment requests as the API shows them.
enum PaymentRequestPresenter {
    /// A stored request with the JSON for the sheet.
    static func json(_ request: PaymentRequest) -> JSON {
        [
            "id": .string(request.id.text), "revision": .integer(request.revision),
            "expires_at": .string(request.expiresAt.description),
            "request": sheet(request.plan, applicationData: request.applicationData),
            "warnings": .array(request.plan.warnings.map(\.json)),
        ]
    }

    /// The `ApplePayPaymentRequest` of a plan.
    ///
    /// `applicationData` never has amounts, for the sheet can change those but not it.
    static func sheet(_ plan: PaymentRequestPlan, applicationData: String) -> JSON {
        .object(omittingAbsent: [
            "countryCode": .string(plan.draft.country), "currencyCode": .string(plan.draft.amount.currency.code),
            "merchantCapabilities": .strings(plan.draft.merchantCapabilities),
            "supportedNetworks": .strings(plan.draft.supportedNetworks),
            "total": [
                "label": .string(plan.label), "type": "final", "amount": .string(plan.draft.amount.decimal),
            ],
            "multiTokenContexts": plan.contexts.map { .array($0.map(context)) },
            "applicationData": .string(Base64.encode(Array(applicationData.utf8))),
        ])
    }

    private static func context(_ context: PaymentRequestPlan.Context) -> JSON {
        .object(omittingAbsent: [
            "merchantIdentifier": .string(context.merchantIdentifier),
            "externalIdentifier": .string(context.externalIdentifier),
            "merchantName": .string(context.merchantName),
            "merchantDomain": context.merchantDomain.map(JSON.string), "amount": .string(context.amount.decimal),
        ])
    }
}
