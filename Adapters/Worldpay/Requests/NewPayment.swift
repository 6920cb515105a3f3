import AdapterKit
import Domain
import StrictJSON

/// A payment to be made.
struct NewPayment {
    var instrument: PaymentInstrument
    var entity: MerchantEntity
    var narrative: String
    var authorization: Call.Authorization

    /// The body of the request.
    ///
    /// `settlement` is always there, so that no default of the account decides whether money is taken. Nothing is
    /// cancelled because of an address or a security code, neither of which is sent.
    func body(for call: Call) -> JSON {
        let settlement: JSON =
            authorization.capture
            ? ["auto": true, "cancelOn": ["cvcNotMatched": "disabled", "avsNotMatched": "disabled"]] : ["auto": false]
        let narrative = JSON.object(omittingAbsent: [
            "line1": .string(narrative),
            "line2": authorization.description.flatMap(Narrative.line).map(JSON.string),
        ])
        return [
            "transactionReference": .string(call.attempt.text),
            "orderReference": .string(call.order.text),
            "merchant": ["entity": .string(entity.name)],
            "channel": "ecom",
            "instruction": .object(omittingAbsent: [
                "method": .string(instrument.method),
                "paymentInstrument": instrument.json,
                "customerAgreement": instrument.isStored
                    ? ["type": "cardOnFile", "storedCardUsage": "subsequent"] : .none,
                "narrative": narrative,
                "value": WorldpayRequests.value(call.money),
                "settlement": settlement,
            ]),
        ]
    }
}
