import AdapterKit
import Domain
import StrictJSON

/// The body of a payment request.
struct NewPayment {
    /// The return URL that is given where the caller has none: Adyen demands one of every payment, but no payment that
    /// this adapter asks for comes back from anywhere.
    ///
    /// The name exists nowhere (RFC 2606).
    static let noReturnURL = "https://return.invalid/"
    /// The longest value of `metadata`, in characters.
    private static let metadataLimit = 80

    var source: PaymentSource
    /// `amount`.
    var amount: JSON
    var shares: Shares
    var authorization: Call.Authorization

    /// The body, members in the order they are sent.
    ///
    /// Capture is said both ways, so that the account's own setting does not matter. A stored payment method is never
    /// authenticated by the buyer, because nobody here could finish that step: Adyen declines instead.
    func body(for call: Call, merchantAccount: String) -> JSON {
        let isStored = source.shopper != nil
        return .object(omittingAbsent: [
            "merchantAccount": .string(merchantAccount),
            "amount": amount,
            "reference": .string(MerchantReference.payment(call)),
            "paymentMethod": source.method,
            "returnUrl": .string(authorization.returnURL ?? Self.noReturnURL),
            "shopperInteraction": isStored ? "ContAuth" : "Ecommerce",
            "shopperReference": source.shopper.map(JSON.string),
            "recurringProcessingModel": isStored ? "CardOnFile" : .none,
            "authenticationData": isStored ? ["attemptAuthentication": "never"] : .none,
            "mpiData": source.authentication,
            "captureDelayHours": authorization.capture ? 0 : .none,
            "additionalData": additionalData,
            "metadata": metadata(of: call),
            "splits": shares.splits,
            "store": shares.store.map(JSON.string),
        ])
    }

    private var additionalData: JSON {
        let all = [("manualCapture", authorization.capture ? "false" : "true")] + source.additionalData
        return .object(all.map { JSON.Member($0.0, .string($0.1)) })
    }

    /// Our identifiers, which Adyen repeats in reports.
    private func metadata(of call: Call) -> JSON {
        .object(omittingAbsent: [
            "order": .string(call.order.text),
            "payment": .string(call.payment.text),
            "attempt": .string(call.attempt.text),
            "operation": .string(call.operation.text),
            "description": authorization.description.map { .string(Self.shortened($0)) },
        ])
    }

    private static func shortened(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(metadataLimit)))
    }
}
