import AdapterKit
import Domain
import StrictJSON

/// A payment to be requested.
struct NewPayment {
    var source: PaymentSource
    var unit: CheckoutUnit
    /// In Checkout.com's unit.
    var amount: Int64
    /// In Checkout.com's unit; nil or 0 takes none.
    var commission: Int64?
    var authorization: Call.Authorization

    /// The body.
    ///
    /// The buyer is asked to authenticate if there is somewhere to come back to; a card that is not enrolled goes on
    /// without.
    func body(for call: Call, allocations: JSON?, processingChannel: String?) -> JSON {
        let returnURL = authorization.returnURL.map(JSON.string)
        let asksBuyer = source.asksBuyer && returnURL != nil
        return .object(omittingAbsent: [
            "source": source.json,
            "customer": source.customer,
            "amount": .integer(amount),
            "currency": .string(unit.code),
            "reference": .string(call.attempt.text),
            "description": authorization.description.map { .string(Self.description($0)) },
            "capture": .bool(authorization.capture),
            "processing_channel_id": processingChannel.map(JSON.string),
            "3ds": asksBuyer ? ["enabled": true, "attempt_n3d": true] : .none,
            "success_url": returnURL,
            "failure_url": returnURL,
            "amount_allocations": allocations,
            "metadata": .metadata(of: call),
        ])
    }

    /// Checkout.com takes 100 characters.
    private static func description(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(100)))
    }
}
