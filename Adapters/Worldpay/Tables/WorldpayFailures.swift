package import Domain

/// What the name of an error says of a payment that was to be made.
///
/// Source: the errors of `authorizationFailed` in Worldpay's description of the Payment Queries API, read in November
/// 2026; the same names come with HTTP 400.
package enum WorldpayFailures {
    /// The outcome; nil if the name says nothing of the payment itself.
    ///
    /// A reference that is used already names another payment, or this one sent twice: only the record can tell. An
    /// internal error that Worldpay has recorded as a failure means that the payment was not completed, and may be
    /// tried anew ("Error: The payment wasn't completed. You may want to reattempt the payment").
    package static func outcome(of name: String) -> Outcome? {
        switch name {
        case "transactionReferenceIsADuplicate", "transactionHasAlreadyBeenProcessed":
            .unknown(reason: "Worldpay has a payment of this reference already (\(name)).")
        case "cardNumberIsNotRecognized": declined(name, .invalidCard)
        case "underlyingPaymentInstrumentHasExpired": declined(name, .expiredCard)
        case "internalErrorOccurred": declined(name, .temporary)
        case "channelIsNotSupported", "currencyIsNotSupported", "paymentInstrumentIsNotSupported":
            rejected(name, .unsupported)
        case "entityIsNotConfigured", "fieldHasInvalidValue", "fieldIsEmpty": rejected(name, .configuration)
        default: nil
        }
    }

    private static func declined(_ name: String, _ category: Decline.Category) -> Outcome {
        .declined(Decline(code: name, category: category, message: "Worldpay did not make the payment (\(name))."))
    }

    private static func rejected(_ name: String, _ reason: Rejection.Reason) -> Outcome {
        .rejected(Rejection(reason, code: name, message: "Worldpay refused the payment (\(name))."))
    }
}
